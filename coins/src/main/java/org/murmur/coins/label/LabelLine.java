package org.murmur.coins.label;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One line of a label file (BIP-0329).
 *
 * @param ref the thing
 * @param origin in the form of {@link LabelOrigin#plain}; empty if the line does not say
 * @param text the label; empty if the line has none, which is not the same as an empty label
 * @param spendable empty if the line does not say
 * @param more other members by name, with JSON values
 */
record LabelLine(
    LabelRef ref,
    String origin,
    Optional<String> text,
    Optional<Boolean> spendable,
    Map<String, String> more) {

  /** A type that BIP-0329 does not have. */
  static final class UnknownTypeException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private UnknownTypeException(String type) {
      super("unknown type '" + type + "'");
    }
  }

  /**
   * Reads a line.
   *
   * @throws UnknownTypeException if its type is unknown
   * @throws IllegalArgumentException if it is no record; the message says why
   */
  static LabelLine parse(String line) {
    Map<String, String> members = new LinkedHashMap<>(JsonMembers.of(line));
    String word = text(members, "type");
    String ref = text(members, "ref");
    if (word == null || ref == null) {
      throw new IllegalArgumentException((word == null ? "type" : "ref") + " is missing");
    }
    LabelType type = LabelType.ofWord(word).orElseThrow(() -> new UnknownTypeException(word));
    String origin = text(members, "origin");
    String label = text(members, "label");
    return new LabelLine(
        LabelRef.parse(type, ref),
        origin == null ? "" : LabelOrigin.plain(origin),
        Optional.ofNullable(label).map(Label::oneLine),
        type == LabelType.OUTPUT ? spendable(members) : Optional.empty(),
        members);
  }

  /** Takes a text member out; null if it is not there, or JSON's null. */
  private static @Nullable String text(Map<String, String> members, String name) {
    String value = members.remove(name);
    if (value == null || value.equals("null")) {
      return null;
    }
    if (value.charAt(0) != '"') {
      throw new IllegalArgumentException(name + " is not a text in quotes: " + value);
    }
    return JsonMembers.decoded(value);
  }

  private static Optional<Boolean> spendable(Map<String, String> members) {
    String value = members.remove("spendable");
    if (value == null || value.equals("null")) {
      return Optional.empty();
    }
    if (!value.equals("true") && !value.equals("false")) {
      throw new IllegalArgumentException("spendable is not true or false: " + value);
    }
    return Optional.of(value.equals("true"));
  }

  /** Changes a record of the same thing and origin: what the line does not say stays. */
  Label appliedTo(Label old) {
    Map<String, String> members = new LinkedHashMap<>(JsonMembers.of("{" + old.more() + "}"));
    members.putAll(more);
    StringBuilder joined = new StringBuilder();
    members.forEach((name, value) -> append(joined, name, value));
    return new Label(
        ref,
        origin,
        text.orElse(old.text()),
        spendable.isPresent() ? spendable : old.spendable(),
        joined.toString());
  }

  /** Writes a record as a line. */
  static String of(Label label) {
    StringBuilder line = new StringBuilder();
    append(line, "type", JsonMembers.quoted(label.ref().type().word()));
    append(line, "ref", JsonMembers.quoted(label.ref().text()));
    if (!label.text().isEmpty()) {
      append(line, "label", JsonMembers.quoted(label.text()));
    }
    if (!label.origin().isEmpty()) {
      append(line, "origin", JsonMembers.quoted(label.origin()));
    }
    label.spendable().ifPresent(may -> append(line, "spendable", String.valueOf(may)));
    if (!label.more().isEmpty()) {
      line.append(',').append(label.more());
    }
    return "{" + line + "}";
  }

  private static void append(StringBuilder members, String name, String value) {
    members.append(members.length() == 0 ? "" : ",");
    members.append(JsonMembers.quoted(name)).append(':').append(value);
  }
}
