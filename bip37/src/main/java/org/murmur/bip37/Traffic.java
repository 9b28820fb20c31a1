package org.murmur.bip37;

/**
 * What blocks filtered at some false-positive rate cost, when nothing in them is the wallet's: the
 * price of hiding. Matches are taken to be independent.
 *
 * <p>Symbols: T transactions a block, t elements tested of each, p the filter's rate; then a
 * transaction matches with q = 1 - (1 - p)^t.
 */
public final class Traffic {

  /** Transactions of a mainnet block on a busy day; recalled, not measured. */
  public static final int BUSY_BLOCK = 4_000;

  /** Elements tested of a transaction: 4 (one input, segwit) to 9 (two inputs, P2PKH). */
  public static final int TESTED_ELEMENTS = 6;

  /** Bytes of a transaction without witness data. */
  public static final int MEAN_TRANSACTION = 300;

  /** Blocks in a month. */
  public static final double BLOCKS_A_MONTH = 365.25 / 12 * 144;

  /** The frame around a message. */
  private static final int FRAME = 24;

  private Traffic() {}

  /**
   * The part of all transactions that match by chance.
   *
   * @param rate p
   * @param tested t
   * @return q, 0 to 1
   */
  public static double matchingPart(double rate, int tested) {
    return -Math.expm1(tested * Math.log1p(-rate));
  }

  /**
   * The expected number of hashes in a partial Merkle tree.
   *
   * @param transactions T, above 0
   * @param part q
   * @return at least 1, if nothing matches
   */
  public static double expectedHashes(int transactions, double part) {
    int height = height(transactions);
    double hashes = Math.pow(1 - part, transactions);
    for (int level = 0; level < height; level++) {
      for (int node = 0; node < width(transactions, level); node++) {
        double parent = matching(transactions, part, level + 1, node / 2);
        hashes += parent - (level > 0 ? matching(transactions, part, level, node) : 0);
      }
    }
    return height == 0 ? 1 : hashes;
  }

  /**
   * The expected number of flag bits in a partial Merkle tree.
   *
   * @param transactions T, above 0
   * @param part q
   * @return at least 1
   */
  public static double expectedBits(int transactions, double part) {
    double bits = 1;
    for (int level = 0; level < height(transactions); level++) {
      for (int node = 0; node < width(transactions, level); node++) {
        bits += matching(transactions, part, level + 1, node / 2);
      }
    }
    return bits;
  }

  /**
   * Bytes on the wire for one filtered block, expected.
   *
   * @param rate p
   * @param transactions T
   * @param tested t
   * @param mean bytes of a transaction without witness data
   * @return bytes, frames included
   */
  public static double bytesPerBlock(double rate, int transactions, int tested, double mean) {
    double part = matchingPart(rate, tested);
    double hashes = expectedHashes(transactions, part);
    double flags = Math.ceil(expectedBits(transactions, part) / 8);
    double counts = compactSize(hashes) + compactSize(flags);
    return FRAME + 80 + 4 + counts + 32 * hashes + flags + transactions * part * (FRAME + mean);
  }

  /**
   * Megabytes a month for one filter on a busy mainnet, expected.
   *
   * @param rate p
   * @return millions of bytes
   */
  public static double megabytesPerMonth(double rate) {
    return BLOCKS_A_MONTH
        * bytesPerBlock(rate, BUSY_BLOCK, TESTED_ELEMENTS, MEAN_TRANSACTION)
        / 1e6;
  }

  /** Whether anything below a node matches, as a probability. */
  private static double matching(int transactions, double part, int level, int node) {
    int first = node << level;
    int leaves = Math.min(transactions, (node + 1) << level) - first;
    return -Math.expm1(leaves * Math.log1p(-part));
  }

  private static int height(int transactions) {
    int height = 0;
    while (width(transactions, height) > 1) {
      height++;
    }
    return height;
  }

  private static int width(int transactions, int level) {
    return (transactions + (1 << level) - 1) >> level;
  }

  private static int compactSize(double value) {
    return value < 253 ? 1 : 3;
  }
}
