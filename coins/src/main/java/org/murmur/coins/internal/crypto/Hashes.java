package org.murmur.coins.internal.crypto;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.bouncycastle.crypto.digests.RIPEMD160Digest;

/** The hashes that keys and scripts need. */
public final class Hashes {

  private static final int RIPEMD160_LENGTH = 20;

  private Hashes() {}

  static MessageDigest digest(String name) {
    try {
      return MessageDigest.getInstance(name);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java and Android platform has " + name, e);
    }
  }

  /** Returns SHA-256. */
  public static byte[] sha256(byte[] data) {
    return digest("SHA-256").digest(data);
  }

  /** Returns RIPEMD-160 of SHA-256, 20 bytes. */
  public static byte[] hash160(byte[] data) {
    byte[] sha256 = sha256(data);
    RIPEMD160Digest ripemd160 = new RIPEMD160Digest();
    ripemd160.update(sha256, 0, sha256.length);
    byte[] hash = new byte[RIPEMD160_LENGTH];
    ripemd160.doFinal(hash, 0);
    return hash;
  }

  /** Returns SHA-256 with the tag's hash written twice before the data (BIP-0340). */
  public static byte[] tagged(String tag, byte[] data) {
    byte[] tagHash = sha256(tag.getBytes(StandardCharsets.US_ASCII));
    MessageDigest sha256 = digest("SHA-256");
    sha256.update(tagHash);
    sha256.update(tagHash);
    return sha256.digest(data);
  }
}
