package org.murmur.coins.spend.fee;

import java.util.List;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.bip37.tx.Tx;

/**
 * The fees of all transactions of a block together.
 *
 * @param height of the block
 * @param fees in satoshi: what the coinbase pays out beyond the new coins; less than was paid if
 *     the miner claimed less
 * @param txWeight weight units of all transactions but the coinbase
 * @param weight weight units of the whole block
 */
public record BlockFees(int height, long fees, long txWeight, long weight) {

  /** Maximum weight of a block (BIP-0141). */
  public static final long MAX_WEIGHT = 4_000_000;

  /**
   * From this weight on a block is full, so that somebody may have waited in vain. Miners keep some
   * space for the coinbase, and stop when nothing small enough is left.
   */
  static final long FULL_WEIGHT = 3_900_000;

  private static final int WEIGHT_PER_KVB = 4_000;

  /**
   * Reads a block.
   *
   * @param block sound, with its witness data
   * @param height its height
   * @param subsidy the new coins that it may create, in satoshi
   * @return its fees
   */
  public static BlockFees of(FullBlock block, int height, long subsidy) {
    List<Tx> transactions = block.transactions();
    long claimed = transactions.get(0).outputs().stream().mapToLong(Tx.Output::value).sum();
    long txWeight = transactions.stream().skip(1).mapToLong(Tx::weight).sum();
    return new BlockFees(height, Math.max(0, claimed - subsidy), txWeight, block.weight());
  }

  /** {@return the average fee rate, rounded down; 0 for a block without payments} */
  public FeeRate rate() {
    if (txWeight == 0) {
      return FeeRate.ZERO;
    }
    // At most 21e14 * 4000 = 8.4e18, which fits 63 bits.
    return FeeRate.satPerKvb(Math.min(FeeRate.MAX_SAT_PER_KVB, fees * WEIGHT_PER_KVB / txWeight));
  }

  /** {@return whether there was no room for more; false if it took all that paid the least rate} */
  public boolean isFull() {
    return weight >= FULL_WEIGHT;
  }

  /**
   * {@return whether it holds no payment; true for a coinbase alone} A miner may have had no time
   * to choose any, so it says nothing about others.
   */
  public boolean isEmpty() {
    return txWeight == 0;
  }

  /** {@return how full it is, percent of the maximum weight, rounded down} */
  public int percent() {
    return (int) (weight * 100 / MAX_WEIGHT);
  }
}
