package org.murmur.p2p.scan;

import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.PeerAddress;

/** What comparing the peers' answers about a block shows. */
sealed interface Finding {

  /**
   * A peer left out a transaction that matches the filter as it was sent to it.
   *
   * @param peer who
   * @param height the block's
   * @param txid which
   */
  record Omitted(PeerAddress peer, int height, Hash256 txid) implements Finding {}

  /**
   * A peer left out the spend of a coin although {@code UPDATE_ALL} had its server add the
   * outpoint: the coin was paid in a block that it served before under the same load.
   *
   * @param peer who
   * @param height the block's
   * @param txid of the spend
   */
  record NotAdded(PeerAddress peer, int height, Hash256 txid) implements Finding {}

  /**
   * What a peer served in an earlier session cannot have been all. What it sent then is not known
   * any more, so nobody is blamed; what it said is asked for again.
   *
   * @param peer who
   */
  record Contradicted(PeerAddress peer) implements Finding {}
}
