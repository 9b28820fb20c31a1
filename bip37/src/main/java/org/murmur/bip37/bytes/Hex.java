package org.murmur.bip37.bytes;

/** Hex digits and bytes. The JDK's own HexFormat is missing on Android 8. */
public final class Hex {

  private static final char[] DIGITS = "0123456789abcdef".toCharArray();

  private Hex() {}

  /**
   * Prints bytes.
   *
   * @param bytes what to print
   * @return two lower-case digits a byte
   */
  public static String format(byte[] bytes) {
    char[] chars = new char[2 * bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      chars[2 * i] = DIGITS[(bytes[i] >> 4) & 15];
      chars[2 * i + 1] = DIGITS[bytes[i] & 15];
    }
    return new String(chars);
  }

  /**
   * Parses digits.
   *
   * @param hex an even number of digits, either case
   * @return half as many bytes
   * @throws IllegalArgumentException if a character is no hex digit or their number is odd; the
   *     message says where
   */
  public static byte[] parse(String hex) {
    if (hex.length() % 2 != 0) {
      throw new IllegalArgumentException("odd number of hex digits: " + hex.length());
    }
    byte[] bytes = new byte[hex.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (digit(hex, 2 * i) << 4 | digit(hex, 2 * i + 1));
    }
    return bytes;
  }

  private static int digit(String hex, int index) {
    char c = hex.charAt(index);
    int value = c < 128 ? Character.digit(c, 16) : -1;
    if (value < 0) {
      throw new IllegalArgumentException("not a hex digit: '" + c + "' at position " + index);
    }
    return value;
  }
}
