package org.murmur.wallet.privacy;

import org.murmur.bip37.internal.privacy.Exposure;

/**
 * The chance that at least one of the peers that got a filter collects filters (M14).
 *
 * @param peers how many different peers on the internet got one; nodes on this machine and in
 *     private networks are taken to be the user's own
 * @param collectors the part of all peers that collects: assumed
 * @param chance that at least one of them does
 */
public record Audience(int peers, double collectors, double chance) {

  /**
   * Computes it.
   *
   * @param peers how many
   * @return the exposure, assuming the share of collectors that one crawler had among answers of
   *     DNS seeds
   */
  public static Audience of(int peers) {
    return new Audience(
        peers, Exposure.NICK_2015, Exposure.ofPeers(Exposure.NICK_2015, peers).value());
  }
}
