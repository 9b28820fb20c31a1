package org.murmur.coins.spend.fee;

/** The fee that a child pays so that a miner takes its unconfirmed parents with it (CPFP). */
public final class ChildFee {

  private ChildFee() {}

  /**
   * Returns the fee of a child with which the whole package pays a rate.
   *
   * @param parentFee sum of the parents' fees in satoshi; 0 if not known, then the package pays
   *     more by what they pay
   * @param parentVsize sum of the parents' virtual bytes
   * @param childVsize virtual bytes of the child
   * @param rate of the package
   * @return satoshi, never below the child's own fee at this rate
   */
  public static long of(long parentFee, long parentVsize, long childVsize, FeeRate rate) {
    long whole = rate.feeOf(parentVsize + childVsize) - parentFee;
    return Math.max(whole, rate.feeOf(childVsize));
  }
}
