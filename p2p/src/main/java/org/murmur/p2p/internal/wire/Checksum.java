package org.murmur.p2p.internal.wire;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.murmur.bip37.bytes.LittleEndian;

/**
 * The checksum of a frame: the first four bytes of the payload's double SHA-256. Reuses one digest
 * for all frames of a connection. Not thread safe.
 */
final class Checksum {

  private static final int DIGEST_LENGTH = 32;

  private final MessageDigest sha256;
  private final byte[] digest = new byte[DIGEST_LENGTH];

  Checksum() {
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  /** Returns the four bytes read little-endian. */
  int of(byte[] bytes, int offset, int length) {
    try {
      sha256.update(bytes, offset, length);
      sha256.digest(digest, 0, DIGEST_LENGTH);
      sha256.update(digest, 0, DIGEST_LENGTH);
      sha256.digest(digest, 0, DIGEST_LENGTH);
    } catch (DigestException e) {
      throw new AssertionError("the buffer holds a digest", e);
    }
    return LittleEndian.int32(digest, 0);
  }
}
