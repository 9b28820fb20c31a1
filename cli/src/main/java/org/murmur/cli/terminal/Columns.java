package org.murmur.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Text for the width that every terminal has. */
public final class Columns {

  /** Columns of a line. */
  public static final int WIDTH = 80;

  /**
   * Characters of a shortened txid, which the commands accept while only one has this beginning.
   */
  public static final int DIGITS = 12;

  private Columns() {}

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
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(indent);
    for (String word : text.split(" ", -1)) {
      if (line.length() > indent.length() && line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line = new StringBuilder(indent);
      }
      line.append(line.length() > indent.length() ? " " : "").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
