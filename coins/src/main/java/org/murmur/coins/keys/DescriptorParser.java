package org.murmur.coins.keys;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.murmur.coins.keys.DescriptorSyntax.KeyPart;
import org.murmur.coins.keys.DescriptorSyntax.Multisig;
import org.murmur.coins.keys.DescriptorSyntax.Origin;
import org.murmur.coins.keys.DescriptorSyntax.Single;

/**
 * Reads the grammar of descriptors (BIP-0380 to 383, 386, 389). Keys and addresses are taken as
 * text, so that nothing heavy is loaded; {@link Descriptor} decodes them.
 */
final class DescriptorParser {

  private static final String FUNCTIONS = "pkh, wpkh, sh, wsh, tr or addr";
  private static final int COMPRESSED_HEX = 66;
  private static final int X_ONLY_HEX = 64;

  /** Consensus allows 20 keys to OP_CHECKMULTISIG. */
  private static final int MAX_MULTISIG_KEYS = 20;

  private final String text;
  private final int end;
  private int at;

  private DescriptorParser(String text, int end) {
    this.text = text;
    this.end = end;
  }

  /**
   * Parses a descriptor; a checksum is verified if there is one.
   *
   * @throws DescriptorException with the position (from 1) and what was expected there
   */
  static DescriptorSyntax parse(String text) {
    int hash = text.indexOf('#');
    int end = hash < 0 ? text.length() : hash;
    String checksum = DescriptorChecksum.of(text.substring(0, end));
    if (hash >= 0 && !text.substring(hash + 1).equals(checksum)) {
      throw new DescriptorException(wrongChecksum(text.substring(hash + 1)));
    }
    DescriptorParser parser = new DescriptorParser(text, end);
    DescriptorSyntax syntax = parser.top();
    if (parser.at != end) {
      throw parser.expected("the end of the descriptor");
    }
    return parser.oneNumberOfAlternatives(syntax);
  }

  /** The message omits the right one: it would only help to sign a typing error. */
  private static String wrongChecksum(String given) {
    return given.length() == DescriptorChecksum.LENGTH
        ? "the checksum #" + given + " does not match: the descriptor is mistyped or was changed"
        : "expected a checksum of eight characters behind '#', found " + given.length();
  }

  private DescriptorSyntax top() {
    return switch (function(FUNCTIONS)) {
      case "pkh" -> single(OutputType.P2PKH);
      case "wpkh" -> single(OutputType.P2WPKH);
      case "tr" -> single(OutputType.P2TR);
      case "sh" -> nested();
      case "wsh" -> multisig(false);
      case "addr" -> address();
      case "raw", "pk", "combo", "multi", "sortedmulti", "rawtr" ->
          throw new DescriptorException(
              String.format(
                  "%s(…) is not supported at this place: expected %s",
                  text.substring(0, at - 1), FUNCTIONS));
      default -> throw unknownFunction(FUNCTIONS);
    };
  }

  private DescriptorSyntax nested() {
    String expected = "wpkh or wsh inside sh(…)";
    DescriptorSyntax inside =
        switch (function(expected)) {
          case "wpkh" -> single(OutputType.P2SH_P2WPKH);
          case "wsh" -> multisig(true);
          default -> throw unknownFunction(expected);
        };
    expect(')');
    return inside;
  }

  private Single single(OutputType type) {
    KeyPart key = key(type == OutputType.P2TR);
    if (type == OutputType.P2TR && peek() == ',') {
      throw new DescriptorException(
          place(at) + "taproot with scripts is not supported, only tr(KEY)");
    }
    expect(')');
    return new Single(type, key);
  }

  private Multisig multisig(boolean nested) {
    String expected = "multi or sortedmulti inside wsh(…)";
    String function = function(expected);
    if (!function.equals("multi") && !function.equals("sortedmulti")) {
      throw unknownFunction(expected);
    }
    int threshold = number("the number of signatures");
    List<KeyPart> keys = new ArrayList<>();
    while (peek() == ',') {
      at++;
      keys.add(key(false));
    }
    if (keys.isEmpty() || threshold < 1 || threshold > keys.size()) {
      throw new DescriptorException(
          String.format(
              "%s: %d signatures of %d keys is impossible", function, threshold, keys.size()));
    }
    if (keys.size() > MAX_MULTISIG_KEYS) {
      throw new DescriptorException(
          function + ": at most " + MAX_MULTISIG_KEYS + " keys, found " + keys.size());
    }
    expect(')');
    expect(')');
    return new Multisig(nested, function.equals("sortedmulti"), threshold, List.copyOf(keys));
  }

  private DescriptorSyntax.Address address() {
    DescriptorSyntax.Address address = new DescriptorSyntax.Address(token("an address"));
    expect(')');
    return address;
  }

  private KeyPart key(boolean taproot) {
    Origin origin = peek() == '[' ? origin() : null;
    int start = at;
    String key = token("a key");
    if (key.length() > 4 && key.startsWith("prv", 1)) {
      throw new DescriptorException(
          place(start)
              + String.format(
                  "a private key (%s…). It can spend, and nothing here needs that; ",
                  key.substring(0, 4))
              + String.format("give the public one (%spub…)", key.charAt(0)));
    }
    if (key.matches("[xt]pub.*")) {
      return derived(origin, key);
    }
    if (key.matches("[yzuvYZUV]pub.*")) {
      throw new DescriptorException(
          place(start)
              + String.format(
                  "descriptors hold xpub or tpub keys only, this is %s…; ", key.substring(0, 4))
              + "the function around the key already tells the script");
    }
    return new KeyPart(origin, hexKey(key, start, taproot), false, List.of(), false);
  }

