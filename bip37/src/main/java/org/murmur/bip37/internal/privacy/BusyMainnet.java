package org.murmur.bip37.internal.privacy;

/** Typical blocks of a busy mainnet, for estimates with {@link BlockCost}. */
public final class BusyMainnet {

  /** Transactions of a mainnet block on a busy day; from memory, not measured. */
  public static final int BUSY_BLOCK = 4_000;

  /** Elements tested of a transaction: 4 (one input, segwit) to 9 (two inputs, P2PKH). */
  public static final int TESTED_ELEMENTS = 6;

  /** Bytes of a transaction without witness data. */
  public static final int MEAN_TRANSACTION = 300;

  /** Blocks in a month: one each ten minutes. */
  public static final double BLOCKS_A_MONTH = 365.25 / 12 * 144;

  /**
   * Bytes of a basic block filter (BIP-0158): the mean of heights 480,000 to 940,000, 10.289 GB in
   * all, measured by others (Delving Bitcoin, topic 2428).
   */
  public static final int FILTER = 22_400;

  /** Bytes of a block without witnesses: a third of 4,000,000 less 1,600,000 weight. */
  public static final int WHOLE_BLOCK = 800_000;

  private BusyMainnet() {}

  /** Megabytes a month for one filter on a busy mainnet, expected. */
  public static double megabytesPerMonth(double rate) {
    return BLOCKS_A_MONTH
        * BlockCost.of(BUSY_BLOCK, rate, TESTED_ELEMENTS).bytes(MEAN_TRANSACTION)
        / 1e6;
  }
}
