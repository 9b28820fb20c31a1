package org.murmur.lab;

import java.math.BigDecimal;
import java.math.BigInteger;

/** Parses whole numbers, also with an exponent: {@code 10000000000} or {@code 1e10}. */
public final class WholeNumber {

  /** The number of digits of the largest long. */
  private static final int MAX_DIGITS = 19;

  private WholeNumber() {}

  /**
   * Parses a whole number: digits, or a decimal number with an exponent that makes it whole. Throws
   * {@link IllegalArgumentException} if the text is none, or is beyond 2^63 - 1; the message begins
   * with the text.
   */
  public static long parse(String text) {
    return parse(text, Long.MAX_VALUE);
  }

  /** Parses a whole number from -most - 1 to most, likewise. */
  public static long parse(String text, long most) {
    BigDecimal value;
    try {
      value = new BigDecimal(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "', expected a whole number", e);
    }
    // Checked first: the code below would write out an exponent of a billion.
    if (value.signum() != 0 && (long) value.precision() - value.scale() > MAX_DIGITS) {
      throw tooLarge(text, most);
    }
    BigInteger whole;
    try {
      whole = value.toBigIntegerExact();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("'" + text + "', expected a whole number", e);
    }
    BigInteger limit = BigInteger.valueOf(most);
    if (whole.compareTo(limit) > 0 || whole.compareTo(limit.not()) < 0) {
      throw tooLarge(text, most);
    }
    return whole.longValueExact();
  }

  private static IllegalArgumentException tooLarge(String text, long most) {
    return new IllegalArgumentException("'" + text + "', expected at most " + most);
  }
}