  private String hexKey(String key, int start, boolean taproot) {
    if (!key.matches("[0-9a-fA-F]+")) {
      boolean wif = key.matches("[59KLc][1-9A-HJ-NP-Za-km-z]{50,51}");
      throw new DescriptorException(
          place(start)
              + (wif
                  ? "a private key (WIF). It can spend, and nothing here needs that; give the"
                      + " public key in hex"
                  : "expected a key: xpub…, tpub… or a public key in hex"));
    }
    String hex = key.toLowerCase(Locale.ROOT);
    boolean compressed = hex.length() == COMPRESSED_HEX && hex.matches("0[23].*");
    boolean fits = compressed || (taproot && hex.length() == X_ONLY_HEX);
    if (!fits) {
      throw new DescriptorException(
          place(start)
              + "expected a compressed public key of 66 hex digits beginning with 02 or 03"
              + (taproot ? ", or 64 digits" : "")
              + "; found "
              + hex.length()
              + " digits");
    }
    if (peek() == '/') {
      throw new DescriptorException(place(at) + "nothing can be derived from a single public key");
    }
    return hex;
  }

  private Origin origin() {
    expect('[');
    int start = at;
    while (at < end && "/]".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    String fingerprint = text.substring(start, at);
    if (!fingerprint.matches("[0-9a-fA-F]{8}")) {
      at = start;
      throw expected("a fingerprint of eight hex digits");
    }
    List<Integer> path = new ArrayList<>();
    while (peek() == '/') {
      at++;
      int number = number("a number of the path");
      path.add(hardened() ? number | ExtendedKey.HARDENED : number);
    }
    expect(']');
    return new Origin(fingerprint.toLowerCase(Locale.ROOT), List.copyOf(path));
  }

  private KeyPart derived(@Nullable Origin origin, String key) {
    List<List<Integer>> steps = new ArrayList<>();
    boolean wildcard = false;
    while (peek() == '/' && !wildcard) {
      at++;
      if (peek() == '*') {
        at++;
        wildcard = true;
      } else if (peek() == '<') {
        steps.add(alternatives());
      } else {
        steps.add(List.of(number("a number, * or <a;b>")));
      }
      if (hardened()) {
        throw new DescriptorException(
            "position "
                + at
                + ": a hardened step behind a public key needs the private key; put the steps up to"
                + " the account into the origin: [fingerprint/84h/0h/0h]xpub…/0/*");
      }
    }
    if (steps.stream().filter(step -> step.size() > 1).count() > 1) {
      throw new DescriptorException("a key can have only one <a;b>");
    }
    return new KeyPart(origin, key, true, List.copyOf(steps), wildcard);
  }

  private List<Integer> alternatives() {
    expect('<');
    List<Integer> numbers = new ArrayList<>();
    numbers.add(number("a number"));
    while (peek() == ';') {
      at++;
      int number = number("a number");
      if (numbers.contains(number)) {
        throw new DescriptorException("position " + at + ": " + number + " occurs twice in <…>");
      }
      numbers.add(number);
    }
    if (numbers.size() == 1) {
      throw expected("';' and another number");
    }
    expect('>');
    return List.copyOf(numbers);
  }

  private DescriptorSyntax oneNumberOfAlternatives(DescriptorSyntax syntax) {
    long different =
        syntax.keys().stream()
            .mapToInt(KeyPart::alternatives)
            .filter(n -> n > 1)
            .distinct()
            .count();
    if (different > 1) {
      throw new DescriptorException("all <a;b> of a descriptor must have the same length");
    }
    return syntax;
  }

  private String function(String expected) {
    int start = at;
    while (at < end && Character.isLetterOrDigit(text.charAt(at))) {
      at++;
    }
    String name = text.substring(start, at);
    if (peek() != '(' || name.isEmpty()) {
      at = start;
      throw expected(expected);
    }
    at++;
    return name;
  }

  private DescriptorException unknownFunction(String expected) {
    int bracket = at - 1;
    int start = Math.max(text.lastIndexOf('(', bracket - 1), text.lastIndexOf(',', bracket - 1));
    String name = text.substring(start + 1, bracket);
    return new DescriptorException(
        String.format(
            "position %d: unknown function '%s', expected %s", start + 2, name, expected));
  }

  private String token(String expected) {
    int start = at;
    while (at < end && ",()/[]<>".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    if (start == at) {
      throw expected(expected);
    }
    return text.substring(start, at);
  }

  private int number(String expected) {
    int start = at;
    while (at < end && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    String digits = text.substring(start, at);
    if (digits.isEmpty()) {
      throw expected(expected);
    }
    if (digits.length() > 10 || Long.parseLong(digits) > Integer.MAX_VALUE) {
      throw new DescriptorException(
          place(start) + digits + " is above the greatest number, 2147483647");
    }
    return Integer.parseInt(digits);
  }

  private boolean hardened() {
    if (peek() == '\'' || peek() == 'h') {
      at++;
      return true;
    }
    return false;
  }

  private char peek() {
    return at < end ? text.charAt(at) : '\0';
  }

  private void expect(char wanted) {
    if (peek() != wanted) {
      throw expected("'" + wanted + "'");
    }
    at++;
  }

  private static String place(int index) {
    return "position " + (index + 1) + ": ";
  }

  private DescriptorException expected(String wanted) {
    String found = at < end ? "'" + text.charAt(at) + "'" : "the end";
    return new DescriptorException(
        String.format("position %d: expected %s, found %s", at + 1, wanted, found));
  }
}
