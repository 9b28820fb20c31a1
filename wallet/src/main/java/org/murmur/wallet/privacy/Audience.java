package org.murmur.wallet.privacy;

/**
 * The chance that one who was shown a filter collects filters (M14).
 *
 * @param peers how many different peers on the internet were shown one; nodes on this machine and
 *     in private networks are taken to be the user's own
 * @param collectors the part of all peers that collects: assumed
 * @param chance that at least one of them does
 */
public record Audience(int peers, double collectors, double chance) {

  /** How often an answer of a DNS seed named a collector in 2014 (Nick 2015). */
  public static final double PUBLISHED = 0.043;

  /**
   * Computes it.
   *
   * @param peers how many
   * @return the exposure, with the published figure
   */
  public static Audience of(int peers) {
    return new Audience(peers, PUBLISHED, -Math.expm1(peers * Math.log1p(-PUBLISHED)));
  }
}
