package org.murmur.bip37.bytes;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * SHA-256 of SHA-256, the hash of blocks, transactions and Merkle nodes.
 *
 * <p>An instance reuses a digest and a scratch buffer, so that hashing allocates the result only.
 * Not thread safe.
 */
public final class DoubleSha256 {

  private static final ThreadLocal<DoubleSha256> LOCAL = ThreadLocal.withInitial(DoubleSha256::new);

  private final MessageDigest sha256;
  private final byte[] scratch = new byte[2 * Hash256.LENGTH];

  /** Makes a hasher for the calling thread. */
  public DoubleSha256() {
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  /**
   * Hashes part of an array with the calling thread's hasher.
   *
   * @param data the array
   * @param offset index of the first byte
   * @param length number of bytes
   * @return the hash
   */
  public static Hash256 of(byte[] data, int offset, int length) {
    return LOCAL.get().hash(data, offset, length);
  }

  /**
   * Hashes a byte string with the calling thread's hasher.
   *
   * @param data what to hash
   * @return the hash
   */
  public static Hash256 of(Bytes data) {
    return of(data.unsafeArray(), 0, data.length());
  }

  /**
   * Hashes two concatenated hashes with the calling thread's hasher: the parent of two Merkle
   * nodes.
   *
   * @param left the left child
   * @param right the right child
   * @return the parent
   */
  public static Hash256 ofPair(Hash256 left, Hash256 right) {
    return LOCAL.get().parent(left, right);
  }

  /**
   * Hashes part of an array.
   *
   * @param data the array
   * @param offset index of the first byte
   * @param length number of bytes
   * @return the hash
   */
  public Hash256 hash(byte[] data, int offset, int length) {
    sha256.update(data, offset, length);
    return finish();
  }

  /**
   * Hashes two concatenated hashes: the parent of two Merkle nodes.
   *
   * @param left the left child
   * @param right the right child
   * @return the parent
   */
  public Hash256 parent(Hash256 left, Hash256 right) {
    left.write(scratch, 0);
    right.write(scratch, Hash256.LENGTH);
    sha256.update(scratch, 0, 2 * Hash256.LENGTH);
    return finish();
  }

  /**
   * Hashes part of an array into another one, for loops that must not allocate.
   *
   * @param data the array
   * @param offset index of the first byte
   * @param length number of bytes
   * @param target where the 32 bytes go, in internal order
   * @param targetOffset index of the first byte written
   */
  public void hash(byte[] data, int offset, int length, byte[] target, int targetOffset) {
    sha256.update(data, offset, length);
    finish(target, targetOffset);
  }

  private Hash256 finish() {
    finish(scratch, 0);
    return Hash256.read(scratch, 0);
  }

  private void finish(byte[] target, int offset) {
    try {
      sha256.digest(target, offset, Hash256.LENGTH);
      sha256.update(target, offset, Hash256.LENGTH);
      sha256.digest(target, offset, Hash256.LENGTH);
    } catch (DigestException e) {
      throw new IndexOutOfBoundsException(
          "a digest of 32 bytes at " + offset + " of " + target.length);
    }
  }
}
