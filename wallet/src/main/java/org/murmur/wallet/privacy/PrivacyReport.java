package org.murmur.wallet.privacy;

import java.util.List;
import java.util.Optional;

/**
 * The knowledge of peers about a wallet so far: from filters, and from transactions that were
 * announced or sent to them, or requested by txid. A sync also reveals the user's internet address
 * and the time. A request for a whole block reveals its height, but no address of the wallet; those
 * that block filters led to are counted.
 *
 * @param universe the scripts among which the wallet hides
 * @param scripts how many scripts the wallet watches
 * @param usedScripts how many of these occur on the chain
 * @param coins how many coins it ever had
 * @param linkedGroups sizes of the groups of scripts that payments of the wallet link on the chain,
 *     largest first
 * @param filters all filters that were sent, oldest first
 * @param payments payments of the user that peers know of, oldest first
 * @param served whole blocks that peers served because a block filter matched, most first
 * @param peers what each peer can know, those that know most first
 * @param courses how the knowledge of each peer grew, in the order of {@code peers}
 * @param coalitions what colluding peers can know: all of them, and pairs; those that know most
 *     first. None with fewer than two peers
 * @param pairsLeftOut how many pairs of peers were not evaluated, because there are so many
 * @param next what another sync with the peers of the last one would add
 * @param audience how likely one of them collects filters
 */
public record PrivacyReport(
    Universe universe,
    int scripts,
    int usedScripts,
    int coins,
    List<Integer> linkedGroups,
    List<ShownFilter> filters,
    List<DisclosedPayment> payments,
    List<BlocksServed> served,
    List<Knowledge> peers,
    List<KnowledgeOverTime> courses,
    List<Knowledge> coalitions,
    int pairsLeftOut,
    NextSync next,
    Audience audience) {

  /** Copies the lists. */
  public PrivacyReport {
    linkedGroups = List.copyOf(linkedGroups);
    filters = List.copyOf(filters);
    payments = List.copyOf(payments);
    served = List.copyOf(served);
    peers = List.copyOf(peers);
    courses = List.copyOf(courses);
    coalitions = List.copyOf(coalitions);
  }

  /**
   * Returns how many scripts that nothing has paid yet were in a filter that peers got: they will
   * recognise the next payments as well.
   *
   * @param knowledge of these peers
   * @return that of their largest filter
   */
  public int unusedScripts(Knowledge knowledge) {
    return filters.stream()
        .filter(filter -> knowledge.peers().contains(filter.peer()))
        .mapToInt(filter -> filter.scripts() - filter.usedScripts())
        .max()
        .orElse(0);
  }

  /**
   * {@return the most that any peers know: the worst coalition, or the only peer; empty if no peer
   * got anything}
   */
  public Optional<Knowledge> worst() {
    return peers.isEmpty() ? Optional.empty() : Optional.of(peers.get(0));
  }
}
