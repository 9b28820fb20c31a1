package org.murmur.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code murmur help COMMAND}. */
@Command(name = "help", description = "Show help for a command.")
final class HelpCommand extends Action {

  @Spec private @Nullable CommandSpec self;

  @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "For example: filter size.")
  private List<String> words = new ArrayList<>();

  @Override
  protected ExitCode run() {
    if (self == null) {
      throw new AssertionError("picocli sets the spec before it calls");
    }
    CommandLine line = self.root().commandLine();
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
