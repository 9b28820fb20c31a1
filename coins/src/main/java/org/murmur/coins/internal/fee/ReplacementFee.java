package org.murmur.coins.internal.fee;

import java.util.Collection;
import org.murmur.coins.spend.fee.FeeRate;

/**
 * The fee that a replacement must pay (BIP-0125). Rule 3: at least the fees of all it replaces.
 * Rule 4: on top of them, relay of its own size. Core asks in addition that its rate is above that
 * of each transaction it conflicts with, in whole satoshi per 1,000 virtual bytes.
 */
public final class ReplacementFee {

  /** Core's WALLET_INCREMENTAL_RELAY_FEE, in satoshi per 1,000 virtual bytes. */
  private static final long WALLET_INCREMENTAL = 5_000;

  private ReplacementFee() {}

  /**
   * A transaction that the replacement evicts.
   *
   * @param fee in satoshi
   * @param vsize virtual bytes
   * @param direct whether it spends an input of the replacement; false for its descendants
   */
  public record Evicted(long fee, long vsize, boolean direct) {}

  /**
   * Returns the smallest fee of a replacement.
   *
   * @param evicted all that leave the memory pools, with descendants
   * @param vsize virtual bytes of the replacement
   * @param incremental what nodes charge for relay, usually {@link FeeRate#INCREMENTAL}
   * @return satoshi
   */
  public static long minimum(Collection<Evicted> evicted, long vsize, FeeRate incremental) {
    long replaced = evicted.stream().mapToLong(Evicted::fee).sum();
    long least = replaced + incremental.feeOf(vsize);
    for (Evicted tx : evicted) {
      if (tx.direct()) {
        least = Math.max(least, aboveRateOf(tx, vsize));
      }
    }
    return least;
  }

  /**
   * Returns the rate of a replacement where the user names none, as Core's wallet chooses it: the
   * original's and 5 sat/vB more.
   *
   * @param fee of the original in satoshi
   * @param vsize virtual bytes of the original
   */
  public static FeeRate usualRate(long fee, long vsize) {
    return FeeRate.satPerKvb(FeeRate.paid(fee, vsize).satPerKvb() + 1 + WALLET_INCREMENTAL);
  }

  /**
   * Returns whether a fee satisfies rules 3 and 4.
   *
   * @param replacedFees sum of the fees of all that are evicted, in satoshi
   * @param fee of the replacement, in satoshi
   * @param vsize virtual bytes of the replacement
   * @param incremental what a node charges for relay
   * @return false if a node with this rate refuses it
   */
  public static boolean pays(long replacedFees, long fee, long vsize, FeeRate incremental) {
    return fee >= replacedFees && fee - replacedFees >= incremental.feeOf(vsize);
  }

  private static long aboveRateOf(Evicted tx, long vsize) {
    return FeeRate.satPerKvb(FeeRate.paid(tx.fee(), tx.vsize()).satPerKvb() + 1).feeOf(vsize);
  }
}
