package org.murmur.lab.privacy.adversaries;

/** The adversaries: who sees a wallet's filters, and the method used (privacy.md, section 5). */
public enum Adversary {
  /** One peer takes everything that matches its filter. */
  A1("A1", "one peer, one filter"),
  /** The same peer also tests what else it knows of each script: key and outpoints. */
  A1B("A1b", "one peer, pair test in one filter"),
  /** One peer over four starts, including a restore, with an unchanged wallet. */
  A2("A2", "one peer, four sessions"),
  /** The same over the wallet's whole life: growth, ten restarts and the restore. */
  A2_LIFE("A2-life", "one peer, the whole life"),
  /** The peer that has the outpoints, if a separate peer has them: before and after the restore. */
  A2_B("A2-B", "guard B before and after a restore"),
  /** Two peers with filters of scripts compare their matches. */
  A3("A3", "two peers together"),
  /** A peer with the scripts and one with the outpoints, if these are separate peers. */
  A3_PAIR("A+B", "guard A together with guard B"),
  /** An observer of all messages, to all peers, at all starts. */
  A4("A4", "observer of all traffic"),
  /** One peer before and after the wallet grew: the scripts in both filters. */
  A5_OLD("A5-old", "before and after growth: old keys"),
  /** The same: the scripts only in the second filter. */
  A5_NEW("A5-new", "before and after growth: new keys"),
  /** A1 that also knows which scripts were spent together: clusters that match completely. */
  A6("A6", "one peer that follows the chain"),
  /** The same, but takes a whole cluster if three quarters of it match. */
  A6_MOST("A6-most", "the same, accepts three quarters"),
  /** The same, and also treats a transaction's only fresh output as its change. */
  A6_CHANGE("A6-change", "the same, guesses change too");

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
