package org.murmur.cli;

import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code murmur completion bash}. */
@Command(
    name = "completion",
    description = "Print a completion script for bash or zsh.",
    footer = {"", "Example:", "  source <(murmur completion bash)"})
final class CompletionCommand extends Action {

  @Spec private @Nullable CommandSpec self;

  @Parameters(paramLabel = "SHELL", defaultValue = "bash", description = "bash (default) or zsh.")
  private String shell = "bash";

  @Override
  protected ExitCode run() {
    if (!shell.equals("bash") && !shell.equals("zsh")) {
      throw Failure.usage("no completion for '" + shell + "'; there is one for bash and zsh");
    }
    if (self == null) {
      throw new AssertionError("picocli sets the spec before it calls");
    }
    // The script serves both shells: for zsh it loads bash's completion system itself.
    surroundings().stdout().print(AutoComplete.bash("murmur", self.root().commandLine()));
    surroundings().stdout().flush();
    return ExitCode.DONE;
  }
}
