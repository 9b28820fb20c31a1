package org.murmur.wallet.sync;

import java.util.List;

/**
 * A part of the history.
 *
 * @param entries its transactions, oldest first
 * @param older whether there are earlier listed ones
 * @param hidden how many of the whole history are not listed because they were replaced or dropped
 */
public record HistoryPage(List<HistoryEntry> entries, boolean older, int hidden) {

  /** Copies the list. */
  public HistoryPage {
    entries = List.copyOf(entries);
  }
}
