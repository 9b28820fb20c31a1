package org.murmur.coins.keys;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.murmur.bip37.bytes.Bytes;

/**
 * Segwit addresses as text: bech32 for witness version 0 (BIP-0173), bech32m for 1 to 16
 * (BIP-0350). Written here because bitcoinj refuses programs of version 1 that are not taproot,
 * which are valid addresses and occur on the chain (pay-to-anchor).
 *
 * <pre>
 *  prefix "1" version program… checksum
 *               1       n        6      characters of 5 bits
 * </pre>
 */
final class SegwitText {

  private static final String ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
  private static final int[] GENERATOR = {
    0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3
  };
  private static final int BECH32 = 1;
  private static final int BECH32M = 0x2bc830a3;
  private static final int CHECKSUM_LENGTH = 6;
  private static final int MAX_LENGTH = 90;
  private static final int MAX_VERSION = 16;

  private SegwitText() {}

  /** A witness version and its program. */
  record Program(int version, Bytes bytes) {}

  static String encode(String prefix, int version, byte[] program) {
    byte[] five = fives(program);
    byte[] values = new byte[1 + five.length + CHECKSUM_LENGTH];
    values[0] = (byte) version;
    System.arraycopy(five, 0, values, 1, five.length);
    int checksum = checksum(prefix, values) ^ (version == 0 ? BECH32 : BECH32M);
    StringBuilder text = new StringBuilder(prefix).append('1');
    for (int i = 0; i < CHECKSUM_LENGTH; i++) {
      values[1 + five.length + i] = (byte) (checksum >>> (5 * (CHECKSUM_LENGTH - 1 - i)) & 31);
    }
    for (byte value : values) {
      text.append(ALPHABET.charAt(value));
    }
    return text.toString();
  }

  /**
   * Reads an address whose prefix is known.
   *
   * @throws IllegalArgumentException with the reason, if it is not valid
   */
  static Program decode(String prefix, String address) {
    String text = address.toLowerCase(Locale.ROOT);
    if (!text.equals(address) && !address.toUpperCase(Locale.ROOT).equals(address)) {
      throw new IllegalArgumentException("upper and lower case are mixed");
    }
    if (text.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          text.length() + " characters, an address has " + MAX_LENGTH + " at most");
    }
    int start = prefix.length() + 1;
    byte[] values = new byte[text.length() - start];
    for (int i = 0; i < values.length; i++) {
      values[i] = (byte) ALPHABET.indexOf(text.charAt(start + i));
      if (values[i] < 0) {
        throw new IllegalArgumentException(
            "the character at position " + (start + i + 1) + " cannot occur in it");
      }
    }
    int found = values.length <= CHECKSUM_LENGTH ? 0 : checksum(prefix, values);
    if (found != BECH32 && found != BECH32M) {
      throw new IllegalArgumentException(
          "a character is wrong or missing (the checksum does not match)");
    }
    return program(found, Arrays.copyOf(values, values.length - CHECKSUM_LENGTH));
  }

  private static Program program(int found, byte[] values) {
    int version = values[0];
    if (version > MAX_VERSION) {
      throw new IllegalArgumentException("unknown witness version " + version);
    }
    if (found != (version == 0 ? BECH32 : BECH32M)) {
      throw new IllegalArgumentException(
          "the checksum is of the kind for another witness version than " + version);
    }
    byte[] program = eights(values);
    boolean fits =
        version == 0
            ? program.length == 20 || program.length == 32
            : program.length >= 2 && program.length <= 40;
    if (!fits) {
      throw new IllegalArgumentException(
          "a program of " + program.length + " bytes does not fit witness version " + version);
    }
    return new Program(version, Bytes.wrap(program));
  }

  private static byte[] fives(byte[] bytes) {
    byte[] five = new byte[(bytes.length * 8 + 4) / 5];
    for (int i = 0; i < five.length * 5; i++) {
      boolean bit = i < bytes.length * 8 && (bytes[i / 8] >> (7 - i % 8) & 1) != 0;
      five[i / 5] = (byte) (five[i / 5] << 1 | (bit ? 1 : 0));
    }
    return five;
  }

  /** The program behind the version; fewer than five bits may be left over, all zero. */
  private static byte[] eights(byte[] values) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int buffer = 0;
    int bits = 0;
    for (int i = 1; i < values.length; i++) {
      buffer = (buffer << 5 | values[i]) & 0xfff;
      bits += 5;
      if (bits >= 8) {
        bits -= 8;
        bytes.write(buffer >>> bits);
      }
    }
    if (bits >= 5 || (buffer & ((1 << bits) - 1)) != 0) {
      throw new IllegalArgumentException("it does not end at a whole byte");
    }
    return bytes.toByteArray();
  }

  private static int checksum(String prefix, byte[] values) {
    byte[] name = prefix.getBytes(StandardCharsets.US_ASCII);
    int state = 1;
    for (byte c : name) {
      state = step(state, c >> 5);
    }
    state = step(state, 0);
    for (byte c : name) {
      state = step(state, c & 31);
    }
    for (byte value : values) {
      state = step(state, value);
    }
    return state;
  }

  private static int step(int state, int value) {
    int top = state >>> 25;
    int next = (state & 0x1ffffff) << 5 ^ value;
    for (int i = 0; i < GENERATOR.length; i++) {
      if ((top >>> i & 1) != 0) {
        next ^= GENERATOR[i];
      }
    }
    return next;
  }
}
