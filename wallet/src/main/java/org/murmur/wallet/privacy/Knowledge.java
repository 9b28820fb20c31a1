package org.murmur.wallet.privacy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.murmur.p2p.discovery.PeerAddress;

/**
 * What can be learned from all that some peers were shown and sent, if they put it together.
 *
 * @param peers one, or several that collude
 * @param filters how many filters they were sent
 * @param different how many of these are not the same as another one of them
 * @param known how many of the wallet's scripts the observer knows, sent in the clear or looked
 *     like by fewer than one stranger each, and how many strangers look like the vaguest of them;
 *     empty if it knows none
 * @param scripts what testing scripts leaves; empty if no filter holds any
 * @param coins what testing coins leaves; empty if no filter holds any
 * @param pairs what testing scripts together with their coins leaves; empty if nobody can
 * @param named how many of the wallet's scripts were sent in the clear: themselves or a coin that
 *     pays them by {@code filteradd}, or by a transaction that was named
 * @param byTransactions how many of these were disclosed by transactions that were named:
 *     announced, handed over, or asked for by txid
 * @param growth what the difference of filters says; empty if nothing grew
 * @param link whether different filters are of one wallet; empty if there are no two
 * @param cluster what linked addresses give away, where they do most; empty if the chain links none
 */
public record Knowledge(
    List<PeerAddress> peers,
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

  /** Those that know more come first: more scripts, then fewer strangers. */
  public static final Comparator<Knowledge> MAX_FIRST =
      Comparator.comparing((Knowledge k) -> k.known().map(Matches::own).orElse(0))
          .reversed()
          .thenComparingDouble(k -> k.best().map(Matches::strangers).orElse(Double.MAX_VALUE));

  /**
   * Returns the observer's best choice: what it knows, or else the sharpest test.
   *
   * @return it; empty if they were shown nothing
   */
  public Optional<Matches> best() {
    return known.isPresent() ? known : sharpest();
  }

  /**
   * Returns the test that leaves the fewest strangers (M9), however few of the wallet's it finds.
   *
   * @return it; empty if they were shown nothing
   */
  public Optional<Matches> sharpest() {
    List<Matches> tests = new ArrayList<>();
    scripts.ifPresent(tests::add);
    coins.ifPresent(tests::add);
    pairs.ifPresent(tests::add);
    return Matches.sharpest(tests);
  }
}
