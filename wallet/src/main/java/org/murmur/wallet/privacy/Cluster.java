package org.murmur.wallet.privacy;

import org.murmur.bip37.internal.privacy.Clusters;

/**
 * The knowledge that linked addresses disclose (M11). An observer that groups addresses by common
 * spends can test whether a whole group is in the filters, which raises the false-positive rate to
 * a power.
 *
 * @param addresses how many addresses of the wallet the chain links (s)
 * @param groups how many groups of that size the chain has: assumed, from recalled figures
 * @param strangers how many foreign groups are expected to pass by chance
 * @param rateToHide the rate at which a hundred would
 */
public record Cluster(int addresses, double groups, double strangers, double rateToHide) {

  // Sizes and counts of co-spend groups on mainnet: assumptions of the privacy notes, recalled.
  private static final double[] SIZES = {2, 5, 10, 20};
  private static final double[] COUNTS = {1e8, 2e7, 1e7, 3e6};

  private static final double CROWD = 100;

  /**
   * Estimates what a group of linked addresses discloses.
   *
   * @param addresses how many addresses of the wallet the chain links
   * @param logRates the sum of the natural logarithms of the rates at which each is found
   * @param universe the scripts among which the wallet hides
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

  /** Interpolates linearly in logarithms between the known sizes; beyond them the last one. */
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
