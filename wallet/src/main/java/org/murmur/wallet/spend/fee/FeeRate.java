package org.murmur.wallet.spend.fee;

import java.math.BigDecimal;

/**
 * A fee rate. Fees are rounded up, as Core's CFeeRate does, so that a transaction never pays less
 * than its rate.
 *
 * @param satPerKvb satoshi per 1,000 virtual bytes, which are 4,000 weight units
 */
public record FeeRate(long satPerKvb) implements Comparable<FeeRate> {

  /** No fee. */
  public static final FeeRate ZERO = new FeeRate(0);

  /**
   * The rate below which an output counts as dust: 3,000 sat/kvB (Core's DUST_RELAY_TX_FEE). All
   * nodes use it, whatever they charge for relay.
   */
  public static final FeeRate DUST = new FeeRate(3_000);

  /**
   * What nodes charge for relay of a replacement. 1 sat/vB was Core's default before versions 28.3,
   * 29.1 and 30.0, which have 0.1 sat/vB; a replacement that pays 1 sat/vB passes both.
   */
  public static final FeeRate INCREMENTAL = new FeeRate(1_000);

  /** 1 BTC per virtual byte. Products with the largest transaction fit 64 bits. */
  public static final long MAX_SAT_PER_KVB = 100_000_000_000L;

  private static final int VB_PER_KVB = 1_000;
  private static final int WEIGHT_PER_KVB = 4_000;

  /** Checks the range. */
  public FeeRate {
    if (satPerKvb < 0 || satPerKvb > MAX_SAT_PER_KVB) {
      throw new IllegalArgumentException(
          "fee rate " + satPerKvb + " sat/kvB, expected 0 to " + MAX_SAT_PER_KVB);
    }
  }

  /**
   * Makes a rate of whole satoshi.
   *
   * @param satPerVb satoshi per virtual byte
   * @return the rate
   * @throws IllegalArgumentException if it is negative or above 1 BTC per virtual byte
   */
  public static FeeRate ofSatPerVb(long satPerVb) {
    return new FeeRate(Math.multiplyExact(satPerVb, VB_PER_KVB));
  }

  /**
   * Makes a rate of a decimal number.
   *
   * @param satPerVb satoshi per virtual byte, with at most three decimals
   * @return the rate
   * @throws IllegalArgumentException if it is negative, too large or has more decimals
   */
  public static FeeRate ofSatPerVb(BigDecimal satPerVb) {
    try {
      return new FeeRate(satPerVb.movePointRight(3).longValueExact());
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          "fee rate " + satPerVb + " sat/vB, expected at most three decimals", e);
    }
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
  public int compareTo(FeeRate other) {
    return Long.compare(satPerKvb, other.satPerKvb);
  }

  /** For instance {@code 2.5 sat/vB}. */
  @Override
  public String toString() {
    return BigDecimal.valueOf(satPerKvb, 3).stripTrailingZeros().toPlainString() + " sat/vB";
  }
}
