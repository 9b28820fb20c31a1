package org.murmur.p2p.internal.cover;

import java.util.Map;

/**
 * Consecutive blocks of the active chain that a peer served under one view with one content,
 * requested in ascending order. A view that grows opens a new row.
 *
 * @param id unique in the wallet's life; within a view, a higher id was requested later
 * @param elements how many elements of the log the view had at the request; it may have more now
 * @param to the last height, grows as blocks come
 * @param time when its first block came, seconds since 1970
 */
public record ScanRow(long id, long view, int elements, int from, int to, long time) {

  /**
   * Removes blocks above a height from rows.
   *
   * @param rows by id, changed in place
   */
  public static void cutAbove(Map<Long, ScanRow> rows, int height) {
    rows.values().removeIf(row -> row.from > height);
    rows.replaceAll((id, row) -> row.to <= height ? row : row.endingAt(height));
  }

  /** {@return the same row with its last block at a lower height} */
  public ScanRow endingAt(int height) {
    return new ScanRow(id, view, elements, from, height, time);
  }
}
