package org.murmur.wallet.privacy;

import java.util.List;
import java.util.Optional;

/**
 * What peers have learned of a wallet so far: from filters, and from transactions that were named
 * to them, by announcing them, handing them over or asking for them by txid. Who syncs also shows
 * an address on the internet and the times at which it syncs. A whole block that is asked for tells
 * a height, and no address.
 *
 * @param universe whom the wallet hides among
 * @param scripts how many scripts the wallet watches
 * @param usedScripts how many of these the chain shows
 * @param coins how many coins it ever had
 * @param filters all filters that were shown, oldest first
 * @param payments payments of the user's that peers know of, oldest first
 * @param peers what each peer can know, those that know most first
 * @param courses how that came about, in the order of {@code peers}
 * @param coalitions what peers can know that put it together: all of them, and pairs; those that
 *     know most first. None with fewer than two peers
 * @param pairsLeftOut how many pairs of peers were not looked at, because there are so many
 * @param next what another sync with the peers of the last one would add
 * @param audience how likely one of them collects filters
 */
public record PrivacyReport(
    Universe universe,
    int scripts,
    int usedScripts,
    int coins,
    List<ShownFilter> filters,
    List<DisclosedPayment> payments,
    List<Knowledge> peers,
    List<KnowledgeOverTime> courses,
    List<Knowledge> coalitions,
    int pairsLeftOut,
    NextSync next,
    Audience audience) {

  /** Copies the lists. */
  public PrivacyReport {
    filters = List.copyOf(filters);
    payments = List.copyOf(payments);
    peers = List.copyOf(peers);
    courses = List.copyOf(courses);
    coalitions = List.copyOf(coalitions);
  }

  /**
   * Returns what those who know most know: the worst coalition, or the only peer.
   *
   * @return empty if nobody was shown or sent anything
   */
  public Optional<Knowledge> worst() {
    return peers.isEmpty() ? Optional.empty() : Optional.of(peers.get(0));
  }
}
