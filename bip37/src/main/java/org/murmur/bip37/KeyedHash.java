package org.murmur.bip37;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.internal.Hmac;

/** HMAC-SHA-256 under a wallet's key. For one thread at a time. */
final class KeyedHash {

  private final Hmac hmac;

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
    hmac = Hmac.sha256(secret);
    Arrays.fill(secret, (byte) 0);
  }

  /** Elements in an order of their own, each once. */
  static Set<Bytes> sorted(Collection<Bytes> elements) {
    Set<Bytes> sorted = new TreeSet<>(KeyedHash::compare);
    sorted.addAll(elements);
    return sorted;
  }

  /** The hash of a text and of elements after it. */
  byte[] of(String text, Set<Bytes> elements) {
    ByteWriter data = text(text);
    elements.forEach(element -> data.uint8(element.length() & 0xff).bytes(element));
    return hmac.mac(data.toArray());
  }

  /** The hash of a text and of a hash after it. */
  byte[] of(String text, byte[] hash) {
    return hmac.mac(text(text).bytes(Bytes.wrap(hash)).toArray());
  }

  private static ByteWriter text(String text) {
    return new ByteWriter().bytes(Bytes.wrap(text.getBytes(StandardCharsets.US_ASCII)));
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
