package org.murmur.cli.words;

/** Exit codes of the process. Part of the command's contract. */
public enum ExitCode {
  /** Done. */
  DONE(0),
  /** The command failed; the message has the reason. */
  FAILED(1),
  /** Invalid arguments. */
  USAGE(2),
  /** The wallet is not, or not completely, synced. */
  NOT_SYNCED(3),
  /** No usable peer. */
  NO_USABLE_PEER(4),
  /** Peers contradict each other. */
  PEERS_DISAGREE(5),
  /** Ctrl-C: 128 + SIGINT. */
  INTERRUPTED(130);

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  /** Returns the number that the process ends with, 0 for success. */
  public int number() {
    return number;
  }
}
