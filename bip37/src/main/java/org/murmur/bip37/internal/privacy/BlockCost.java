package org.murmur.bip37.internal.privacy;

/**
 * The download size of a filtered block without the wallet's transactions (M15). Matches of
 * transactions are assumed to be independent.
 *
 * @param transactions T: how many the block has, at least 1
 * @param matchChance q: the chance that one of them matches
 * @param hashes how many hashes of the partial Merkle tree to expect
 * @param flagBits how many flag bits of it to expect
 */
public record BlockCost(int transactions, double matchChance, double hashes, double flagBits) {

  /** Magic, command, length and checksum of every message. */
  public static final int MESSAGE_HEADER_BYTES = 24;

  private static final int BLOCK_HEADER_AND_COUNT_BYTES = 84;
  private static final int HASH_BYTES = 32;

  /** From here on a CompactSize has three bytes instead of one. */
  private static final int THREE_BYTE_SIZES = 253;

  /** Below this rate nothing matches by chance, ever. */
  private static final double LEAST = 1e-15;

  /** Average padding to whole bytes. */
  private static final double ROUNDING_BITS = 3.5;

  /**
   * Computes for a filter's false-positive rate.
   *
   * @param elementsPerTransaction t: how many elements of a transaction are tested, on average
   * @return the cost, with {@code q = 1 - (1 - rate)^t}
   */
  public static BlockCost of(int transactions, double rate, double elementsPerTransaction) {
    return ofMatchChance(transactions, matchChance(rate, elementsPerTransaction));
  }

  /**
   * The chance that a transaction matches because one of its elements does.
   *
   * @param elements t: how many of the transaction are tested
   * @return {@code q = 1 - (1 - rate)^t}
   */
  public static double matchChance(double rate, double elements) {
    return -Math.expm1(elements * Math.log1p(-rate));
  }

  /** Computes for the chance that a transaction matches. */
  public static BlockCost ofMatchChance(int transactions, double matchChance) {
    int height = 32 - Integer.numberOfLeadingZeros(transactions - 1);
    // A block without a match is its root alone: one hash, one bit.
    double hashes = none(matchChance, transactions);
    double bits = 1;
    for (int level = 0; level < height; level++) {
      long nodes = nodes(transactions, level);
      long wholeParents = nodes(transactions, level + 1) - 1;
      // A node is visited when its parent matches. All parents except the last have two children.
      double told =
          2 * wholeParents * some(matchChance, 2L << level)
              + (nodes - 2 * wholeParents)
                  * some(matchChance, transactions - (wholeParents << (level + 1)));
      bits += told;
      // It has a hash if it is a leaf, or if it does not match itself.
      hashes += told;
      if (level > 0) {
        hashes -= (nodes - 1) * some(matchChance, 1L << level);
        hashes -= some(matchChance, transactions - ((nodes - 1) << level));
      }
    }
    return new BlockCost(transactions, matchChance, hashes, bits);
  }

  private static long nodes(int transactions, int level) {
    return (transactions + (1L << level) - 1) >> level;
  }

  private static double none(double chance, double leaves) {
    return Math.exp(leaves * Math.log1p(-chance));
  }

  private static double some(double chance, long leaves) {
    return -Math.expm1(leaves * Math.log1p(-chance));
  }

  /**
   * Returns the number of transactions sent.
   *
   * @return {@code T q}
   */
  public double falseTransactions() {
    return transactions * matchChance;
  }

  /**
   * {@return the bytes of the {@code merkleblock} message, its header included; 143 if nothing
   * matches}
   */
  public double merkleBlockBytes() {
    double nothing = none(matchChance, transactions);
    double flagBytes = nothing + (flagBits - nothing + (1 - nothing) * ROUNDING_BITS) / Byte.SIZE;
    return MESSAGE_HEADER_BYTES
        + BLOCK_HEADER_AND_COUNT_BYTES
        + sizeBytes(hashes)
        + sizeBytes(flagBytes)
        + HASH_BYTES * hashes
        + flagBytes;
  }

  private static int sizeBytes(double count) {
    return count < THREE_BYTE_SIZES ? 1 : 3;
  }

  /**
   * Returns all bytes sent for the block.
   *
   * @param transactionBytes what a transaction without witness data has on average
   * @return the {@code merkleblock} and the {@code tx} messages, headers included
   */
  public double bytes(double transactionBytes) {
    return merkleBlockBytes() + falseTransactions() * (MESSAGE_HEADER_BYTES + transactionBytes);
  }

  /**
   * The inverse: the rate that a budget allows.
   *
   * @param transactionBytes what a transaction without witness data has on average
   * @return the highest rate within the budget, 0 to 1; 0 if even a filter without false positives
   *     exceeds it
   */
  public static double rateFor(
      int transactions,
      double elementsPerTransaction,
      double transactionBytes,
      double bytesPerBlock) {
    if (of(transactions, 1, elementsPerTransaction).bytes(transactionBytes) <= bytesPerBlock) {
      return 1;
    }
    if (of(transactions, LEAST, elementsPerTransaction).bytes(transactionBytes) > bytesPerBlock) {
      return 0;
    }
    // The cost grows with the rate: bisect its logarithm to double precision.
    double from = Math.log(LEAST);
    double to = 0;
    for (int i = 0; i < 100; i++) {
      double middle = (from + to) / 2;
      double cost =
          of(transactions, Math.exp(middle), elementsPerTransaction).bytes(transactionBytes);
      if (cost <= bytesPerBlock) {
        from = middle;
      } else {
        to = middle;
      }
    }
    return Math.exp(from);
  }
}
