package org.murmur.cli.terminal;

import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;

/** A command that does nothing without one of its subcommands. */
public abstract class CommandGroup extends Action {

  @Override
  protected final ExitCode run() {
    throw Failure.usage(
        spec().name() + " needs one of: " + String.join(", ", spec().subcommands().keySet()));
  }
}
