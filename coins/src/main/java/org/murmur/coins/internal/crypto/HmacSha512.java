package org.murmur.coins.internal.crypto;

import java.security.MessageDigest;
import java.util.Arrays;

/**
 * HMAC-SHA512 under one key (RFC 2104). The two padded key blocks are hashed once and the states
 * cloned, which halves the work of a long derivation; the platform's Mac has no such way and is
 * slower to load.
 *
 * <p>The states know the key: {@link #wipe} when it is a secret. The state that a digest keeps
 * while it works it overwrites itself when it is done.
 */
public final class HmacSha512 {

  private static final int BLOCK = 128;

  private final MessageDigest inner = Hashes.digest("SHA-512");
  private final MessageDigest outer = Hashes.digest("SHA-512");

  /** Hashes the padded key, and does not keep it. */
  public HmacSha512(byte[] key) {
    byte[] block = Arrays.copyOf(key.length > BLOCK ? inner.digest(key) : key, BLOCK);
    for (int i = 0; i < BLOCK; i++) {
      block[i] ^= 0x36;
    }
    inner.update(block);
    for (int i = 0; i < BLOCK; i++) {
      block[i] ^= 0x36 ^ 0x5c;
    }
    outer.update(block);
    Arrays.fill(block, (byte) 0);
  }

  /** Returns a code of 64 bytes. */
  public byte[] mac(byte[] data) {
    byte[] hash = copy(inner).digest(data);
    byte[] mac = copy(outer).digest(hash);
    Arrays.fill(hash, (byte) 0);
    return mac;
  }

  /** Forgets the key, as far as the platform's digest does when it is reset; of no use after. */
  public void wipe() {
    inner.reset();
    outer.reset();
  }

  private static MessageDigest copy(MessageDigest state) {
    try {
      return (MessageDigest) state.clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError("SHA-512 of Java and Android can be cloned", e);
    }
  }
}
