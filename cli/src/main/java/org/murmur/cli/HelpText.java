package org.murmur.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Layout of the help text: description, usage, the command's own options. Global options are only
 * mentioned.
 */
final class HelpText {

  static final List<String> SECTIONS =
      List.of(
          UsageMessageSpec.SECTION_KEY_DESCRIPTION,
          UsageMessageSpec.SECTION_KEY_SYNOPSIS,
          UsageMessageSpec.SECTION_KEY_PARAMETER_LIST,
          UsageMessageSpec.SECTION_KEY_OPTION_LIST,
          UsageMessageSpec.SECTION_KEY_COMMAND_LIST,
          UsageMessageSpec.SECTION_KEY_FOOTER);

  private HelpText() {}

  static void installOn(CommandLine line) {
    line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_SYNOPSIS, HelpText::synopsis);
    line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_PARAMETER_LIST, HelpText::parameters);
    line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpText::options);
    line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, HelpText::commands);
    line.getHelpSectionMap()
        .put(UsageMessageSpec.SECTION_KEY_FOOTER, help -> Footer.text(help.commandSpec()));
    line.getSubcommands().values().forEach(HelpText::installOn);
  }

  private static boolean isRoot(Help help) {
    return help.commandSpec().parent() == null;
  }

  private static String synopsis(Help help) {
    CommandSpec spec = help.commandSpec();
    StringBuilder text = new StringBuilder("\nUsage: murmur [GLOBAL OPTIONS]");
    if (!isRoot(help)) {
      text.append(spec.qualifiedName().substring("murmur".length()));
    }
    if (!spec.subcommands().isEmpty()) {
      text.append(" COMMAND [OPTIONS]");
    } else {
      for (OptionSpec option : CommandTree.ownOptions(spec)) {
        if (option.required()) {
          text.append(' ').append(option.longestName()).append(' ').append(option.paramLabel());
        }
      }
      if (CommandTree.ownOptions(spec).stream().anyMatch(option -> !option.required())) {
        text.append(" [OPTIONS]");
      }
      for (PositionalParamSpec parameter : spec.positionalParameters()) {
        text.append(' ').append(CommandTree.label(parameter));
      }
    }
    return text.append('\n').toString();
  }

  private static String parameters(Help help) {
    String list = help.parameterList();
    return list.isEmpty() ? "" : "\n" + list;
  }

  private static String options(Help help) {
    CommandSpec spec = help.commandSpec();
    if (isRoot(help)) {
      return "\nGlobal options (before or after the command):\n" + list(help, spec.options());
    }
    List<OptionSpec> own = CommandTree.ownOptions(spec);
    return own.isEmpty() ? "" : "\nOptions:\n" + list(help, own);
  }

  /** Joins the description of each option into one paragraph, however its source is split. */
  private static String list(Help help, List<OptionSpec> options) {
    return help.optionListExcludingGroups(
        options.stream()
            .filter(option -> !option.hidden())
            .map(one -> one.toBuilder().description(String.join(" ", one.description())).build())
            .toList());
  }

  private static String commands(Help help) {
    String list = help.commandList();
    return list.isEmpty() ? "" : "\nCommands:\n" + list;
  }
}
