package org.murmur.coins.label;

import java.util.Comparator;
import java.util.Optional;

/**
 * One record of BIP-0329: what the user noted about a thing. There is at most one for each thing
 * and origin.
 *
 * @param ref the thing
 * @param origin which wallet the record is of, an abbreviated descriptor such as {@code
 *     wpkh([d34db33f/84'/0'/0'])}; empty if the record does not say
 * @param text the label; empty for none
 * @param spendable false for an output that is excluded from payments; empty if nothing was said
 * @param more members of the record that BIP-0329 leaves to others, such as {@code height}: JSON as
 *     {@code "name":value} with commas between them; empty for none
 */
public record Label(
    LabelRef ref, String origin, String text, Optional<Boolean> spendable, String more) {

  /** By what they are about, then by origin. */
  public static final Comparator<Label> ORDER =
      Comparator.comparing(Label::ref).thenComparing(Label::origin);

  /**
   * Makes a record that says nothing yet.
   *
   * @param ref the thing
   * @return an empty record, of no origin
   */
  public static Label about(LabelRef ref) {
    return new Label(ref, "", "", Optional.empty(), "");
  }

  /**
   * Makes a label one line: BIP-0329 has no others, and control characters could confuse a
   * terminal.
   *
   * @param text any
   * @return the text with a space for each control character, without surrounding white space
   */
  public static String oneLine(String text) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      line.append(confuses(c) ? ' ' : c);
    }
    return line.toString().trim();
  }

  /**
   * Returns whether a character could confuse a terminal.
   *
   * @param c any
   * @return true for control characters, line breaks, and what turns the direction of writing
   */
  public static boolean confuses(char c) {
    int type = Character.getType(c);
    boolean breaks = type == Character.LINE_SEPARATOR || type == Character.PARAGRAPH_SEPARATOR;
    boolean turns = (c >= '\u202a' && c <= '\u202e') || (c >= '\u2066' && c <= '\u2069');
    return Character.isISOControl(c) || breaks || turns;
  }

  /** Makes the same record of another origin. */
  Label withOrigin(String wanted) {
    return new Label(ref, wanted, text, spendable, more);
  }

  /**
   * Adds what another record of the same thing says. Members that it does not have stay.
   *
   * @param other of another origin
   * @return a record of this origin
   */
  public Label overlaidBy(Label other) {
    return new Label(
        ref,
        origin,
        other.text.isEmpty() ? text : other.text,
        other.spendable.isPresent() ? other.spendable : spendable,
        more);
  }

  /**
   * Makes the same record with another label.
   *
   * @param label the label; empty for none
   * @return a new value
   */
  public Label withText(String label) {
    return new Label(ref, origin, label, spendable, more);
  }

  /**
   * Makes the same record, frozen or not.
   *
   * @param wanted whether payments may spend the output; empty if nothing is said
   * @return a new value
   */
  public Label withSpendable(Optional<Boolean> wanted) {
    return new Label(ref, origin, text, wanted, more);
  }

  /**
   * {@return whether the output is excluded from payments; true if the record says that it is not
   * spendable}
   */
  public boolean frozen() {
    return ref.type() == LabelType.OUTPUT && spendable.filter(may -> !may).isPresent();
  }

  /**
   * {@return whether the record says nothing, so that it need not be stored; true without text,
   * without {@code spendable} and without other members}
   */
  public boolean saysNothing() {
    return text.isEmpty() && !spendable.isPresent() && more.isEmpty();
  }

  /**
   * Returns whether another record takes the place of this one.
   *
   * @param other any
   * @return true if thing and origin are the same
   */
  public boolean isSameAs(Label other) {
    return ORDER.compare(this, other) == 0;
  }
}
