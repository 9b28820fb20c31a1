package org.murmur.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.murmur.cli.terminal.Columns;
import org.murmur.cli.terminal.GlobalOptions;
import org.murmur.cli.terminal.Inputs;
import org.murmur.cli.terminal.Numbers;
import org.murmur.cli.terminal.Output;
import org.murmur.cli.terminal.Root;
import org.murmur.cli.terminal.ShutdownInterrupts;
import org.murmur.cli.terminal.Surroundings;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Neighbour;
import org.murmur.cli.words.Text;
import org.murmur.cli.words.Unit;
import org.murmur.lab.CodeVersion;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code murmur} command. */
public final class Murmur {

  static final int HELP_WIDTH = Columns.WIDTH;

  /**
   * Longer arguments are not repeated in errors. Numbers are shorter than this, keys are longer.
   */
  private static final int LONGEST_SHOWN = 30;

  /** Java's mark for bytes that are no character. */
  private static final String LOST = "\ufffd";

  private Murmur() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    Surroundings process = Surroundings.ofProcess();
    int code = run(List.of(args), process);
    process.stdout().flush();
    process.stderr().flush();
    ShutdownInterrupts.finished(code);
    System.exit(code);
  }

  /** Runs the command inside this process. */
  static int run(List<String> args, Surroundings surroundings) {
    CommandLine line = new CommandLine(new Root(surroundings));
    Commands.addTo(line, args);
    // Settings apply to existing commands only, so they come after the commands.
    PrintWriter out = printer(surroundings.stdout());
    line.setOut(out);
    line.setErr(printer(surroundings.stderr()));
    line.setAbbreviatedOptionsAllowed(false);
    // A wallet may be named like a command.
    line.setAllowSubcommandsAsOptionParameters(true);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    Numbers.installOn(line);
    line.setUsageHelpWidth(HELP_WIDTH);
    line.setHelpSectionKeys(HelpText.SECTIONS);
    HelpText.installOn(line);
    line.setParameterExceptionHandler(
        (thrown, given) -> usage(thrown, List.of(given), surroundings));
    line.setExecutionExceptionHandler((thrown, at, parsed) -> failed(thrown, at, surroundings));
    OptionalInt done = form(args, surroundings);
    int code;
    try {
      code = done.isPresent() ? done.getAsInt() : line.execute(args.toArray(String[]::new));
    } catch (OutOfMemoryError e) {
      Failure failure = Failures.of(e, Unit.BTC);
      Output.failure(surroundings, args.contains("--json"), args.contains("--jsonl"), failure, "");
      code = failure.code().number();
    }
    out.flush();
    return Output.ended(surroundings, code);
  }

  /** Checks of the whole line: lost characters, two output formats, and the version as JSON. */
  private static OptionalInt form(List<String> args, Surroundings surroundings) {
    boolean json = args.contains("--json");
    boolean jsonl = args.contains("--jsonl");
    Failure wrong = null;
    for (Map.Entry<String, String> variable : surroundings.environment().entrySet()) {
      if (variable.getKey().startsWith("MURMUR_") && variable.getValue().contains(LOST)) {
        wrong =
            Failure.usage(
                Text.of(
                    "the variable %s has characters that this character set lost: set"
                        + " LC_ALL=C.UTF-8",
                    variable.getKey()));
      }
    }
    if (args.stream().anyMatch(arg -> arg.contains(LOST))) {
      // A text that is signed, or kept as a label, must be the one that was typed.
      wrong =
          Failure.usage(
              "an argument has characters that this terminal's character set lost: set"
                  + " LC_ALL=C.UTF-8 (`message` also reads a file in UTF-8, by - and < FILE)");
    } else if (json && jsonl) {
      wrong = Failure.usage("give one of --json and --jsonl");
    }
    if (wrong != null) {
      Output.failure(surroundings, json, jsonl, wrong, "");
      return OptionalInt.of(ExitCode.USAGE.number());
    }
    if ((json || jsonl) && (args.contains("--version") || args.contains("-V"))) {
      JsonObject version =
          new JsonObject()
              .put("version", Root.Version.name())
              .put("commit", CodeVersion.commit())
              .put("code_version", Root.Version.code());
      new Output(surroundings, new GlobalOptions())
          .exactly((jsonl ? version.line() : version.pretty()) + "\n");
      return OptionalInt.of(ExitCode.DONE.number());
    }
    return OptionalInt.empty();
  }

  /** Prints the help as text, in the charset of the stream. */
  private static PrintWriter printer(PrintStream to) {
    Writer texts =
        new Writer() {
          @Override
          public void write(char[] text, int from, int length) {
            to.print(new String(text, from, length));
          }

          @Override
          public void flush() {
            to.flush();
          }

          @Override
          public void close() {
            to.flush();
          }
        };
    return new PrintWriter(texts, true);
  }

  private static int usage(
      ParameterException thrown, List<String> args, Surroundings surroundings) {
    StringBuilder hint = new StringBuilder();
    CommandLine line = thrown.getCommandLine();
    String instead = Mistyped.instead(line.getCommandName(), args);
    if (instead != null) {
      hint.append(instead).append('\n');
    } else if (thrown instanceof UnmatchedArgumentException unmatched) {
      hint.append(Mistyped.hint(unmatched));
    }
    hint.append("Help: ").append(line.getCommandSpec().qualifiedName()).append(" --help");
    Output.failure(
        surroundings,
        args.contains("--json"),
        args.contains("--jsonl"),
        Failure.usage(Failures.lowerFirst(withoutSecrets(thrown, args))),
        hint.toString());
    return ExitCode.USAGE.number();
  }

  /** The usage error, without arguments that may be secrets (words, keys, passwords). */
  private static String withoutSecrets(ParameterException thrown, List<String> args) {
    if (thrown instanceof UnmatchedArgumentException unmatched) {
      return unexpected(unmatched);
    }
    String message = Failures.message(thrown);
    for (String arg : args) {
      // An option's name is no secret, but its value may be.
      String value = arg.startsWith("-") ? arg.substring(arg.indexOf('=') + 1) : arg;
      if (!value.equals(arg) || !arg.startsWith("-")) {
        boolean mayBeSecret = value.length() > LONGEST_SHOWN || value.indexOf(' ') >= 0;
        message = mayBeSecret ? message.replace(value, "(not shown)") : message;
      }
    }
    return message;
  }

  private static String unexpected(UnmatchedArgumentException thrown) {
    List<String> arguments = thrown.getUnmatched();
    if (thrown.isUnknownOption() && !arguments.isEmpty()) {
      String option = arguments.get(0);
      int value = option.indexOf('=');
      return "unknown option '" + (value < 0 ? option : option.substring(0, value)) + "'";
    }
    if (Mistyped.expectsCommand(thrown)) {
      return "there is no such command. What was typed is not repeated here: it may be a secret";
    }
    return arguments.size() == 1
        ? "one argument too many. It is not repeated here: it may be a secret"
        : arguments.size() + " arguments too many. They are not repeated here: they may be secret";
  }

  /** The arguments, and the contents of those that name files. */
  private static List<String> given(ParseResult parsed) {
    List<String> texts = new ArrayList<>();
    for (ArgSpec argument : parsed.matchedPositionals()) {
      for (String text : argument.originalStringValues()) {
        texts.add(text);
        Inputs.glance(text).ifPresent(texts::add);
      }
    }
    return texts;
  }

  private static int failed(Exception thrown, CommandLine at, Surroundings surroundings) {
    GlobalOptions options = ((Root) at.getCommandSpec().root().userObject()).options();
    Failure failure =
        Neighbour.explained(Failures.of(thrown, options.unit()), given(at.getParseResult()));
    String hint =
        failure.code() == ExitCode.USAGE
            ? "Help: " + at.getCommandSpec().qualifiedName() + " --help"
            : "";
    Output.failure(surroundings, options.json(), options.jsonl(), failure, hint);
    new Output(surroundings, options).trace(thrown);
    return failure.code().number();
  }
}
