package org.murmur.bip37.internal;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * HMAC under one key (RFC 2104). The two padded key blocks are hashed once and the states cloned,
 * which halves the work of a long derivation; the platform's Mac has no such way and is slower to
 * load.
 *
 * <p>The states know the key: {@link #wipe} when it is a secret. The state that a digest keeps
 * while it works it overwrites itself when it is done.
 */
public final class Hmac {

  private final MessageDigest inner;
  private final MessageDigest outer;

  private Hmac(String digest, int length, byte[] key) {
    inner = digest(digest);
    outer = digest(digest);
    byte[] block = Arrays.copyOf(key.length > length ? inner.digest(key) : key, length);
    for (int i = 0; i < length; i++) {
      block[i] ^= 0x36;
    }
    inner.update(block);
    for (int i = 0; i < length; i++) {
      block[i] ^= 0x36 ^ 0x5c;
    }
    outer.update(block);
    Arrays.fill(block, (byte) 0);
  }

  /** HMAC-SHA-256. Hashes the padded key, and does not keep it. */
  public static Hmac sha256(byte[] key) {
    return new Hmac("SHA-256", 64, key);
  }

  /** HMAC-SHA-512. Hashes the padded key, and does not keep it. */
  public static Hmac sha512(byte[] key) {
    return new Hmac("SHA-512", 128, key);
  }

  private static MessageDigest digest(String name) {
    try {
      return MessageDigest.getInstance(name);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java and Android platform has " + name, e);
    }
  }

  /** Returns the code of some bytes, 32 or 64 bytes. */
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
      throw new AssertionError("digests of Java and Android can be cloned", e);
    }
  }
}
