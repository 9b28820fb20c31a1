package org.murmur.bip37.internal.privacy;

/**
 * Clusters of addresses that the chain links, for instance by a common spend (M11): a foreign
 * cluster is a decoy only if all its addresses match.
 */
public final class Clusters {

  private Clusters() {}

  /**
   * The expected number of decoy clusters.
   *
   * @return {@code clusters · rate^size}
   */
  public static Figure decoys(double clusters, int size, double rate) {
    return Figure.exact(clusters * Math.pow(rate, size));
  }

  /**
   * The rate that gives a number of decoy clusters.
   *
   * @return {@code (wanted / clusters)^(1/size)}, above 1 if there are too few clusters
   */
  public static Figure rateFor(double wanted, double clusters, int size) {
    return Figure.exact(Math.pow(wanted / clusters, 1.0 / size));
  }
}
