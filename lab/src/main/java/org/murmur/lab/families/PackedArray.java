package org.murmur.lab.families;

/** An array of numbers with a fixed width in bits, packed without gaps. */
final class PackedArray {

  private final long[] words;
  private final int length;
  private final int width;
  private final long mask;

  /** Creates an array of zeros; the width is 1 to 63 bits. */
  PackedArray(int length, int width) {
    this.words = new long[Math.toIntExact((long) length * width / 64 + 2)];
    this.length = length;
    this.width = width;
    this.mask = (1L << width) - 1;
  }

  int length() {
    return length;
  }

  long bits() {
    return (long) length * width;
  }

  long get(int index) {
    long bit = (long) index * width;
    int word = (int) (bit >>> 6);
    int shift = (int) bit & 63;
    // Shifts by 1 first, since Java ignores a shift by 64.
    return (words[word] >>> shift | words[word + 1] << 1 << (63 - shift)) & mask;
  }

  void set(int index, long value) {
    long bit = (long) index * width;
    int word = (int) (bit >>> 6);
    int shift = (int) bit & 63;
    words[word] = (words[word] & ~(mask << shift)) | (value << shift);
    if (shift + width > 64) {
      int upper = 64 - shift;
      words[word + 1] = (words[word + 1] & ~(mask >>> upper)) | (value >>> upper);
    }
  }
}
