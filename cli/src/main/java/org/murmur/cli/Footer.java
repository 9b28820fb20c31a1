package org.murmur.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.murmur.cli.terminal.Columns;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The text below the options of a command. Its prose is filled; lines that begin with two blanks
 * stay as they are. A blank line precedes it, and its examples.
 */
final class Footer {

  private static final String AS_IS = "  ";
  private static final Pattern EXAMPLES = Pattern.compile("Examples?:");

  /** Some lines: one line of prose, or several that stay as they are. */
  record Part(boolean asIs, List<String> lines) {}

  private Footer() {}

  /** The parts, each a paragraph or a list. An empty list of lines separates paragraphs. */
  static List<Part> parts(CommandSpec spec) {
    List<Part> parts = new ArrayList<>();
    List<String> open = new ArrayList<>();
    boolean asIs = false;
    for (String line : spec.usageMessage().footer()) {
      String text = line.replace("%%", "%");
      boolean now = text.startsWith(AS_IS);
      boolean first = parts.isEmpty() && open.isEmpty();
      boolean apart = first || text.isBlank() || EXAMPLES.matcher(text).matches();
      if (apart || now != asIs) {
        close(parts, open, asIs);
      }
      if (apart) {
        parts.add(new Part(false, List.of()));
      }
      asIs = now;
      if (!text.isBlank()) {
        open.add(text);
      }
    }
    close(parts, open, asIs);
    return parts;
  }

  private static void close(List<Part> parts, List<String> open, boolean asIs) {
    if (!open.isEmpty()) {
      parts.add(new Part(asIs, asIs ? List.copyOf(open) : List.of(String.join(" ", open))));
      open.clear();
    }
  }

  /** The text for a terminal; empty if the command has none. */
  static String text(CommandSpec spec) {
    StringBuilder text = new StringBuilder();
    for (Part part : parts(spec)) {
      if (part.lines().isEmpty()) {
        text.append('\n');
      }
      for (String line : part.lines()) {
        List<String> set = part.asIs() ? List.of(line) : Columns.wrapped(line, "");
        set.forEach(each -> text.append(each).append('\n'));
      }
    }
    return text.toString();
  }
}
