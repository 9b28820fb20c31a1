package org.murmur.bip37.internal.privacy;

/** The probability that a filter reaches an adversarial peer (M14). */
public final class Exposure {

  /**
   * The share of DNS seed answers with a crawler of an experiment, 2014-12-12 to 2015-02-10 (Nick
   * 2015): a prior for the share of adversarial peers.
   */
  public static final double NICK_2015 = 0.043;

  private Exposure() {}

  /**
   * The probability that at least one peer that receives the filter is adversarial.
   *
   * @param adversarial share of adversarial peers
   * @return {@code 1 - (1 - a)^peers}
   */
  public static Figure ofPeers(double adversarial, int peers) {
    return Figure.exact(-Math.expm1(peers * Math.log1p(-adversarial)));
  }

  /**
   * The same over several sessions with different peers. With the same peers it is the value for
   * one session.
   *
   * @param adversarial share of adversarial peers
   * @return {@code 1 - (1 - a)^(peers · sessions)}
   */
  public static Figure ofRotatingPeers(double adversarial, int peers, int sessions) {
    return ofPeers(adversarial, Math.multiplyExact(peers, sessions));
  }
}
