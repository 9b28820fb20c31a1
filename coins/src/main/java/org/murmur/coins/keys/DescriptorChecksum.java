package org.murmur.coins.keys;

/** The eight characters behind {@code #} in a descriptor (BIP-0380). */
final class DescriptorChecksum {

  static final int LENGTH = 8;

  /** Ordered so that slips of case and of neighbouring symbols change few of the code's symbols. */
  private static final String INPUT =
      "0123456789()[],'/*abcdefgh@:$%{}"
          + "IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~"
          + "ijklmnopqrstuvwxyzABCDEFGH`#\"\\ ";

  private static final String OUTPUT = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

  private static final long[] GENERATOR = {
    0xf5dee51989L, 0xa9fdca3312L, 0x1bab10e32dL, 0x3706b1677aL, 0x644d626ffdL
  };

  private DescriptorChecksum() {}

  /**
   * Computes the eight characters for the text before the {@code #}. Throws {@link
   * DescriptorException} if a character cannot occur in a descriptor.
   */
  static String of(String descriptor) {
    long state = 1;
    int groups = 0;
    int inGroup = 0;
    for (int i = 0; i < descriptor.length(); i++) {
      int symbol = INPUT.indexOf(descriptor.charAt(i));
      if (symbol < 0) {
        throw new DescriptorException(
            String.format(
                "character %d of the descriptor, '%c', cannot occur in one",
                i + 1, descriptor.charAt(i)));
      }
      state = step(state, symbol & 31);
      groups = groups * 3 + (symbol >> 5);
      if (++inGroup == 3) {
        state = step(state, groups);
        groups = 0;
        inGroup = 0;
      }
    }
    if (inGroup > 0) {
      state = step(state, groups);
    }
    for (int i = 0; i < LENGTH; i++) {
      state = step(state, 0);
    }
    state ^= 1;
    StringBuilder checksum = new StringBuilder(LENGTH);
    for (int i = LENGTH - 1; i >= 0; i--) {
      checksum.append(OUTPUT.charAt((int) (state >> (5 * i)) & 31));
    }
    return checksum.toString();
  }

  private static long step(long state, int symbol) {
    long top = state >> 35;
    long next = (state & 0x7ffffffffL) << 5 ^ symbol;
    for (int i = 0; i < GENERATOR.length; i++) {
      if ((top >> i & 1) != 0) {
        next ^= GENERATOR[i];
      }
    }
    return next;
  }
}
