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
import org.murmur.lab.Column;
import org.murmur.lab.Experiment;
import org.murmur.lab.Parameters;
import org.murmur.lab.Section;
import org.murmur.lab.Table;
import org.murmur.lab.Trial;
import org.murmur.lab.privacy.adversaries.LinkScores;
import org.murmur.lab.privacy.adversaries.Score;
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
final class AdversaryTrials implements Experiment {

  static final String NAME = "adversaries";

  // Names of rows that hold no adversary's scripts. Used scripts, by the number of filters they
  // match:
  static final String OVERLAP = "overlap";
  // Pairs of sessions of one wallet, by whether both have a filter with the same bytes:
  static final String SAME_BYTES = "link, same bytes";
  // Pairs of different filters, by whether the adversary links them:
  static final String LINKED = "link";

  private final ChainPlan plan;
  private final int lookAhead;
  private final int trials;
  private final int each;
  private @Nullable World world;

  /**
   * @param plan the chain; its wallets are all of the first size, then all of the next, and so on
   * @param lookAhead keys of each chain per epoch of the private preset
   */
  AdversaryTrials(ChainPlan plan, int lookAhead, int trials, int each) {
    this.plan = plan;
    this.each = each;
    this.lookAhead = lookAhead;
    this.trials = trials;
  }

  /** The data that all trials share. */
  private record World(
      SyntheticChain chain,
      Elements elements,
      Surveillance.Linkage linkage,
      List<Client> clients) {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.text("client"),
        Column.whole("wallet", "scripts used"),
        Column.whole("wallet_number", ""),
        Column.text("adversary"),
        Column.whole("filters", ""),
        Column.whole("tp", "scripts"),
        Column.whole("fp", "scripts"),
        Column.whole("fn", "scripts"),
        Column.whole("negatives", "scripts"),
        Column.number("predicted_fp", "scripts"),
        Column.number("auc", ""));
  }

  @Override
  public Parameters constants() {
    return Parameters.none()
        .with("users", plan.users())
        .with("chain-blocks", plan.blocks())
        .with("transactions-per-block", plan.transactionsPerBlock())
        .with("short-epoch", shortEpoch())
        .with("bitcoinj-rate", BitcoinjClient.RATE);
  }

  @Override
  public int trials() {
    return trials;
  }

  @Override
  public void observe(Trial trial, Rows rows) {
    World shared = world();
    List<Surveillance> cases = new ArrayList<>();
    List<Object[]> names = new ArrayList<>();
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
        cases.add(one);
        names.add(new Object[] {client.name(), wallet.keys().size(), number});
        filters.addAll(one.filters());
        outPoints.addAll(one.outPointFilters());
      }
    }
    Map<BloomFilter, int[]> swept = new HashMap<>(Sweep.matches(shared.elements(), filters));
    swept.putAll(Sweep.outPoints(shared.elements(), outPoints));
    cases.forEach(one -> one.swept(swept));
    for (int i = 0; i < cases.size(); i++) {
      Object[] name = names.get(i);
      Surveillance one = cases.get(i);
      one.scores(shared.linkage())
          .forEach((adversary, score) -> add(rows, name, adversary.id(), score));
      if (one.hasOutPointsApart()) {
        Surveillance.Overlap overlap = one.overlap();
        int used = overlap.once() + overlap.again();
        rows.add(
            name[0],
            name[1],
            name[2],
            OVERLAP,
            overlap.different(),
            overlap.once(),
            overlap.again(),
            0,
            used,
            overlap.predicted(),
            0.5);
      }
    }
    for (int i = 0; i < cases.size(); i += wallets) {
      List<LinkScores> links =
          LinkScores.each(cases.subList(i, i + wallets), shared.elements().universe());
      for (int j = 0; j < wallets; j++) {
        addLinks(rows, names.get(i + j), links.get(j));
      }
    }
  }

  private static void add(Rows rows, Object[] name, String who, Score score) {
    rows.add(
        name[0],
        name[1],
        name[2],
        who,
        score.filters(),
        score.tp(),
        score.fp(),
        score.fn(),
        score.negatives(),
        Double.isNaN(score.predicted()) ? null : (Object) score.predicted(),
        score.auc());
  }

  /**
   * Adds the link scores of a wallet: first by equal bytes, then by overlap of different filters.
   */
  private static void addLinks(Rows rows, Object[] name, LinkScores links) {
    rows.add(
        name[0],
        name[1],
        name[2],
        SAME_BYTES,
        links.filters(),
        links.sameBytes(),
        0,
        links.sessions() - links.sameBytes(),
        0,
        null,
        0.5);
    rows.add(
        name[0],
        name[1],
        name[2],
        LINKED,
        links.filters(),
        links.found(),
        links.mistaken(),
        links.missed(),
        links.apart(),
        null,
        links.auc());
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
