package org.murmur.p2p.sync;

import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.UpdateFlag;

/**
 * One {@code filterload} on one connection. Loads die with the connection or with the next load on
 * it, but what was scanned under them stays known.
 *
 * @param id unique in the wallet's life
 * @param peer who was sent it
 * @param elements how many elements of the log, from its beginning, the filter holds, those that
 *     {@code filteradd} brought later included
 * @param filter as it was sent, and then added to; not what the server added of its own accord
 * @param time when, seconds since 1970
 */
public record Load(long id, PeerAddress peer, int elements, BloomFilter filter, long time) {

  /** Whether the server adds outpoints of its own accord. */
  boolean adds() {
    return filter.parameters().flag() == UpdateFlag.ALL;
  }
}
