package org.murmur.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.murmur.cli.words.Text;

/** Text for the width that every terminal has. */
public final class Columns {

  private static final String INDENT = "    ";

  public static final int WIDTH = 80;

  /**
   * Characters of a shortened txid, which the commands accept while only one has this beginning.
   */
  public static final int DIGITS = 12;

  /** A column of a table: its heading, its place in a line (a format of a text), what it shows. */
  public record Column<T>(String heading, String format, Function<? super T, ?> value) {}

  private Columns() {}

  /** Returns the line above the rows of a table. */
  public static <T> String heading(List<Column<T>> table) {
    return line(table, Column::heading);
  }

  /** Returns a row of a table, without the blanks at its end. */
  public static <T> String row(List<Column<T>> table, T of) {
    return line(table, column -> column.value().apply(of)).stripTrailing();
  }

  private static <T> String line(List<Column<T>> table, Function<Column<T>, Object> cell) {
    return table.stream()
        .map(column -> Text.of(column.format(), cell.apply(column)))
        .collect(Collectors.joining());
  }

  /** Returns a row with what fits behind it, and below it notes, if there are any. */
  public static List<String> rows(String row, IntFunction<String> rest, String notes) {
    List<String> rows = new ArrayList<>();
    rows.add((row + "  " + rest.apply(WIDTH - row.length() - 2)).stripTrailing());
    if (!notes.isEmpty()) {
      rows.addAll(wrapped(notes, INDENT));
    }
    return rows;
  }

  /**
   * Shortens a text that does not fit. Its beginning and its end stay: both tell addresses and
   * labels apart.
   */
  public static String middleLeftOut(String text, int columns) {
    if (text.length() <= columns) {
      return text;
    }
    int kept = Math.max(0, columns - 2);
    int end = kept / 2;
    return text.substring(0, kept - end) + ".." + text.substring(text.length() - end);
  }

  /** Breaks a text at its blanks. A word that is longer than a line gets its own. */
  public static List<String> wrapped(String text, String indent) {
    return wrapped(text, indent, WIDTH);
  }

  /** Breaks a text as {@link #wrapped(String, String)}, to lines of another width. */
  public static List<String> wrapped(String text, String indent, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(indent);
    for (String word : text.split(" ", -1)) {
      if (line.length() > indent.length() && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line = new StringBuilder(indent);
      }
      line.append(line.length() > indent.length() ? " " : "").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
