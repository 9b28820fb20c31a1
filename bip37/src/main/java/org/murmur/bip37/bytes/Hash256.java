package org.murmur.bip37.bytes;

/**
 * A 256-bit hash (block hash, txid, Merkle node) as a value.
 *
 * <p>Held as four 64-bit words, not as an array: no aliasing, no defensive copies. The
 * <em>internal</em> order is the order of the digest's bytes, which is what goes over the wire and
 * into Merkle trees; the <em>display</em> order is the reverse, which is what block explorers
 * print. Immutable.
 */
public final class Hash256 implements Comparable<Hash256> {

  /** Number of bytes of a hash. */
  public static final int LENGTH = 32;

  /** Thirty-two zero bytes: the "previous block" of a genesis block, the outpoint of a coinbase. */
  public static final Hash256 ZERO = new Hash256(0, 0, 0, 0);

  // Words in internal order, each read little-endian: w0 holds bytes 0..7.
  private final long w0;
  private final long w1;
  private final long w2;
  private final long w3;

  private Hash256(long w0, long w1, long w2, long w3) {
    this.w0 = w0;
    this.w1 = w1;
    this.w2 = w2;
    this.w3 = w3;
  }

  /**
   * Reads 32 bytes in internal order.
   *
   * @param source the array to read from
   * @param offset index of the first byte
   * @return the hash
   * @throws IndexOutOfBoundsException if fewer than 32 bytes follow {@code offset}
   */
  public static Hash256 read(byte[] source, int offset) {
    return new Hash256(
        LittleEndian.int64(source, offset),
        LittleEndian.int64(source, offset + 8),
        LittleEndian.int64(source, offset + 16),
        LittleEndian.int64(source, offset + 24));
  }

  /**
   * Makes a hash of its 32 bytes in internal order.
   *
   * @param internal exactly 32 bytes
   * @return the hash
   * @throws IllegalArgumentException if the length is not 32
   */
  public static Hash256 ofInternal(byte[] internal) {
    if (internal.length != LENGTH) {
      throw new IllegalArgumentException("hash length " + internal.length + ", expected 32");
    }
    return read(internal, 0);
  }

  /**
   * Parses the display form: 64 hex digits, most significant byte first.
   *
   * @param hex what a block explorer prints
   * @return the hash
   * @throws IllegalArgumentException if it is not 64 hex digits
   */
  public static Hash256 ofDisplay(String hex) {
    if (hex.length() != 2 * LENGTH) {
      throw new IllegalArgumentException(
          "hash of " + hex.length() + " characters, expected 64 hex digits");
    }
    byte[] bytes = Hex.parse(hex);
    reverse(bytes);
    return read(bytes, 0);
  }

  /**
   * Writes the 32 bytes in internal order.
   *
   * @param target the array to write to
   * @param offset index of the first byte
   */
  public void write(byte[] target, int offset) {
    LittleEndian.putInt64(target, offset, w0);
    LittleEndian.putInt64(target, offset + 8, w1);
    LittleEndian.putInt64(target, offset + 16, w2);
    LittleEndian.putInt64(target, offset + 24, w3);
  }

  /** {@return a new array of the 32 bytes in internal order} */
  public byte[] toInternal() {
    byte[] bytes = new byte[LENGTH];
    write(bytes, 0);
    return bytes;
  }

  /**
   * {@return the display form, as {@link #toString()} does; 64 lower-case hex digits, most
   * significant byte first}
   */
  public String toDisplay() {
    byte[] bytes = toInternal();
    reverse(bytes);
    return Hex.format(bytes);
  }

  /**
   * Compares as unsigned 256-bit little-endian numbers, which is how proof of work reads a hash.
   *
   * @param other the hash to compare with
   * @return negative, zero or positive
   */
  @Override
  public int compareTo(Hash256 other) {
    int c = Long.compareUnsigned(w3, other.w3);
    if (c == 0) {
      c = Long.compareUnsigned(w2, other.w2);
    }
    if (c == 0) {
      c = Long.compareUnsigned(w1, other.w1);
    }
    return c != 0 ? c : Long.compareUnsigned(w0, other.w0);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Hash256 h && w0 == h.w0 && w1 == h.w1 && w2 == h.w2 && w3 == h.w3;
  }

  /** The low word is uniform; a block hash's zeros are in the high word. */
  @Override
  public int hashCode() {
    return Long.hashCode(w0);
  }

  /** The display form. */
  @Override
  public String toString() {
    return toDisplay();
  }

  private static void reverse(byte[] bytes) {
    for (int i = 0, j = bytes.length - 1; i < j; i++, j--) {
      byte b = bytes[i];
      bytes[i] = bytes[j];
      bytes[j] = b;
    }
  }
}
