package org.murmur.cli.terminal;

import picocli.CommandLine.Option;

/** The option of every command that writes a file. */
public final class ForceOption {

  @Option(
      names = "--force",
      description =
          "Overwrite files of other kinds, too. Without it, only older ones of the same kind; never"
              + " a wallet.")
  private boolean force;

  public boolean given() {
    return force;
  }
}
