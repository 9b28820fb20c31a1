package org.murmur.wallet;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.wallet.books.Scans;
import org.murmur.wallet.books.WalletView;

/**
 * The wallet's place in the chain, as of its last commit.
 *
 * @param base the height of the first block of its headers: 0 for genesis, otherwise a known block
 *     below the wallet's birthday
 * @param height the height of its best header, the base's if there is none
 * @param tip that block's hash
 * @param tipTime that block's time
 * @param completeTo everything of the wallet up to this height is known; below the birthday if
 *     nothing was scanned
 * @param complete whether that is the tip; false if it was {@linkplain #isNeverSynced never synced}
 * @param seenBy how many different peers served everything up to {@code completeTo}, taken from the
 *     block with the fewest
 * @param seen the same for every height from the birthday to the tip, as ascending ranges
 */
public record ChainState(
    int base,
    int height,
    Hash256 tip,
    Instant tipTime,
    int completeTo,
    boolean complete,
    int seenBy,
    List<Seen> seen) {

  /** Copies the list. */
  public ChainState {
    seen = List.copyOf(seen);
  }

  /**
   * Returns whether no sync has brought a header yet, so that nothing is known of the wallet. A
   * sync of a chain that ends at the {@link #base} changes nothing about that: there was nothing to
   * learn.
   *
   * @return true as long as the height is the base's
   */
  public boolean isNeverSynced() {
    return isNeverSynced(height, base);
  }

  private static boolean isNeverSynced(int height, int base) {
    return height == base;
  }

  /** The state of the books; all of one commit. */
  static ChainState of(WalletView view, Scans scans) {
    int completeTo = Math.min(scans.completeTo(), view.height());
    int base = view.wallet().baseHeight();
    boolean complete =
        !isNeverSynced(view.height(), base)
            && completeTo == view.height()
            && !view.wallet().isBornAfter(view.height());
    return new ChainState(
        base,
        view.height(),
        view.tip(),
        Instant.ofEpochSecond(view.tipTime()),
        completeTo,
        complete,
        scans.seenBy(completeTo),
        scans.seen().stream()
            .map(s -> new Seen(s.from(), s.to(), s.peers()))
            .collect(Collectors.toList()));
  }

  /**
   * Heights at which everything was served by the same number of peers.
   *
   * @param from the first height
   * @param to the last height
   * @param peers how many different peers
   */
  public record Seen(int from, int to, int peers) {}
}
