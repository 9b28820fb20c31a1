package org.murmur.cli;

import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.Root;
import org.murmur.cli.words.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code murmur man}. */
@Command(
    name = "man",
    description = "Print the manual page of all commands.",
    footer = {"", "Example:", "  murmur man | man -l -"})
final class ManCommand extends Action {

  @Spec private @Nullable CommandSpec self;

  @Override
  protected ExitCode run() {
    if (self == null) {
      throw new AssertionError("picocli sets the spec before it calls");
    }
    output().exactly(ManPage.of(self.root(), Root.Version.name()));
    return ExitCode.DONE;
  }
}
