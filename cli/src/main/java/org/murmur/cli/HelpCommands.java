package org.murmur.cli;

import java.util.ArrayList;
import java.util.List;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.Root;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Commands that print about commands. */
final class HelpCommands {

  private HelpCommands() {}

  /** {@code murmur help COMMAND}. */
  @Command(name = "help", description = "Show help for a command.")
  static final class Help extends Action {

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "For example: filter size.")
    private List<String> words = new ArrayList<>();

    @Override
    protected ExitCode run() {
      CommandLine line = spec().root().commandLine();
      for (String word : words) {
        CommandLine next = line.getSubcommands().get(word);
        if (next == null) {
          throw Failure.usage("unknown command '" + word + "'; murmur --help lists them");
        }
        line = next;
      }
      output().text(line::usage);
      return ExitCode.DONE;
    }
  }

  @Command(
      name = "completion",
      description = "Print a completion script for bash, zsh or fish.",
      footer = {
        "Examples:",
        "  source <(murmur completion bash)",
        "  murmur completion fish | source"
      })
  static final class Completion extends Action {

    @Parameters(
        paramLabel = "SHELL",
        defaultValue = "bash",
        completionCandidates = Completions.class,
        description = "bash (default), zsh or fish.")
    private String shell = "bash";

    @Override
    protected ExitCode run() {
      if (!Completions.SHELLS.contains(shell)) {
        throw Failure.usage(
            "no completion for '" + shell + "'; there is one for bash, zsh and fish");
      }
      output().exactly(Completions.of(shell, spec().root()));
      return ExitCode.DONE;
    }
  }

  @Command(
      name = "man",
      description = "Print the manual page of all commands.",
      footer = {"Example:", "  murmur man | man -l -"})
  static final class Man extends Action {

    @Override
    protected ExitCode run() {
      output().exactly(ManPage.of(spec().root(), Root.Version.name()));
      return ExitCode.DONE;
    }
  }
}
