package org.murmur.p2p.chain;

import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.LittleEndian;

/**
 * One block header as a value: its 80 bytes.
 *
 * <pre>
 * all integers little-endian:
 *   version 4 | previous block 32 | Merkle root 32 | time 4 | bits 4 | nonce 4
 * </pre>
 *
 * <p>For single headers; batches stay in one buffer, see {@link
 * org.murmur.p2p.internal.wire.Headers}. The proof of work is not checked here. Immutable.
 */
public final class BlockHeader {

  /** Bytes of a header. */
  public static final int LENGTH = 80;

  /** Offset of the previous hash, in bytes. */
  public static final int PREVIOUS = 4;

  /** Offset of the Merkle root, in bytes. */
  public static final int MERKLE_ROOT = 36;

  /** Offset of the time, in bytes. */
  public static final int TIME = 68;

  /** Offset of the target, in bytes. */
  public static final int BITS = 72;

  /** Offset of the nonce, in bytes. */
  public static final int NONCE = 76;

  private final Bytes bytes;
  private @Nullable Hash256 hash; // computed when first asked for; a race computes it twice

  private BlockHeader(Bytes bytes) {
    this.bytes = bytes;
  }

  /**
   * Makes a header from its bytes.
   *
   * @param bytes 80 bytes
   * @return the header
   * @throws IllegalArgumentException if the length is not 80
   */
  public static BlockHeader of(Bytes bytes) {
    if (bytes.length() != LENGTH) {
      throw new IllegalArgumentException("header of " + bytes.length() + " bytes, expected 80");
    }
    return new BlockHeader(bytes);
  }

  /**
   * Makes a header from its fields.
   *
   * @param version the version
   * @param previous the hash of the block before
   * @param merkleRoot the root of the transactions' tree
   * @param time seconds since 1970, 0 to 2^32-1
   * @param bits the target in its compact form
   * @param nonce any 32 bits
   * @return the header
   */
  public static BlockHeader of(
      int version, Hash256 previous, Hash256 merkleRoot, long time, int bits, int nonce) {
    return new BlockHeader(
        new ByteWriter(LENGTH)
            .int32(version)
            .hash(previous)
            .hash(merkleRoot)
            .int32((int) time)
            .int32(bits)
            .int32(nonce)
            .toBytes());
  }

  /** {@return the serialised header, 80 bytes} */
  public Bytes bytes() {
    return bytes;
  }

  /** {@return the block hash: SHA-256 of SHA-256 of the 80 bytes} */
  public Hash256 hash() {
    Hash256 known = hash;
    if (known == null) {
      known = DoubleSha256.of(bytes);
      hash = known;
    }
    return known;
  }

  /** {@return the version, 32 bits, signed} */
  public int version() {
    return LittleEndian.int32(bytes.unsafeArray(), 0);
  }

  /** {@return the hash of the block before, zero for a genesis block} */
  public Hash256 previous() {
    return Hash256.read(bytes.unsafeArray(), PREVIOUS);
  }

  /** {@return the root of the transactions' Merkle tree} */
  public Hash256 merkleRoot() {
    return Hash256.read(bytes.unsafeArray(), MERKLE_ROOT);
  }

  /** {@return the block's time, seconds since 1970, 0 to 2^32-1} */
  public long time() {
    return Integer.toUnsignedLong(LittleEndian.int32(bytes.unsafeArray(), TIME));
  }

  /** {@return the target in its compact form, nBits} */
  public int bits() {
    return LittleEndian.int32(bytes.unsafeArray(), BITS);
  }

  /** {@return the nonce, 32 bits} */
  public int nonce() {
    return LittleEndian.int32(bytes.unsafeArray(), NONCE);
  }

  /**
   * {@return whether the hash reaches the header's own target; true if the target is valid and the
   * hash is at most the target} Whether that target is correct depends on the chain.
   */
  public boolean reachesItsTarget() {
    Target target = Target.decode(bits());
    return target != null && target.isReachedBy(hash());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BlockHeader h && bytes.equals(h.bytes);
  }

  @Override
  public int hashCode() {
    return bytes.hashCode();
  }

  /** The hash in display order. */
  @Override
  public String toString() {
    return hash().toDisplay();
  }
}
