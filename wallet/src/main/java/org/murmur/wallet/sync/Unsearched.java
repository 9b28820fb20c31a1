package org.murmur.wallet.sync;

/**
 * The coins whose spends a balance cannot know yet. Under the private preset a session that follows
 * searches for spends of a new coin from its next tick on, a day at most: an earlier search would
 * reveal in which block the coin came ({@code docs/adr/0022}). A payment of this wallet is known at
 * once. A spend by another copy of its keys is not, if it leaves no change: until then the balance
 * counts the coin.
 *
 * @param coins how many coins of the balance were not searched for spends up to the tip
 * @param value their sum in satoshi: the balance may be too high by so much
 * @param addresses how many own addresses were not searched up to the tip: ones beyond the
 *     look-ahead of the last tick, whose payments the balance may lack
 * @param untilHeight the height at which the session has searched for all of these
 */
public record Unsearched(int coins, long value, int addresses, int untilHeight) {

  /** Nothing: the balance is known. */
  public static final Unsearched NOTHING = new Unsearched(0, 0, 0, 0);

  /** {@return whether the balance is known; true if everything was searched} */
  public boolean isNothing() {
    return coins == 0 && addresses == 0;
  }
}
