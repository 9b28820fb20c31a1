package org.murmur.wallet.overview;

import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.murmur.bip37.bytes.Hash256;

/**
 * How much of the chain the wallet knows, as of one commit: what it says of coins and payments is
 * true up to there.
 *
 * @param base the height of the first block of its headers: 0 for genesis, otherwise a known block
 *     below the wallet's birthday
 * @param height the height of its best header, the base's if there is none
 * @param tip that block's hash
 * @param tipTime that block's time
 * @param from the first height that concerns the wallet, its birthday; empty while the height of
 *     the birthday is not known
 * @param scannedTo everything of the wallet up to this height is known; empty if nothing was
 *     scanned
 * @param complete whether that is the tip; false if it was {@linkplain #isNeverSynced never synced}
 * @param seenBy how many different peers served everything up to {@code scannedTo}, taken from the
 *     block with the fewest
 * @param seen the same for every height from the birthday to the tip, as ascending ranges
 */
public record ChainState(
    int base,
    int height,
    Hash256 tip,
    Instant tipTime,
    OptionalInt from,
    OptionalInt scannedTo,
    boolean complete,
    int seenBy,
    List<CoverageMap.Seen> seen) {

  /** Copies the list. */
  public ChainState {
    seen = List.copyOf(seen);
  }

  /**
   * {@return whether no sync has brought a header yet, so that nothing is known of the wallet; true
   * as long as the height is the base's} A sync of a chain that ends at the {@link #base} changes
   * nothing about that: there was nothing to learn.
   */
  public boolean isNeverSynced() {
    return height == base;
  }

  /**
   * Says how much is known.
   *
   * @return a part of a sentence in English, without txids and amounts
   */
  public String words() {
    if (complete) {
      return "height "
          + height
          + ", complete, seen by "
          + seenBy
          + (seenBy == 1 ? " peer" : " peers")
          + ", block of "
          + tipTime;
    }
    if (isNeverSynced()) {
      return "never synced";
    }
    return scannedTo.isPresent()
        ? "incomplete: scanned to height " + scannedTo.getAsInt() + " of " + height
        : "no block is scanned; headers to height " + height;
  }
}
