package org.murmur.wallet.privacy;

import org.murmur.bip37.privacy.Clusters;

/**
 * What linked addresses give away (M11): who groups addresses by what was spent together asks
 * whether a whole group is in the filters, and the noise is raised to a power.
 *
 * @param addresses how many addresses of the wallet the chain links (s)
 * @param groups how many groups of that size the chain has: assumed, from recalled figures
 * @param strangers how many of these are expected to pass by chance
 * @param rateToHide the rate at which a hundred would
 */
public record Cluster(int addresses, double groups, double strangers, double rateToHide) {

  // Sizes and counts of co-spend groups on mainnet: assumptions of the privacy notes, recalled.
  private static final double[] SIZES = {2, 5, 10, 20};
  private static final double[] COUNTS = {1e8, 2e7, 1e7, 3e6};

  private static final double CROWD = 100;

  /**
   * Estimates what a group of linked addresses gives away.
   *
   * @param addresses how many addresses of the wallet the chain links
   * @param logRates the sum of the natural logarithms of the rates at which each is found
   * @param universe whom the wallet hides among
   * @return the estimate
   */
  public static Cluster of(int addresses, double logRates, Universe universe) {
    double groups = groups(addresses) * universe.partOfMainnet();
    return new Cluster(
        addresses,
        groups,
        Clusters.decoys(groups, addresses, Math.exp(logRates / addresses)).value(),
        Math.min(1, Clusters.rateFor(CROWD, groups, addresses).value()));
  }

  /** Between the known sizes on a straight line of logarithms; beyond them the last one. */
  static double groups(int addresses) {
    int last = SIZES.length - 1;
    if (addresses >= SIZES[last]) {
      return COUNTS[last];
    }
    int above = 1;
    while (addresses > SIZES[above]) {
      above++;
    }
    double part =
        Math.log(addresses / SIZES[above - 1]) / Math.log(SIZES[above] / SIZES[above - 1]);
    return COUNTS[above - 1] * Math.pow(COUNTS[above] / COUNTS[above - 1], part);
  }
}
