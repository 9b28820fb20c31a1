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
 * HMAC-SHA-256 under a wallet's key. The platform's {@link Mac} and its key keep copies of the key
 * that cannot be wiped (their {@code destroy} is not supported); they live as long as this object.
 * For one thread at a time.
 */
final class KeyedHash {

  private static final String ALGORITHM = "HmacSHA256";

  private final Mac mac;

  /**
   * Takes a key.
   *
   * @throws IllegalArgumentException if it is empty
   */
  KeyedHash(Bytes key) {
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

  /** Elements in an order of their own, each once. */
  static Set<Bytes> sorted(Collection<Bytes> elements) {
    Set<Bytes> sorted = new TreeSet<>(KeyedHash::compare);
    sorted.addAll(elements);
    return sorted;
  }

  /** The hash of a text and of elements after it. */
  byte[] of(String text, Set<Bytes> elements) {
    update(text);
    for (Bytes element : elements) {
      mac.update((byte) element.length());
      mac.update(element.unsafeArray());
    }
    return mac.doFinal();
  }

  /** The hash of a text and of a hash after it. */
  byte[] of(String text, byte[] hash) {
    update(text);
    return mac.doFinal(hash);
  }

  private void update(String text) {
    mac.update(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** The tweak that belongs to a label made by {@link #of(String, Set)}. */
  int tweak(byte[] label) {
    byte[] hash = of("tweak|", label);
    return (hash[0] & 0xff)
        | (hash[1] & 0xff) << 8
        | (hash[2] & 0xff) << 16
        | (hash[3] & 0xff) << 24;
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
}
