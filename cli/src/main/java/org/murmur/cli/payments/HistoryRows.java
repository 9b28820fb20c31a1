package org.murmur.cli.payments;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.murmur.cli.words.Unit;
import org.murmur.wallet.sync.HistoryEntry;

/** The history on a terminal: rows that fit, with shortened txids, addresses and labels. */
final class HistoryRows {

  /** Columns of a row. */
  static final int WIDTH = 100;

  /** Digits of a txid. A command refuses them if two transactions of the wallet begin with them. */
  static final int DIGITS = 12;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final String INDENT = "    ";

  private final int height;
  private final Unit unit;

  /**
   * Makes rows.
   *
   * @param height the wallet's height
   * @param unit the unit of amounts
   */
  HistoryRows(int height, Unit unit) {
    this.height = height;
    this.unit = unit;
  }

  /** The row of an entry, and more if there is something to say about it. */
  List<String> of(HistoryEntry entry) {
    String row =
        String.format(
            Locale.ROOT,
            "%s  %8s %6d conf  %16s  %s",
            TIME.format(entry.time()),
            entry.height().isPresent() ? entry.height().getAsInt() : HistoryCommand.status(entry),
            HistoryCommand.confirmations(entry, height),
            unit.signed(entry.net()),
            entry.txid().toDisplay().substring(0, DIGITS));
    int left = WIDTH - row.length() - 2;
    List<String> rows = new ArrayList<>();
    rows.add((row + "  " + subject(entry, left)).stripTrailing());
    String fate = HistoryCommand.fate(entry);
    if (!fate.isEmpty()) {
      rows.addAll(wrapped(fate));
    }
    return rows;
  }

  /** The label, or who was paid. */
  private static String subject(HistoryEntry entry, int columns) {
    if (!entry.label().isEmpty()) {
      return middleLeftOut(entry.label(), columns);
    }
    boolean paid = !entry.counterparty().isEmpty();
    List<String> addresses = paid ? entry.counterparty() : entry.addresses();
    if (addresses.isEmpty()) {
      return "";
    }
    String word = paid ? "to " : "at ";
    String more = addresses.size() == 1 ? "" : " +" + (addresses.size() - 1);
    int room = columns - word.length() - more.length();
    return word + middleLeftOut(addresses.get(0), room) + more;
  }

  /** A text that fits, with beginning and end: both tell addresses and labels apart. */
  static String middleLeftOut(String text, int columns) {
    if (text.length() <= columns) {
      return text;
    }
    int kept = Math.max(0, columns - 2);
    int end = kept / 2;
    return text.substring(0, kept - end) + ".." + text.substring(text.length() - end);
  }

  private static List<String> wrapped(String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(INDENT);
    for (String word : text.split(" ", -1)) {
      if (line.length() > INDENT.length() && line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line = new StringBuilder(INDENT);
      }
      line.append(line.length() > INDENT.length() ? " " : "").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
