package org.murmur.bip37.privacy;

/**
 * Addresses that the chain links, by being spent together for instance, are found together (M11): a
 * cluster of strangers must match as a whole to be a decoy.
 */
public final class Clusters {

  private Clusters() {}

  /**
   * How many clusters of strangers match as a whole.
   *
   * @param clusters how many clusters of this size there are
   * @param size how many scripts each has
   * @param rate the filter's false-positive rate
   * @return {@code clusters · rate^size}
   */
  public static Figure decoys(double clusters, int size, double rate) {
    return Figure.exact(clusters * Math.pow(rate, size));
  }

  /**
   * Which rate it takes for a number of decoy clusters.
   *
   * @param wanted how many are to match
   * @param clusters how many of this size there are
   * @param size how many scripts each has
   * @return {@code (wanted / clusters)^(1/size)}, above 1 if there are too few clusters
   */
  public static Figure rateFor(double wanted, double clusters, int size) {
    return Figure.exact(Math.pow(wanted / clusters, 1.0 / size));
  }
}
