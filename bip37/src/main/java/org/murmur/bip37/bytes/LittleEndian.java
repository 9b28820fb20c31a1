package org.murmur.bip37.bytes;

/** Little-endian integers in byte arrays, as Bitcoin serialises them. */
public final class LittleEndian {

  private LittleEndian() {}

  /**
   * Reads an unsigned 16-bit integer.
   *
   * @param source the array
   * @param offset index of the first of two bytes
   * @return 0 to 65,535
   */
  public static int uint16(byte[] source, int offset) {
    return (source[offset] & 0xff) | (source[offset + 1] & 0xff) << 8;
  }

  /**
   * Reads a 32-bit integer.
   *
   * @param source the array
   * @param offset index of the first of four bytes
   * @return the signed value; see {@link Integer#toUnsignedLong} for the unsigned one
   */
  public static int int32(byte[] source, int offset) {
    return (source[offset] & 0xff)
        | (source[offset + 1] & 0xff) << 8
        | (source[offset + 2] & 0xff) << 16
        | source[offset + 3] << 24;
  }

  /**
   * Reads a 64-bit integer.
   *
   * @param source the array
   * @param offset index of the first of eight bytes
   * @return the signed value
   */
  public static long int64(byte[] source, int offset) {
    return Integer.toUnsignedLong(int32(source, offset)) | (long) int32(source, offset + 4) << 32;
  }

  /**
   * Writes a 16-bit integer.
   *
   * @param target the array
   * @param offset index of the first of two bytes
   * @param value its low 16 bits are written
   */
  public static void putInt16(byte[] target, int offset, int value) {
    target[offset] = (byte) value;
    target[offset + 1] = (byte) (value >>> 8);
  }

  /**
   * Writes a 32-bit integer.
   *
   * @param target the array
   * @param offset index of the first of four bytes
   * @param value the value
   */
  public static void putInt32(byte[] target, int offset, int value) {
    target[offset] = (byte) value;
    target[offset + 1] = (byte) (value >>> 8);
    target[offset + 2] = (byte) (value >>> 16);
    target[offset + 3] = (byte) (value >>> 24);
  }

  /**
   * Writes a 64-bit integer.
   *
   * @param target the array
   * @param offset index of the first of eight bytes
   * @param value the value
   */
  public static void putInt64(byte[] target, int offset, long value) {
    putInt32(target, offset, (int) value);
    putInt32(target, offset + 4, (int) (value >>> 32));
  }
}
