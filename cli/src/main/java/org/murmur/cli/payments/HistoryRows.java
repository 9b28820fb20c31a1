package org.murmur.cli.payments;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.cli.terminal.Columns;
import org.murmur.cli.words.Text;
import org.murmur.cli.words.Unit;
import org.murmur.wallet.sync.HistoryEntry;

/** The history on a terminal: rows that fit, with shortened txids, addresses and labels. */
public record HistoryRows(int height, Unit unit) {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** The row of an entry, and more if there is something to say about it. */
  List<String> of(HistoryEntry entry) {
    String row =
        Text.of(
            "%s  %11s  %15s  %s",
            TIME.format(entry.time()),
            entry.height().isPresent()
                ? HistoryCommand.confirmations(entry, height) + " conf"
                : Text.lower(entry.status()),
            unit.signed(entry.net()),
            shortened(entry.txid()));
    return with(row, entry);
  }

  /** The row of a payment that arrives while the user watches, after a word about it. */
  public static List<String> arriving(String what, HistoryEntry entry, Unit unit) {
    String row =
        Text.of(
            "%-11s  %s  %15s  %s",
            what, TIME.format(entry.time()), unit.signed(entry.net()), shortened(entry.txid()));
    return with(row, entry);
  }

  private static List<String> with(String row, HistoryEntry entry) {
    return Columns.rows(
        row, left -> subject(entry, left), HistoryCommand.fate(entry, Columns.DIGITS));
  }

  /** Commands refuse it if two transactions of the wallet begin with it. */
  static String shortened(Hash256 txid) {
    return txid.toDisplay().substring(0, Columns.DIGITS);
  }

  /** The label, or who was paid. */
  private static String subject(HistoryEntry entry, int columns) {
    if (!entry.label().isEmpty()) {
      return Columns.middleLeftOut(entry.label(), columns);
    }
    boolean paid = !entry.counterparty().isEmpty();
    List<String> addresses = paid ? entry.counterparty() : entry.addresses();
    if (addresses.isEmpty()) {
      return "";
    }
    String word = paid ? "to " : "at ";
    String more = addresses.size() == 1 ? "" : " +" + (addresses.size() - 1);
    int room = columns - word.length() - more.length();
    return word + Columns.middleLeftOut(addresses.get(0), room) + more;
  }
}
