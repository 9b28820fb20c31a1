package org.murmur.cli;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.murmur.lab.Texts;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The manual page, in roff: all commands and options with the words of {@code --help}. */
final class ManPage {

  private static final String FILES_AND_VARIABLES = Texts.file(ManPage.class, "environment.roff");

  private final StringBuilder page = new StringBuilder();

  private ManPage() {}

  static String of(CommandSpec root, String version) {
    ManPage made = new ManPage();
    made.page.append(".TH MURMUR 1 \"\" \"murmur ").append(text(version)).append("\"\n");
    // Names of options and variables are not to be split, and lines not to be stretched.
    made.page.append(".nh\n.ad l\n");
    made.page.append(".SH NAME\nmurmur \\- Bitcoin wallet that syncs over BIP37\n");
    made.page.append(".SH SYNOPSIS\n.B murmur\n[GLOBAL OPTIONS] COMMAND [OPTIONS]\n");
    made.page.append(".SH DESCRIPTION\n").append(text(CommandTree.description(root))).append('\n');
    made.page.append(".SH GLOBAL OPTIONS\nThey stand before or after the command.\n");
    root.options().stream().filter(option -> !option.hidden()).forEach(made::option);
    made.page.append(".SH COMMANDS\n");
    CommandTree.below(root).values().forEach(made::command);
    made.page.append(FILES_AND_VARIABLES);
    made.page.append(".SH EXAMPLES\n");
    made.example(root);
    return made.page.toString();
  }

  private void command(CommandSpec spec) {
    page.append(".SS ").append(text(spec.qualifiedName()));
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      page.append(' ').append(text(CommandTree.label(parameter)));
    }
    page.append('\n').append(text(CommandTree.description(spec))).append('\n');
    if (spec.aliases().length > 0) {
      page.append("Also: ").append(text(String.join(", ", spec.aliases()))).append(".\n");
    }
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      item("\\fI" + text(parameter.paramLabel()) + "\\fR", CommandTree.description(parameter));
    }
    CommandTree.ownOptions(spec).forEach(this::option);
    example(spec);
    CommandTree.below(spec).values().forEach(this::command);
  }

  private void option(OptionSpec option) {
    String names =
        Stream.of(option.names())
            .map(name -> "\\fB" + text(name) + "\\fR")
            .collect(Collectors.joining(", "));
    String value = option.arity().max() == 0 ? "" : " \\fI" + text(option.paramLabel()) + "\\fR";
    item(names + value, CommandTree.description(option));
  }

  private void item(String head, String description) {
    page.append(".TP\n").append(head).append('\n').append(text(description)).append('\n');
  }

  /** The text below the help of a command: paragraphs to be filled, and examples as they are. */
  private void example(CommandSpec spec) {
    for (Footer.Part part : Footer.parts(spec)) {
      if (part.lines().isEmpty()) {
        page.append(".PP\n");
      }
      page.append(part.asIs() ? ".nf\n" : "");
      part.lines().forEach(line -> page.append(text(line)).append('\n'));
      page.append(part.asIs() ? ".fi\n" : "");
    }
  }

  /** Text that roff prints as it is: plain hyphens and quotes, and no line that is a request. */
  private static String text(String plain) {
    String escaped =
        plain
            .replace("\\", "\\e")
            .replace("-", "\\-")
            .replace("'", "\\(aq")
            .replace("`", "\\(ga")
            .replace("^", "\\(ha")
            .replace("~", "\\(ti")
            .replace("\u2026", "...");
    return escaped.startsWith(".") ? "\\&" + escaped : escaped;
  }
}
