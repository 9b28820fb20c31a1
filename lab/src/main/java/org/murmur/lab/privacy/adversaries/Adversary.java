package org.murmur.lab.privacy.adversaries;

/** Who looks at a wallet's filters, and how (privacy.md, section 5). */
public enum Adversary {
  /** One peer takes everything that matches its filter. */
  A1("A1", "one peer, one filter"),
  /** The same peer also tests what else it knows of each script: key and outpoints. */
  A1B("A1b", "one peer, pair test in one filter"),
  /** One peer over four starts, a restore among them, with an unchanged wallet. */
  A2("A2", "one peer, four sessions"),
  /** The same over its whole life: growth, ten restarts and the restore. */
  A2_LIFE("A2-life", "one peer, the whole life"),
  /** The peer that has the outpoints, if these are apart: before and after the restore. */
  A2_B("A2-B", "guard B before and after a restore"),
  /** Two peers that were sent filters of scripts compare what matches. */
  A3("A3", "two peers together"),
  /** A peer with the scripts and the one with the outpoints, if these are apart. */
  A3_PAIR("A+B", "guard A together with guard B"),
  /** Whoever sees all that is sent, to all peers, at all starts. */
  A4("A4", "observer of all traffic"),
  /** One peer before and after the wallet grew: what is in both. */
  A5_OLD("A5-old", "before and after growth: old keys"),
  /** The same: what is in the second only. */
  A5_NEW("A5-new", "before and after growth: new keys"),
  /** A1 who also knows what was spent together: clusters that match as a whole. */
  A6("A6", "one peer who follows the chain"),
  /** The same, if three quarters of a cluster match: then he takes all of it. */
  A6_MOST("A6-most", "the same, content with three quarters"),
  /** The same, who also takes the one fresh output of a transaction for its change. */
  A6_CHANGE("A6-change", "the same, who guesses change too");

  private final String id;
  private final String title;

  Adversary(String id, String title) {
    this.id = id;
    this.title = title;
  }

  public String id() {
    return id;
  }

  public String title() {
    return title;
  }
}
