package org.murmur.lab.privacy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.SizeClass;
import org.murmur.lab.Experiment;
import org.murmur.lab.Parameters;
import org.murmur.lab.Section;
import org.murmur.lab.Table;
import org.murmur.lab.Trial;
import org.murmur.lab.privacy.adversaries.LinkScores;
import org.murmur.lab.privacy.adversaries.Surveillance;
import org.murmur.lab.privacy.adversaries.Sweep;
import org.murmur.lab.privacy.chain.ChainPlan;
import org.murmur.lab.privacy.chain.Elements;
import org.murmur.lab.privacy.chain.OwnWallet;
import org.murmur.lab.privacy.chain.SyntheticChain;
import org.murmur.lab.privacy.clients.BitcoinjClient;
import org.murmur.lab.privacy.clients.Client;
import org.murmur.lab.privacy.clients.ModelClient;
import org.murmur.lab.privacy.clients.PrivateClient;
import org.murmur.regtest.chain.Dice;

/**
 * Adversaries A1 to A6 against every client, for wallets of every size. Each trial draws all tweaks
 * anew, and takes the next wallet of each size. The chain is the same in all trials.
 */
final class AdversaryTrials extends Experiment {

  // Names of rows that hold no adversary's scripts. Used scripts, by the number of filters they
  // match:
  static final String OVERLAP = "overlap";
  // Pairs of sessions of one wallet, by whether both have a filter with the same bytes:
  static final String SAME_BYTES = "link, same bytes";
  // Pairs of different filters, by whether the adversary links them:
  static final String LINKED = "link";

  private final ChainPlan plan;
  private final int lookAhead;
  private final int each;
  private @Nullable World world;

  /**
   * @param plan the chain; its wallets are all of the first size, then all of the next, and so on
   * @param lookAhead keys of each chain per epoch of the private preset
   */
  AdversaryTrials(ChainPlan plan, int lookAhead, int trials, int each) {
    super(
        "adversaries",
        trials,
        "text client, whole wallet (scripts used), whole wallet_number, text adversary,"
            + " whole filters, whole tp (scripts), whole fp (scripts), whole fn (scripts),"
            + " whole negatives (scripts), number predicted_fp (scripts), number auc");
    this.plan = plan;
    this.each = each;
    this.lookAhead = lookAhead;
  }

  private record World(
      SyntheticChain chain,
      Elements elements,
      Surveillance.Linkage linkage,
      List<Client> clients) {}

  @Override
  public Parameters constants() {
    return Parameters.none()
        .with("users", plan.users())
        .with("chain-blocks", plan.blocks())
        .with("transactions-per-block", plan.transactionsPerBlock())
        .with("short-epoch", shortEpoch())
        .with("bitcoinj-rate", BitcoinjClient.RATE);
  }

  private record Case(Client client, OwnWallet wallet, int number, Surveillance life) {

    void add(
        Rows rows,
        String who,
        int filters,
        long tp,
        long fp,
        long fn,
        long negatives,
        double predicted,
        double auc) {
      rows.add(
          client.name(),
          wallet.keys().size(),
          number,
          who,
          filters,
          tp,
          fp,
          fn,
          negatives,
          Double.isNaN(predicted) ? null : (Object) predicted,
          auc);
    }

    void add(Rows rows, Surveillance.Linkage linkage) {
      life.scores(linkage)
          .forEach(
              (adversary, one) ->
                  add(
                      rows,
                      adversary.id(),
                      one.filters(),
                      one.tp(),
                      one.fp(),
                      one.fn(),
                      one.negatives(),
                      one.predicted(),
                      one.auc()));
      if (life.hasOutPointsApart()) {
        Surveillance.Overlap shared = life.overlap();
        int used = shared.once() + shared.again();
        double predicted = shared.predicted();
        add(
            rows,
            OVERLAP,
            shared.different(),
            shared.once(),
            shared.again(),
            0,
            used,
            predicted,
            0.5);
      }
    }

    /** Adds the link scores: first by equal bytes, then by overlap of different filters. */
    void add(Rows rows, LinkScores links) {
      int same = links.sameBytes();
      int filters = links.filters();
      add(rows, SAME_BYTES, filters, same, 0, links.sessions() - same, 0, Double.NaN, 0.5);
      add(
          rows,
          LINKED,
          filters,
          links.found(),
          links.mistaken(),
          links.missed(),
          links.apart(),
          Double.NaN,
          links.auc());
    }
  }

  @Override
  public void observe(Trial trial, Rows rows) {
    World shared = world();
    List<Case> cases = new ArrayList<>();
    Set<BloomFilter> filters = new LinkedHashSet<>();
    Set<BloomFilter> outPoints = new LinkedHashSet<>();
    // Wallet by wallet, so that trials are a sample of wallets and any shard has several.
    int number = 1 + (trial.number() - 1) % each;
    List<OwnWallet> all = shared.chain().wallets();
    int wallets = all.size() / each;
    for (Client client : shared.clients()) {
      for (int size = 0; size < wallets; size++) {
        OwnWallet wallet = all.get(size * each + number - 1);
        Dice dice = trial.dice(client.name() + "/" + wallet.keys().size());
        Surveillance one =
            new Surveillance(shared.chain(), shared.elements(), client, wallet, dice);
        cases.add(new Case(client, wallet, number, one));
        filters.addAll(one.filters());
        outPoints.addAll(one.outPointFilters());
      }
    }
    Map<BloomFilter, int[]> swept = new HashMap<>(Sweep.matches(shared.elements(), filters));
    swept.putAll(Sweep.outPoints(shared.elements(), outPoints));
    cases.forEach(one -> one.life.swept(swept));
    cases.forEach(one -> one.add(rows, shared.linkage()));
    for (int i = 0; i < cases.size(); i += wallets) {
      List<Case> of = cases.subList(i, i + wallets);
      List<LinkScores> links =
          LinkScores.each(of.stream().map(Case::life).toList(), shared.elements().universe());
      for (int j = 0; j < wallets; j++) {
        of.get(j).add(rows, links.get(j));
      }
    }
  }

  @Override
  public Section conclude(Table observed) {
    return new AdversaryFindings(observed, plan).section();
  }

  private synchronized World world() {
    World made = world;
    if (made == null) {
      SyntheticChain chain = SyntheticChain.of(plan);
      made = new World(chain, new Elements(chain), Surveillance.Linkage.of(chain), clients(chain));
      world = made;
    }
    return made;
  }

  /** The keys in an epoch, few enough that the largest wallet opens several. */
  private int shortEpoch() {
    return Math.max(PrivateClient.GAP, plan.wallets().get(plan.wallets().size() - 1) / 8);
  }

  private List<Client> clients(SyntheticChain chain) {
    return List.of(
        ModelClient.fast(),
        new PrivateClient(SizeClass.THRIFTY, lookAhead),
        new PrivateClient(SizeClass.GENEROUS, lookAhead),
        PrivateClient.ofShortEpochs(shortEpoch()),
        BitcoinjClient.of(chain, chain.wallets(), Surveillance.heights(chain)),
        ModelClient.bcoin(),
        ModelClient.breadwallet(),
        ModelClient.bitcoinKit());
  }
}
