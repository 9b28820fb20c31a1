package org.murmur.bip37;

/**
 * The role of a wallet's filter. A peer that has a filter of one role must not get one of the
 * other.
 */
public enum FilterRole {
  /** Finds payments to the wallet. */
  SCRIPTS("scripts"),
  /** Finds spends of the wallet's coins. */
  OUTPOINTS("outpoints");

  private final String title;

  FilterRole(String title) {
    this.title = title;
  }

  /** {@return its name in labels and for people, one word, lower case} */
  public String title() {
    return title;
  }
}
