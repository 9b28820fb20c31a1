package org.murmur.coins.label;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The origin of a record of BIP-0329: a descriptor without keys, child paths and checksum, such as
 * {@code wpkh([d34db33f/84'/0'/0'])}.
 */
public final class LabelOrigin {

  /** The text after the key's origin: the key and its children. */
  private static final Pattern KEY = Pattern.compile("\\][^,)}]*");

  private LabelOrigin() {}

  /**
   * Abbreviates a descriptor.
   *
   * @param descriptor with or without checksum
   * @return the origin, hardened steps with {@code '}; empty if no key of it says where it is from
   */
  public static Optional<String> of(String descriptor) {
    int end = descriptor.indexOf('#');
    String body = end < 0 ? descriptor : descriptor.substring(0, end);
    return body.contains("[") ? Optional.of(plain(body)) : Optional.empty();
  }

  /**
   * Writes an origin in the one way in which origins are compared.
   *
   * @param origin as it stands in a record
   * @return in lower case, hardened steps with {@code '}, without keys
   */
  public static String plain(String origin) {
    String bare = KEY.matcher(origin).replaceAll("]");
    StringBuilder plain = new StringBuilder();
    boolean inKey = false;
    for (int i = 0; i < bare.length(); i++) {
      char c = Character.toLowerCase(bare.charAt(i));
      inKey = c == '[' || (inKey && c != ']');
      plain.append(inKey && c == 'h' ? '\'' : c);
    }
    return plain.toString();
  }
}
