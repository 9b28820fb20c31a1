package org.murmur.bip37.privacy;

/** How likely it is that a filter is shown to somebody who watches (M14). */
public final class Exposure {

  /**
   * The chance that the answer of a DNS seed held one of the crawlers of an experiment, 2014-12-12
   * to 2015-02-10 (Nick 2015): a prior for the share of peers that watch.
   */
  public static final double NICK_2015 = 0.043;

  private Exposure() {}

  /**
   * The chance that one peer at least of those that see the filter is adversarial.
   *
   * @param adversarial which share of all peers is
   * @param peers how many see the filter at once
   * @return {@code 1 - (1 - a)^peers}
   */
  public static Figure ofPeers(double adversarial, int peers) {
    return Figure.exact(-Math.expm1(peers * Math.log1p(-adversarial)));
  }

  /**
   * The same over sessions with other peers each time. With the same peers each time it stays what
   * it is for one session.
   *
   * @param adversarial which share of all peers is
   * @param peers how many see the filter in each session
   * @param sessions how many
   * @return {@code 1 - (1 - a)^(peers · sessions)}
   */
  public static Figure ofRotatingPeers(double adversarial, int peers, int sessions) {
    return ofPeers(adversarial, Math.multiplyExact(peers, sessions));
  }
}
