package org.murmur.coins.uri;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The parts of a payment URI, before its addresses are read.
 *
 * @param body what stands between scheme and query; may be empty
 * @param params keys in lower case without {@code req-}, and decoded values, in order
 */
record UriQuery(String body, List<Param> params) {

  static final String SCHEME = "bitcoin:";

  private static final String REQUIRED = "req-";
  private static final Set<String> ONCE = Set.of("amount", "label", "message", "pop");
  private static final Set<String> SEGWIT = Set.of("bc", "tb", "bcrt");
  private static final Set<String> UNDERSTOOD =
      Set.of("amount", "label", "message", "bc", "tb", "bcrt");
  private static final String UNRESERVED = "-._~";

  /** A key and its value. */
  record Param(String key, String value) {}

  /**
   * Reads a URI.
   *
   * @throws PaymentUriException if BIP-0321 does not allow it, or it requires what this wallet does
   *     not understand
   */
  static UriQuery parse(String text) {
    String uri = text.trim();
    if (!uri.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      throw new PaymentUriException("no payment URI: it does not begin with " + SCHEME);
    }
    int mark = uri.indexOf('?');
    String body = mark < 0 ? uri.substring(SCHEME.length()) : uri.substring(SCHEME.length(), mark);
    List<Param> params = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    int begin = mark < 0 ? uri.length() : mark + 1;
    while (begin < uri.length()) {
      int and = uri.indexOf('&', begin);
      int end = and < 0 ? uri.length() : and;
      if (end > begin) {
        params.add(param(uri.substring(begin, end), seen));
      }
      begin = end + 1;
    }
    return new UriQuery(decoded("address", body), params);
  }

  private static Param param(String part, Set<String> seen) {
    int equals = part.indexOf('=');
    String name =
        decoded("key", equals < 0 ? part : part.substring(0, equals)).toLowerCase(Locale.ROOT);
    boolean required = name.startsWith(REQUIRED);
    String key = required ? name.substring(REQUIRED.length()) : name;
    if (required && !UNDERSTOOD.contains(key)) {
      throw new PaymentUriException(
          "the payment URI requires '" + shown(key) + "', which this wallet does not understand");
    }
    if (ONCE.contains(key) && !seen.add(key)) {
      throw new PaymentUriException("the payment URI has " + key + " more than once");
    }
    String value = decoded(key, equals < 0 ? "" : part.substring(equals + 1));
    if (SEGWIT.contains(key) && !value.toLowerCase(Locale.ROOT).startsWith(key + "1")) {
      throw new PaymentUriException(
          "the payment URI's parameter " + key + " is no address that begins with " + key + "1");
    }
    return new Param(key, value);
  }

  /** The value of a key that occurs at most once. */
  Optional<String> value(String key) {
    return params.stream().filter(param -> param.key().equals(key)).map(Param::value).findFirst();
  }

  /** Other programs wrote it: no control characters, and not too long. */
  private static String shown(String key) {
    String plain = key.replaceAll("[^a-z0-9_.-]", "?");
    return plain.length() <= 40 ? plain : plain.substring(0, 40) + "…";
  }

  private static String decoded(String what, String text) {
    byte[] raw = text.getBytes(StandardCharsets.UTF_8);
    byte[] plain = new byte[raw.length];
    int length = 0;
    for (int i = 0; i < raw.length; i++) {
      if (raw[i] != '%') {
        plain[length++] = raw[i];
        continue;
      }
      int high = i + 2 < raw.length ? Character.digit(raw[i + 1], 16) : -1;
      int low = i + 2 < raw.length ? Character.digit(raw[i + 2], 16) : -1;
      if (high < 0 || low < 0) {
        throw new PaymentUriException(
            "the payment URI's " + shown(what) + " has a % without two hex digits");
      }
      plain[length++] = (byte) ((high << 4) | low);
      i += 2;
    }
    try {
      ByteBuffer bytes = ByteBuffer.wrap(plain, 0, length);
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw new PaymentUriException("the payment URI's " + shown(what) + " is not UTF-8");
    }
  }

  /** Escapes a value, so that any reader finds it unchanged. */
  static String encoded(String value) {
    StringBuilder text = new StringBuilder();
    for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (letter || UNRESERVED.indexOf(c) >= 0) {
        text.append(c);
      } else {
        text.append('%').append(String.format(Locale.ROOT, "%02X", (int) c));
      }
    }
    return text.toString();
  }
}
