package org.murmur.coins.internal.crypto;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Arrays;

/**
 * The bytes of a typed secret: UTF-8 of its NFKD form, as BIP-0039 has it, because keyboards differ
 * in what they send. Passwords and passphrases become keys in no other way. Two texts have the same
 * bytes only if Unicode calls them compatible.
 */
public final class SecretText {

  /** Java's mark for bytes that were no character. */
  private static final char LOST = '\ufffd';

  private SecretText() {}

  /**
   * Requires that a key can be made of a text: with a character that was lost, or with half of one,
   * many texts would give one key.
   *
   * @throws IllegalArgumentException if it has U+FFFD or an unpaired surrogate; it is not shown
   */
  public static void require(CharSequence secret) {
    for (int i = 0; i < secret.length(); i++) {
      char c = secret.charAt(i);
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < secret.length()
              && Character.isLowSurrogate(secret.charAt(i + 1));
      if (c == LOST || (Character.isSurrogate(c) && !pair)) {
        throw new IllegalArgumentException(
            String.format(
                "character %d is %s: it was lost in a wrong character set before",
                i + 1, c == LOST ? "U+FFFD" : "half a character"));
      }
      i += pair ? 1 : 0;
    }
  }

  /**
   * Encodes a secret.
   *
   * @param secret a password or passphrase; not changed
   * @return its bytes, which the caller overwrites
   * @throws IllegalArgumentException as {@link #require} throws
   */
  public static byte[] utf8(CharSequence secret) {
    require(secret);
    CharBuffer normal =
        Normalizer.isNormalized(secret, Normalizer.Form.NFKD)
            ? CharBuffer.wrap(secret)
            : CharBuffer.wrap(Normalizer.normalize(secret, Normalizer.Form.NFKD));
    ByteBuffer encoded = ByteBuffer.allocate(4 * normal.length());
    // It can encode all that require() lets pass.
    StandardCharsets.UTF_8.newEncoder().encode(normal, encoded, true);
    byte[] bytes = Arrays.copyOf(encoded.array(), encoded.position());
    Arrays.fill(encoded.array(), (byte) 0);
    return bytes;
  }
}
