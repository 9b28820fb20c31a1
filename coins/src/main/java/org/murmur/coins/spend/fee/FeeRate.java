package org.murmur.coins.spend.fee;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A fee rate. Fees are rounded up, as Core's CFeeRate does, so that a transaction never pays less
 * than its rate. Immutable.
 */
public final class FeeRate implements Comparable<FeeRate> {

  /** 1 BTC per virtual byte. Products with the largest transaction fit 64 bits. */
  public static final long MAX_SAT_PER_KVB = 100_000_000_000L;

  /** No fee. */
  public static final FeeRate ZERO = new FeeRate(0);

  /**
   * The rate below which an output counts as dust: 3,000 sat/kvB (Core's DUST_RELAY_TX_FEE). All
   * nodes use it, whatever they charge for relay.
   */
  public static final FeeRate DUST = new FeeRate(3_000);

  /**
   * The rate that nodes charge for relay of a replacement. 1 sat/vB was Core's default before
   * versions 28.3, 29.1 and 30.0, which have 0.1 sat/vB; a replacement that pays 1 sat/vB passes
   * both.
   */
  public static final FeeRate INCREMENTAL = new FeeRate(1_000);

  private static final int VB_PER_KVB = 1_000;
  private static final int WEIGHT_PER_KVB = 4_000;
  private static final int DECIMALS = 3;
  private static final String UNIT = "sat/vB";
  private static final Pattern NUMBER = Pattern.compile("-?([0-9]+(\\.[0-9]+)?|\\.[0-9]+)");

  private final long satPerKvb;

  private FeeRate(long satPerKvb) {
    this.satPerKvb = satPerKvb;
  }

  /**
   * Makes a rate of whole satoshi per virtual byte.
   *
   * @param rate satoshi per virtual byte
   * @return the rate
   * @throws IllegalArgumentException if it is negative or above 1 BTC per virtual byte
   */
  public static FeeRate satPerVb(long rate) {
    return satPerVb(BigDecimal.valueOf(rate));
  }

  /**
   * Makes a rate of a decimal number.
   *
   * @param rate satoshi per virtual byte, with at most three decimals
   * @return the rate
   * @throws IllegalArgumentException if it is negative, too large or has more decimals
   */
  public static FeeRate satPerVb(BigDecimal rate) {
    BigDecimal satPerKvb = rate.movePointRight(DECIMALS);
    if (rate.signum() < 0 || satPerKvb.compareTo(BigDecimal.valueOf(MAX_SAT_PER_KVB)) > 0) {
      throw new IllegalArgumentException(
          "a fee rate is 0 to 100,000,000 sat/vB, and this is " + shown(rate));
    }
    if (satPerKvb.stripTrailingZeros().scale() > 0) {
      throw new IllegalArgumentException(
          "a fee rate has at most three decimals, and this is " + shown(rate));
    }
    return new FeeRate(satPerKvb.longValueExact());
  }

  /** Not the digits of a number of any length. */
  private static String shown(BigDecimal rate) {
    return rate.round(new MathContext(12)) + " " + UNIT;
  }

  /**
   * Makes a rate in the unit that messages between nodes have.
   *
   * @param rate satoshi per 1,000 virtual bytes, which are 4,000 weight units: 1,000 is 1 sat/vB
   * @return the rate
   * @throws IllegalArgumentException if it is negative or above 1 BTC per virtual byte
   */
  public static FeeRate satPerKvb(long rate) {
    return satPerVb(BigDecimal.valueOf(rate, DECIMALS));
  }

  /**
   * Reads a rate as people type it.
   *
   * @param text for instance {@code 2.5} or {@code 2.5 sat/vB}
   * @return the rate
   * @throws IllegalArgumentException if it is none; the message says why
   */
  public static FeeRate parse(String text) {
    String plain = text.trim();
    if (plain.toLowerCase(Locale.ROOT).endsWith("sat/vb")) {
      plain = plain.substring(0, plain.length() - UNIT.length()).trim();
    }
    if (!NUMBER.matcher(plain).matches()) {
      throw new IllegalArgumentException("expected satoshi per virtual byte, for instance 2.5");
    }
    return satPerVb(new BigDecimal(plain));
  }

  /**
   * {@return the rate in the unit that messages between nodes have, satoshi per 1,000 virtual
   * bytes}
   */
  public long satPerKvb() {
    return satPerKvb;
  }

  /**
   * Returns the rate that a transaction pays.
   *
   * @param fee in satoshi
   * @param vsize virtual bytes, more than 0
   * @return the rate, rounded down, at most 1 BTC per virtual byte
   */
  public static FeeRate paid(long fee, long vsize) {
    return new FeeRate(Math.min(MAX_SAT_PER_KVB, Math.multiplyExact(fee, VB_PER_KVB) / vsize));
  }

  /**
   * Returns the fee of a size.
   *
   * @param vsize virtual bytes
   * @return satoshi, rounded up
   */
  public long feeOf(long vsize) {
    return roundedUp(Math.multiplyExact(satPerKvb, vsize), VB_PER_KVB);
  }

  /**
   * Returns the fee of a part of a transaction, whose weight need not be whole virtual bytes.
   *
   * @param weight weight units
   * @return satoshi, rounded up
   */
  public long feeOfWeight(long weight) {
    return roundedUp(Math.multiplyExact(satPerKvb, weight), WEIGHT_PER_KVB);
  }

  private static long roundedUp(long dividend, int divisor) {
    return (dividend + divisor - 1) / divisor;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FeeRate rate && rate.satPerKvb == satPerKvb;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(satPerKvb);
  }

  @Override
  public int compareTo(FeeRate other) {
    return Long.compare(satPerKvb, other.satPerKvb);
  }

  /** For instance {@code 2.5 sat/vB}. */
  @Override
  public String toString() {
    return BigDecimal.valueOf(satPerKvb, DECIMALS).stripTrailingZeros().toPlainString()
        + " "
        + UNIT;
  }
}
