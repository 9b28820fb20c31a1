package org.murmur.cli;

import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code murmur completion bash}. */
@Command(
    name = "completion",
    description = "Print a completion script for bash, zsh or fish.",
    footer = {
      "",
      "Examples:",
      "  source <(murmur completion bash)",
      "  murmur completion fish | source"
    })
final class CompletionCommand extends Action {

  @Spec private @Nullable CommandSpec self;

  @Parameters(
      paramLabel = "SHELL",
      defaultValue = "bash",
      completionCandidates = Completions.class,
      description = "bash (default), zsh or fish.")
  private String shell = "bash";

  @Override
  protected ExitCode run() {
    if (!Completions.SHELLS.contains(shell)) {
      throw Failure.usage("no completion for '" + shell + "'; there is one for bash, zsh and fish");
    }
    if (self == null) {
      throw new AssertionError("picocli sets the spec before it calls");
    }
    output().exactly(Completions.of(shell, self.root()));
    return ExitCode.DONE;
  }
}
