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
 * Makes the filters of frozen epochs: the same elements give the same bytes, today, after a restart
 * and after a restore from the words; other elements give another tweak and other dummies.
 *
 * <p>Tweak and dummies are HMAC-SHA-256 of the wallet's key over a label that names role, epoch,
 * class and contents. An observer who does not have the key cannot tell a dummy from the element of
 * somebody else. Flag {@link UpdateFlag#NONE} always, so the server's copy stays what it was.
 *
 * <p>The platform's {@link Mac} and its key keep copies of the wallet's key that cannot be wiped
 * (their {@code destroy} is not supported); they live as long as this object, a session. The key
 * tells which elements are the wallet's, and spends nothing.
 *
 * <p>Pure and for one thread at a time.
 */
public final class EpochFilters {

  private static final String ALGORITHM = "HmacSHA256";

  private final Mac mac;

  /**
   * Makes one for a wallet.
   *
   * @param key what is the wallet's alone and comes back with a restore: the text of the first
   *     account's extended public key; or random bytes, for addresses
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
   * Makes the filter of an epoch: its elements, and dummies up to exactly what the class holds.
   *
   * @param role what the filter is for
   * @param epoch which, from 0
   * @param elements the wallet's, in any order; one that occurs twice counts once
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

  /** What tells this filter from every other one of the wallet's; secret like the key. */
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

  /** Says nothing of the key. */
  @Override
  public String toString() {
    return "EpochFilters";
  }
}
