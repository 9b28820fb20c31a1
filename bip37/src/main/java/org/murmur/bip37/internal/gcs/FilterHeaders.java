package org.murmur.bip37.internal.gcs;

import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;

/**
 * The chain of filter headers (BIP-0157). The header of a block's filter commits to this filter and
 * to all earlier ones. The header before the first block is 32 zero bytes.
 */
public final class FilterHeaders {

  private FilterHeaders() {}

  /** Returns the double SHA-256 of a filter, with its count of elements. */
  public static Hash256 hash(Bytes filter) {
    return DoubleSha256.of(filter);
  }

  /** Returns the header of a filter with this hash. */
  public static Hash256 header(Hash256 filterHash, Hash256 previous) {
    return DoubleSha256.ofPair(filterHash, previous);
  }

  /**
   * Returns the header of the last filter.
   *
   * @param previous the header before the first of them
   * @param filterHashes one for each block, ascending, as in {@code cfheaders}
   */
  public static Hash256 last(Hash256 previous, List<Hash256> filterHashes) {
    Hash256 header = previous;
    for (Hash256 filterHash : filterHashes) {
      header = header(filterHash, header);
    }
    return header;
  }

  /** Returns whether the hashes lead from one header to another. */
  public static boolean join(Hash256 previous, List<Hash256> filterHashes, Hash256 last) {
    return last(previous, filterHashes).equals(last);
  }
}
