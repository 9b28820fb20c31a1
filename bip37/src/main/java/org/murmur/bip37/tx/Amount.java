package org.murmur.bip37.tx;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An amount of bitcoin to pay: 0 to 21,000,000 BTC, in whole satoshi. Results are {@code long}
 * satoshi instead, since a change may be negative. Immutable.
 */
public final class Amount implements Comparable<Amount> {

  /** Nothing. */
  public static final Amount ZERO = new Amount(0);

  /** 21,000,000 BTC. */
  public static final Amount MAX = new Amount(Tx.MAX_MONEY);

  private static final int DECIMALS = 8;
  private static final Pattern TEXT =
      Pattern.compile("(-?[0-9.,]+)\\s*(btc|sats?|satoshis?)?", Pattern.CASE_INSENSITIVE);
  private static final Pattern NUMBER =
      Pattern.compile("-?([0-9]{1,40}(\\.[0-9]{1,40})?|\\.[0-9]{1,40})");

  private final long satoshi;

  private Amount(long satoshi) {
    this.satoshi = satoshi;
  }

  /**
   * Makes an amount of satoshi.
   *
   * @param satoshi how many
   * @return the amount
   * @throws IllegalArgumentException if it is negative, or more than {@link #MAX}
   */
  public static Amount sat(long satoshi) {
    return btc(BigDecimal.valueOf(satoshi, DECIMALS));
  }

  /**
   * Makes an amount of a decimal number.
   *
   * @param btc with at most eight decimals
   * @return the amount
   * @throws IllegalArgumentException if it is negative, more than {@link #MAX} or no whole number
   *     of satoshi; the message says which
   */
  public static Amount btc(BigDecimal btc) {
    if (btc.signum() < 0) {
      throw new IllegalArgumentException("an amount is not below 0");
    }
    if (btc.compareTo(BigDecimal.valueOf(Tx.MAX_MONEY, DECIMALS)) > 0) {
      throw new IllegalArgumentException("there are only 21,000,000 BTC");
    }
    if (btc.stripTrailingZeros().scale() > DECIMALS) {
      throw new IllegalArgumentException(
          "more than eight decimals: there is nothing smaller than a satoshi");
    }
    return new Amount(btc.movePointRight(DECIMALS).longValueExact());
  }

  /**
   * Reads an amount with its unit. A number alone is refused: it may be either.
   *
   * @param text for instance {@code 0.015BTC}, {@code 0.015 btc} or {@code 1500000sat}
   * @return the amount
   * @throws IllegalArgumentException if it is none; the message says why
   */
  public static Amount parse(String text) {
    Matcher parts = TEXT.matcher(text.trim());
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "no amount: expected a number and BTC or sat, for instance 0.015BTC or 1500000sat");
    }
    String number = String.valueOf(parts.group(1));
    String unit = parts.group(2);
    if (number.indexOf(',') >= 0) {
      throw new IllegalArgumentException(
          "a comma: write decimals after a point, and thousands without a mark");
    }
    if (number.endsWith(".")) {
      throw new IllegalArgumentException("no digit follows the point");
    }
    if (!NUMBER.matcher(number).matches()) {
      throw new IllegalArgumentException("no number: a point stands before the decimals only");
    }
    if (unit == null) {
      throw new IllegalArgumentException("no unit: write " + number + "BTC or " + number + "sat");
    }
    boolean inBtc = unit.toLowerCase(Locale.ROOT).equals("btc");
    if (!inBtc && number.indexOf('.') >= 0) {
      throw new IllegalArgumentException("there is nothing smaller than a satoshi: omit the point");
    }
    BigDecimal value = new BigDecimal(number);
    return btc(inBtc ? value : value.movePointLeft(DECIMALS));
  }

  /** {@return the amount as a number, in satoshi} */
  public long satoshi() {
    return satoshi;
  }

  /** {@return the amount as a decimal number, in BTC, with eight decimals} */
  public BigDecimal btc() {
    return BigDecimal.valueOf(satoshi, DECIMALS);
  }

  @Override
  public int compareTo(Amount other) {
    return Long.compare(satoshi, other.satoshi);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Amount amount && amount.satoshi == satoshi;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(satoshi);
  }

  /** For instance {@code 1500000 sat}. */
  @Override
  public String toString() {
    return satoshi + " sat";
  }
}
