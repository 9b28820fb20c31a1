package org.murmur.bip37;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.murmur.bip37.bytes.Bytes;

/**
 * Makes the filters of frozen epochs. The same elements give the same bytes, also after a restart
 * or a restore from the words; other elements give another tweak and other dummies.
 *
 * <p>Tweak and dummies are HMAC-SHA-256 of the wallet's key over a label with role, epoch, class
 * and contents. Without the key, an observer cannot distinguish a dummy from another wallet's
 * element. The flag is always {@link UpdateFlag#NONE}, so the server-side filter never changes.
 *
 * <p>The platform's {@link Mac} and its key keep copies of the wallet's key that cannot be wiped
 * (their {@code destroy} is not supported); they live as long as this object, a session. The key
 * identifies the wallet's elements, and cannot spend.
 *
 * <p>Pure and for one thread at a time.
 */
public final class EpochFilters {

  private static final String ALGORITHM = "HmacSHA256";

  private final Mac mac;

  /**
   * Makes one for a wallet.
   *
   * @param key a value of this wallet that a restore reproduces: the text of the first account's
   *     extended public key; random bytes for wallets of single addresses
   * @throws IllegalArgumentException if it is empty
   */
  public EpochFilters(Bytes key) {
    if (key.isEmpty()) {
      throw new IllegalArgumentException("empty key");
    }
    byte[] secret = key.toArray();
    try {
      mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
    } catch (InvalidKeyException e) {
      throw new IllegalArgumentException("not a key", e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    } finally {
      Arrays.fill(secret, (byte) 0);
    }
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
    Set<Bytes> own = new TreeSet<>(EpochFilters::compare);
    own.addAll(elements);
    if (own.size() > size.elements()) {
      throw new IllegalArgumentException(
          own.size() + " elements, expected at most " + size.elements());
    }
    byte[] label = label(role, epoch, own, size);
    BloomFilter.Builder filter = BloomFilter.builder(size.parameters(tweak(label)));
    own.forEach(filter::add);
    for (int i = own.size(); i < size.elements(); i++) {
      byte[] dummy = dummy(label, i);
      filter.add(dummy, 0, dummy.length);
    }
    return filter.build();
  }

  /** A label that is unique among the wallet's filters; secret like the key. */
  private byte[] label(FilterRole role, int epoch, Set<Bytes> own, SizeClass size) {
    mac.update(text("bip37|" + role.title() + "|" + epoch + "|" + size.elements() + "|"));
    for (Bytes element : own) {
      mac.update((byte) element.length());
      mac.update(element.unsafeArray());
    }
    return mac.doFinal();
  }

  private int tweak(byte[] label) {
    mac.update(text("tweak|"));
    byte[] hash = mac.doFinal(label);
    return (hash[0] & 0xff)
        | (hash[1] & 0xff) << 8
        | (hash[2] & 0xff) << 16
        | (hash[3] & 0xff) << 24;
  }

  private byte[] dummy(byte[] label, int number) {
    mac.update(text("dummy|" + number + "|"));
    return mac.doFinal(label);
  }

  private static byte[] text(String words) {
    return words.getBytes(StandardCharsets.US_ASCII);
  }

  private static int compare(Bytes a, Bytes b) {
    int common = Math.min(a.length(), b.length());
    for (int i = 0; i < common; i++) {
      int order = Integer.compare(a.at(i) & 0xff, b.at(i) & 0xff);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(a.length(), b.length());
  }

  /** Reveals nothing about the key. */
  @Override
  public String toString() {
    return "EpochFilters";
  }
}
