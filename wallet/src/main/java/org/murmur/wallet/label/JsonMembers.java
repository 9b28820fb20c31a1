package org.murmur.wallet.label;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads one JSON object (RFC 8259). Values stay text, so that unknown ones are kept as they are.
 */
final class JsonMembers {

  private static final int MAX_DEPTH = 64;
  private static final Pattern SPACE = Pattern.compile("[ \\t\\r\\n]*");
  private static final Pattern STRING =
      Pattern.compile("\"(?:[^\"\\\\\\x00-\\x1f]|\\\\(?:[\"\\\\/bfnrt]|u[0-9a-fA-F]{4}))*+\"");
  private static final Pattern SCALAR =
      Pattern.compile("true|false|null|-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");

  private final String text;
  private int at;

  private JsonMembers(String text) {
    this.text = text;
  }

  /**
   * Reads the members of an object.
   *
   * @return their values as JSON, by name, in the order of the text
   * @throws IllegalArgumentException if it is no JSON object, or a name occurs twice
   */
  static Map<String, String> of(String text) {
    JsonMembers json = new JsonMembers(text);
    json.skip();
    Map<String, String> members = json.object(0);
    json.skip();
    if (json.at < text.length()) {
      throw json.expected("the end of the object");
    }
    return members;
  }

  /** Reads a JSON string. */
  static String decoded(String string) {
    StringBuilder decoded = new StringBuilder();
    for (int i = 1; i < string.length() - 1; i++) {
      char c = string.charAt(i);
      if (c != '\\') {
        decoded.append(c);
        continue;
      }
      i++;
      char escaped = string.charAt(i);
      if (escaped == 'u') {
        decoded.append((char) Integer.parseInt(string.substring(i + 1, i + 5), 16));
        i += 4;
      } else {
        int control = "bfnrt".indexOf(escaped);
        decoded.append(control < 0 ? escaped : "\b\f\n\r\t".charAt(control));
      }
    }
    return decoded.toString();
  }

  /** Writes a JSON string. */
  static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append("\\u00").append(Character.forDigit(c >> 4, 16));
        quoted.append(Character.forDigit(c & 15, 16));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  private Map<String, String> object(int depth) {
    Map<String, String> members = new LinkedHashMap<>();
    take('{', "an object: {");
    skip();
    if (next() == '}') {
      at++;
      return members;
    }
    while (true) {
      skip();
      String name = decoded(token(STRING, "a name in quotes"));
      skip();
      take(':', "a colon");
      skip();
      int begin = at;
      value(depth);
      if (members.put(name, text.substring(begin, at)) != null) {
        throw new IllegalArgumentException("member '" + name + "' occurs twice");
      }
      skip();
      if (next() == '}') {
        at++;
        return members;
      }
      take(',', "a comma or }");
    }
  }

  private void value(int depth) {
    if (depth >= MAX_DEPTH) {
      throw new IllegalArgumentException("nested more than " + MAX_DEPTH + " levels deep");
    }
    switch (next()) {
      case '{' -> object(depth + 1);
      case '[' -> array(depth + 1);
      case '"' -> token(STRING, "the end of a text");
      default -> token(SCALAR, "a value");
    }
  }

  private void array(int depth) {
    at++;
    skip();
    if (next() == ']') {
      at++;
      return;
    }
    while (true) {
      skip();
      value(depth);
      skip();
      if (next() == ']') {
        at++;
        return;
      }
      take(',', "a comma or ]");
    }
  }

  private char next() {
    return at < text.length() ? text.charAt(at) : '\0';
  }

  private void take(char wanted, String what) {
    if (next() != wanted) {
      throw expected(what);
    }
    at++;
  }

  private void skip() {
    token(SPACE, "");
  }

  private String token(Pattern pattern, String what) {
    Matcher matcher = pattern.matcher(text).region(at, text.length());
    if (!matcher.lookingAt()) {
      throw expected(what);
    }
    at = matcher.end();
    return matcher.group();
  }

  private IllegalArgumentException expected(String what) {
    return new IllegalArgumentException("not JSON at character " + (at + 1) + ": expected " + what);
  }
}
