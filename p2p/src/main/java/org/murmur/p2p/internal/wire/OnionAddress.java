package org.murmur.p2p.internal.wire;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.murmur.bip37.bytes.Bytes;

/**
 * The text of a Tor version 3 address: 56 characters of base32 and {@code .onion}, for the 32 bytes
 * of the service's public key in {@code addrv2} (BIP-0155), followed by a checksum and a version
 * (Tor's rend-spec-v3, "Encoding onion addresses").
 */
public final class OnionAddress {

  private static final String SUFFIX = ".onion";

  /** Base32 of RFC 4648, in lower case as Tor writes it. */
  private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

  private static final int BITS = 5;
  private static final int KEY_LENGTH = 32;
  private static final int CHECKSUM_LENGTH = 2;
  private static final byte VERSION = 3;
  private static final int LENGTH = KEY_LENGTH + CHECKSUM_LENGTH + 1;

  /** Characters of {@link #LENGTH} bytes: 280 bits, no padding. */
  private static final int CHARACTERS = LENGTH * Byte.SIZE / BITS;

  /** Characters of a version 2 address, which Tor no longer serves. */
  private static final int OLD_CHARACTERS = 16;

  private static final byte[] CHECKSUM_PREFIX =
      ".onion checksum".getBytes(StandardCharsets.US_ASCII);

  private OnionAddress() {}

  /**
   * Returns whether a host ends in {@code .onion}, well-formed or not. Such a name is never
   * resolved (RFC 7686).
   */
  public static boolean isOnion(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    return name.endsWith(SUFFIX) || name.endsWith(SUFFIX + ".") || name.equals("onion");
  }

  /**
   * Writes an address.
   *
   * @param key the public key, 32 bytes
   * @return 62 characters in lower case
   * @throws IllegalArgumentException if the key has another length
   */
  public static String text(Bytes key) {
    if (key.length() != KEY_LENGTH) {
      throw new IllegalArgumentException(
          "key of " + key.length() + " bytes, expected " + KEY_LENGTH);
    }
    byte[] whole = new byte[LENGTH];
    key.write(whole, 0);
    System.arraycopy(checksum(whole), 0, whole, KEY_LENGTH, CHECKSUM_LENGTH);
    whole[LENGTH - 1] = VERSION;
    return base32(whole) + SUFFIX;
  }

  /**
   * Reads an address.
   *
   * @param text as {@link #text} writes it, in either case
   * @throws IllegalArgumentException if it is invalid; the message has the reason
   */
  public static Bytes parse(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (!lower.endsWith(SUFFIX)) {
      throw new IllegalArgumentException("'" + text + "' does not end in " + SUFFIX);
    }
    String name = lower.substring(0, lower.length() - SUFFIX.length());
    if (name.length() == OLD_CHARACTERS) {
      throw new IllegalArgumentException(
          "'" + text + "' is a Tor address of version 2, which Tor serves no longer");
    }
    if (name.length() != CHARACTERS) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' has "
              + name.length()
              + " characters before "
              + SUFFIX
              + ", expected "
              + CHARACTERS);
    }
    byte[] whole = bytes(name, text);
    if (whole[LENGTH - 1] != VERSION) {
      throw new IllegalArgumentException(
          "'" + text + "' is of version " + (whole[LENGTH - 1] & 0xff) + ", expected " + VERSION);
    }
    byte[] expected = checksum(whole);
    for (int i = 0; i < CHECKSUM_LENGTH; i++) {
      if (whole[KEY_LENGTH + i] != expected[i]) {
        throw new IllegalArgumentException("'" + text + "' is mistyped: its checksum does not fit");
      }
    }
    return Bytes.of(whole, 0, KEY_LENGTH);
  }

  /** The hash of which the first two bytes are the checksum of a key's address. */
  private static byte[] checksum(byte[] address) {
    byte[] input = new byte[CHECKSUM_PREFIX.length + KEY_LENGTH + 1];
    System.arraycopy(CHECKSUM_PREFIX, 0, input, 0, CHECKSUM_PREFIX.length);
    System.arraycopy(address, 0, input, CHECKSUM_PREFIX.length, KEY_LENGTH);
    input[input.length - 1] = VERSION;
    return Sha3.digest(input);
  }

  private static String base32(byte[] bytes) {
    StringBuilder text = new StringBuilder(CHARACTERS);
    for (int i = 0; i < CHARACTERS; i++) {
      int value = 0;
      for (int bit = i * BITS; bit < (i + 1) * BITS; bit++) {
        value = 2 * value + ((bytes[bit / Byte.SIZE] >> (7 - bit % Byte.SIZE)) & 1);
      }
      text.append(ALPHABET.charAt(value));
    }
    return text.toString();
  }

  private static byte[] bytes(String name, String text) {
    byte[] bytes = new byte[LENGTH];
    for (int i = 0; i < CHARACTERS; i++) {
      int value = ALPHABET.indexOf(name.charAt(i));
      if (value < 0) {
        throw new IllegalArgumentException(
            "'" + text + "' has a '" + name.charAt(i) + "', expected letters and 2 to 7");
      }
      for (int b = 0; b < BITS; b++) {
        int bit = i * BITS + b;
        bytes[bit / Byte.SIZE] |= (byte) (((value >> (BITS - 1 - b)) & 1) << (7 - bit % Byte.SIZE));
      }
    }
    return bytes;
  }
}
