package org.murmur.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.murmur.lab.Texts;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The completion script for fish, which picocli has none for. */
final class FishCompletion {

  private static final String NAMES = Texts.file(FishCompletion.class, "wallets.fish");

  private final StringBuilder script = new StringBuilder();

  private FishCompletion() {}

  /** Writes the script of the whole command. */
  static String of(CommandSpec root) {
    FishCompletion made = new FishCompletion();
    made.script.append("# Completion of murmur for fish.\n");
    made.script.append("complete -c murmur -f\n");
    made.script.append(NAMES);
    root.options().stream().filter(option -> !option.hidden()).forEach(o -> made.option("", o));
    made.commands("", root);
    return made.script.toString();
  }

  private void commands(String seen, CommandSpec spec) {
    Map<String, CommandSpec> commands = CommandTree.below(spec);
    if (commands.isEmpty()) {
      return;
    }
    List<String> all = new ArrayList<>();
    commands.values().forEach(command -> all.addAll(command.names()));
    String next = and(seen, "not __fish_seen_subcommand_from " + String.join(" ", all));
    commands.forEach(
        (name, command) -> {
          line(next, " -a " + name, CommandTree.description(command));
          String names = String.join(" ", command.names());
          String here = and(seen, "__fish_seen_subcommand_from " + names);
          CommandTree.ownOptions(command).forEach(option -> option(here, option));
          for (PositionalParamSpec parameter : command.positionalParameters()) {
            if (parameter.completionCandidates() != null) {
              line(here, values(parameter), "");
            }
          }
          commands(here, command);
        });
  }

  private void option(String condition, OptionSpec option) {
    StringBuilder names = new StringBuilder();
    for (String name : option.names()) {
      names.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
    }
    if (option.arity().max() > 0) {
      boolean file = option.paramLabel().contains("FILE") || option.paramLabel().contains("DIR");
      names.append(file ? " -r -F" : " -x").append(values(option));
    }
    line(condition, names.toString(), CommandTree.description(option));
  }

  private static String values(ArgSpec argument) {
    Iterable<String> candidates = argument.completionCandidates();
    return candidates == null ? "" : " -a '" + String.join(" ", candidates) + "'";
  }

  private void line(String condition, String what, String description) {
    script.append("complete -c murmur");
    if (!condition.isEmpty()) {
      script.append(" -n '").append(condition).append('\'');
    }
    script.append(what);
    if (!description.isEmpty()) {
      script.append(" -d '").append(quoted(description)).append('\'');
    }
    script.append('\n');
  }

  private static String and(String seen, String condition) {
    return seen.isEmpty() ? condition : seen + "; and " + condition;
  }

  private static String quoted(String text) {
    return text.replace("\\", "\\\\").replace("'", "\\'");
  }
}
