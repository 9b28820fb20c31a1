package org.murmur.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The commands, as the manual page and the completion for fish describe them. */
final class CommandTree {

  private CommandTree() {}

  /** The commands directly below one, each once, by their names without aliases. */
  static Map<String, CommandSpec> below(CommandSpec spec) {
    Map<String, CommandSpec> commands = new LinkedHashMap<>();
    for (CommandLine line : spec.subcommands().values()) {
      commands.put(line.getCommandName(), line.getCommandSpec());
    }
    return commands;
  }

  static List<OptionSpec> ownOptions(CommandSpec spec) {
    return spec.options().stream()
        .filter(option -> !option.inherited() && !option.hidden())
        .toList();
  }

  /** How a parameter stands in a synopsis. */
  static String label(PositionalParamSpec parameter) {
    String label = parameter.paramLabel() + (parameter.arity().max() > 1 ? "…" : "");
    return parameter.required() ? label : "[" + label + "]";
  }

  static String description(CommandSpec spec) {
    return paragraph(spec.usageMessage().description());
  }

  static String description(ArgSpec argument) {
    return paragraph(argument.description());
  }

  /** One paragraph, however its source is split. Percent signs are doubled there, as in formats. */
  private static String paragraph(String[] lines) {
    return String.join(" ", lines).replace("%n", " ").replace("%%", "%");
  }
}
