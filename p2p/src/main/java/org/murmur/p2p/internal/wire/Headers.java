package org.murmur.p2p.internal.wire;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.LittleEndian;

/**
 * A run of block headers in one buffer with a view, not two thousand objects.
 *
 * <pre>
 * header (80 bytes, all integers little-endian):
 *   version 4 | previous block 32 | Merkle root 32 | time 4 | bits 4 | nonce 4
 * </pre>
 *
 * <p>On the wire a header is followed by a transaction count, always zero; in storage it is not.
 * The {@code stride} is the distance from one header to the next: 81 or 80 bytes. Immutable.
 *
 * <p>Hashing dominates the cost of checking headers, so it is done once: {@link #linkage} caches
 * its result and may be called early, on any thread.
 */
public final class Headers {

  /** Bytes of one header. */
  public static final int HEADER_LENGTH = 80;

  /** The most headers one message may carry (Core's MAX_HEADERS_RESULTS). */
  public static final int MAX_PER_MESSAGE = 2000;

  public static final Headers NONE = new Headers(new byte[0], 0, HEADER_LENGTH, 0);

  private final byte[] buffer;
  private final int offset;
  private final int stride;
  private final int count;
  private @Nullable Linkage linkage; // computed when first asked for; a race computes it twice

  /**
   * How many headers are linked.
   *
   * @param links number of headers from the first on that are linked to their predecessor, counting
   *     the first; all of them if the batch is valid
   * @param last the hash of the last one of these
   */
  public record Linkage(int links, Hash256 last) {}

  private Headers(byte[] buffer, int offset, int stride, int count) {
    this.buffer = buffer;
    this.offset = offset;
    this.stride = stride;
    this.count = count;
  }

  /**
   * Views consecutive headers without gaps.
   *
   * @throws IllegalArgumentException if the length is no multiple of 80
   */
  public static Headers ofStored(Bytes headers) {
    if (headers.length() % HEADER_LENGTH != 0) {
      throw new IllegalArgumentException(
          "headers of " + headers.length() + " bytes, expected a multiple of 80");
    }
    return new Headers(headers.unsafeArray(), 0, HEADER_LENGTH, headers.length() / HEADER_LENGTH);
  }

  /**
   * Views headers inside a buffer without a copy. The buffer must not change any more.
   *
   * @param stride bytes from one header to the next, 80 or 81
   */
  public static Headers view(byte[] buffer, int offset, int stride, int count) {
    if (count > 0) {
      Objects.checkFromIndexSize(offset, (count - 1) * stride + HEADER_LENGTH, buffer.length);
    }
    return new Headers(buffer, offset, stride, count);
  }

  /** {@return how many there are, 0 or more} */
  public int count() {
    return count;
  }

  /** {@return whether there are none; true if the count is 0} */
  public boolean isEmpty() {
    return count == 0;
  }

  /** Copies one header. */
  public Bytes header(int index) {
    int at = at(index);
    return Bytes.of(buffer, at, at + HEADER_LENGTH);
  }

  /** Copies one header into an array. */
  public void copy(int index, byte[] target, int targetOffset) {
    System.arraycopy(buffer, at(index), target, targetOffset, HEADER_LENGTH);
  }

  /**
   * Copies a run of headers into an array, one behind the other.
   *
   * @param to index behind the last
   */
  public void copy(int from, int to, byte[] target, int targetOffset) {
    Objects.checkFromToIndex(from, to, count);
    if (stride == HEADER_LENGTH) {
      System.arraycopy(
          buffer, offset + from * stride, target, targetOffset, (to - from) * HEADER_LENGTH);
      return;
    }
    for (int i = from; i < to; i++) {
      copy(i, target, targetOffset + (i - from) * HEADER_LENGTH);
    }
  }

  public Hash256 hash(int index) {
    return DoubleSha256.of(buffer, at(index), HEADER_LENGTH);
  }

  /**
   * Hashes all headers once and compares each hash with the previous hash of the next header. The
   * hash of every linked header except the last is then the next one's {@link #previous}.
   */
  public Linkage linkage() {
    Linkage known = linkage;
    if (known == null) {
      known = link();
      linkage = known;
    }
    return known;
  }

  private Linkage link() {
    if (count == 0) {
      throw new IllegalStateException("no headers, expected at least one");
    }
    DoubleSha256 sha = new DoubleSha256();
    byte[] hash = new byte[Hash256.LENGTH];
    int at = offset;
    for (int i = 1; i < count; i++) {
      sha.hash(buffer, at, HEADER_LENGTH, hash, 0);
      at += stride;
      if (!isPrevious(at, hash)) {
        return new Linkage(i, Hash256.ofInternal(hash));
      }
    }
    sha.hash(buffer, at, HEADER_LENGTH, hash, 0);
    return new Linkage(count, Hash256.ofInternal(hash));
  }

  private boolean isPrevious(int at, byte[] hash) {
    for (int i = 0; i < hash.length; i++) {
      if (buffer[at + 4 + i] != hash[i]) {
        return false;
      }
    }
    return true;
  }

  /** Returns the hash of the block before. */
  public Hash256 previous(int index) {
    return Hash256.read(buffer, at(index) + 4);
  }

  public Hash256 merkleRoot(int index) {
    return Hash256.read(buffer, at(index) + 36);
  }

  /**
   * Returns the block's time.
   *
   * @return seconds since 1970, unsigned 32 bits
   */
  public long time(int index) {
    return Integer.toUnsignedLong(LittleEndian.int32(buffer, at(index) + 68));
  }

  /** Returns the target in its compact form. */
  public int bits(int index) {
    return LittleEndian.int32(buffer, at(index) + 72);
  }

  /**
   * Returns a part as a view on the same buffer.
   *
   * @param to behind the last header
   */
  public Headers slice(int from, int to) {
    Objects.checkFromToIndex(from, to, count);
    return new Headers(buffer, offset + from * stride, stride, to - from);
  }

  /** {@return the headers without gaps, a copy, 80 bytes a header} */
  public Bytes toStored() {
    byte[] bytes = new byte[count * HEADER_LENGTH];
    copy(0, count, bytes, 0);
    return Bytes.wrap(bytes);
  }

  private int at(int index) {
    Objects.checkIndex(index, count);
    return offset + index * stride;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Headers h && count == h.count && toStored().equals(h.toStored());
  }

  @Override
  public int hashCode() {
    return toStored().hashCode();
  }

  /** The count and the hash of the first header. */
  @Override
  public String toString() {
    return count == 0 ? "no headers" : count + " headers from " + hash(0);
  }
}
