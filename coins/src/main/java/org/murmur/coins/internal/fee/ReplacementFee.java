package org.murmur.coins.internal.fee;

import java.util.Collection;
import org.murmur.coins.spend.fee.FeeRate;

/**
 * The fee that a replacement must pay (BIP-0125). Rule 3: at least the fees of all it replaces.
 * Rule 4: on top of them, relay of its own size. Core asks in addition that its rate is above that
 * of each transaction it conflicts with, in whole satoshi per 1,000 virtual bytes.
 */
public final class ReplacementFee {

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
   * Returns the smallest fee in satoshi of a replacement of a size, if all these leave the memory
   * pools and nodes charge so much for relay: usually {@link FeeRate#INCREMENTAL}.
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

  private static long aboveRateOf(Evicted tx, long vsize) {
    return FeeRate.satPerKvb(FeeRate.paid(tx.fee(), tx.vsize()).satPerKvb() + 1).feeOf(vsize);
  }
}
