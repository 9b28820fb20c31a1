package org.murmur.bip37;

import java.util.Collection;
import java.util.Set;
import org.murmur.bip37.bytes.Bytes;

/**
 * Makes the filters of frozen epochs. The same elements give the same bytes, also after a restart
 * or a restore from the words; other elements give another tweak and other dummies.
 *
 * <p>Tweak and dummies are HMAC-SHA-256 of the wallet's key over a label with role, epoch, class
 * and contents. Without the key, an observer cannot distinguish a dummy from another wallet's
 * element. The flag is always {@link UpdateFlag#NONE}, so the server-side filter never changes.
 *
 * <p>The platform keeps copies of the wallet's key that cannot be wiped; they live as long as this
 * object, a session. The key identifies the wallet's elements, and cannot spend.
 *
 * <p>Pure and for one thread at a time.
 */
public final class EpochFilters {

  private final KeyedHash hash;

  /**
   * Makes one for a wallet.
   *
   * @param key a value of this wallet that a restore reproduces: the text of the first account's
   *     extended public key; random bytes for wallets of single addresses
   * @throws IllegalArgumentException if it is empty
   */
  public EpochFilters(Bytes key) {
    hash = new KeyedHash(key);
  }

  /**
   * Makes the filter of an epoch: its elements, filled with dummies to the exact size of the class.
   *
   * @param role the role of the filter
   * @param epoch its number, from 0
   * @param elements the wallet's elements, in any order; duplicates count once
   * @param size the class, which must hold them
   * @return the same for the same arguments
   * @throws IllegalArgumentException if the class is too small
   */
  public BloomFilter filter(
      FilterRole role, int epoch, Collection<Bytes> elements, SizeClass size) {
    Set<Bytes> own = KeyedHash.sorted(elements);
    if (own.size() > size.elements()) {
      throw new IllegalArgumentException(
          own.size() + " elements, expected at most " + size.elements());
    }
    byte[] label = label(role, epoch, own, size);
    BloomFilter.Builder filter = BloomFilter.builder(size.parameters(hash.tweak(label)));
    own.forEach(filter::add);
    for (int i = own.size(); i < size.elements(); i++) {
      byte[] dummy = dummy(label, i);
      filter.add(dummy, 0, dummy.length);
    }
    return filter.build();
  }

  /** A label that is unique among the wallet's filters; secret like the key. */
  private byte[] label(FilterRole role, int epoch, Set<Bytes> own, SizeClass size) {
    return hash.of("bip37|" + role.title() + "|" + epoch + "|" + size.elements() + "|", own);
  }

  private byte[] dummy(byte[] label, int number) {
    return hash.of("dummy|" + number + "|", label);
  }

  /** Reveals nothing about the key. */
  @Override
  public String toString() {
    return "EpochFilters";
  }
}
