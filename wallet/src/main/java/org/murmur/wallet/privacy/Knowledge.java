package org.murmur.wallet.privacy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.murmur.p2p.discovery.NodeAddress;

/**
 * The knowledge of some peers together, from all that they got.
 *
 * @param peers one, or several that collude
 * @param filters how many filters they got
 * @param different how many of these are different
 * @param known how many of the wallet's scripts the observer knows, and the largest number of
 *     foreign scripts that any of them is confused with: those sent in the clear, and those
 *     confused with fewer than one foreign script each; empty if it knows none
 * @param scripts the result of testing scripts; empty if no filter holds any
 * @param coins the result of testing coins; empty if no filter holds any
 * @param pairs the result of testing scripts together with their coins; empty if that is impossible
 * @param named how many of the wallet's scripts were sent in the clear: themselves or a coin that
 *     pays them by {@code filteradd}, or by a transaction that was named
 * @param byTransactions how many of these were disclosed by transactions: announced, sent, or
 *     requested by txid
 * @param growth what the difference of filters discloses; empty if nothing grew
 * @param link whether different filters are of one wallet; empty if there are no two
 * @param cluster what linked addresses disclose, where they disclose most; empty if the chain links
 *     none
 */
public record Knowledge(
    List<NodeAddress> peers,
    int filters,
    int different,
    Optional<Matches> known,
    Optional<Matches> scripts,
    Optional<Matches> coins,
    Optional<Matches> pairs,
    int named,
    int byTransactions,
    Optional<Growth> growth,
    Optional<Link> link,
    Optional<Cluster> cluster) {

  /** Copies the list. */
  public Knowledge {
    peers = List.copyOf(peers);
  }

  /** Order: those that know more come first, by more known scripts, then by fewer foreign ones. */
  public static final Comparator<Knowledge> MAX_FIRST =
      Comparator.comparing((Knowledge k) -> k.known().map(Matches::own).orElse(0))
          .reversed()
          .thenComparingDouble(k -> k.best().map(Matches::strangers).orElse(Double.MAX_VALUE));

  /**
   * {@return the observer's best choice: the known scripts, or else the sharpest test; empty if the
   * peers got nothing}
   */
  public Optional<Matches> best() {
    return known.isPresent() ? known : sharpest();
  }

  /**
   * {@return the test that leaves the fewest foreign elements (M9), however few of the wallet's it
   * finds; empty if the peers got nothing}
   */
  public Optional<Matches> sharpest() {
    List<Matches> tests = new ArrayList<>();
    scripts.ifPresent(tests::add);
    coins.ifPresent(tests::add);
    pairs.ifPresent(tests::add);
    return Matches.sharpest(tests);
  }
}
