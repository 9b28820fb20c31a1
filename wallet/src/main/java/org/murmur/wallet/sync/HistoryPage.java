package org.murmur.wallet.sync;

import java.util.List;

/**
 * A part of the history.
 *
 * @param entries its transactions, oldest first
 * @param older whether there are earlier listed ones
 * @param height of the last header when the page was read; a transaction in block h has {@code
 *     height - h + 1} confirmations
 * @param hidden how many of the whole history are not listed because they were replaced or dropped
 */
public record HistoryPage(List<HistoryEntry> entries, boolean older, int height, int hidden) {

  /** Copies the list. */
  public HistoryPage {
    entries = List.copyOf(entries);
  }
}
