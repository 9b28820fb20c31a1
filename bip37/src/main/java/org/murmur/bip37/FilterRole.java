package org.murmur.bip37;

/** What a wallet's filter is for: a peer that holds the one must not be shown the other. */
public enum FilterRole {
  /** Finds payments to the wallet. */
  SCRIPTS("scripts"),
  /** Finds what spends the wallet's coins. */
  OUTPOINTS("outpoints");

  private final String title;

  FilterRole(String title) {
    this.title = title;
  }

  /**
   * Returns its name in labels and for people.
   *
   * @return one word, lower case
   */
  public String title() {
    return title;
  }
}
