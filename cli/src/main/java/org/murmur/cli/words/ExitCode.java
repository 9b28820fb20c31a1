package org.murmur.cli.words;

/** What the process says to whoever started it. Part of the command's contract. */
public enum ExitCode {
  /** Done. */
  DONE(0),
  /** It did not work, for a reason the message names. */
  FAILED(1),
  /** The arguments make no sense. */
  USAGE(2),
  /** The wallet is not, or not completely, synced. */
  NOT_SYNCED(3),
  /** No peer was there that could be used. */
  NO_USABLE_PEER(4),
  /** Peers contradict each other. */
  PEERS_DISAGREE(5),
  /** Ctrl-C: 128 + SIGINT. */
  INTERRUPTED(130);

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  /**
   * Returns the number that the process ends with.
   *
   * @return 0 for success
   */
  public int number() {
    return number;
  }
}
