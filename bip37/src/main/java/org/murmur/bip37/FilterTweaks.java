package org.murmur.bip37;

import java.util.Collection;
import org.murmur.bip37.bytes.Bytes;

/**
 * The tweaks of filters that are made for one peer each. The same elements in a filter of the same
 * size get the same tweak at the same peer, also after a restart: a filter that comes again reveals
 * nothing new. Another peer, other elements or another size get another tweak.
 *
 * <p>A tweak is HMAC-SHA-256 of the wallet's key over all of these. Pure and for one thread at a
 * time.
 */
public final class FilterTweaks {

  private final KeyedHash hash;

  /**
   * Makes one for a wallet.
   *
   * @param key a secret of this wallet that stays the same
   * @throws IllegalArgumentException if it is empty
   */
  public FilterTweaks(Bytes key) {
    hash = new KeyedHash(key);
  }

  /**
   * Returns the tweak of a filter.
   *
   * @param peer the peer's address, in the same spelling each time
   * @param bytes the filter's size
   * @param elements what the filter holds, in any order; duplicates count once
   * @return 32 bits, the same for the same arguments
   */
  public int tweak(String peer, int bytes, Collection<Bytes> elements) {
    String label = "peer|" + peer + "|" + bytes + "|";
    return hash.tweak(hash.of(label, KeyedHash.sorted(elements)));
  }

  /** Reveals nothing about the key. */
  @Override
  public String toString() {
    return "FilterTweaks";
  }
}
