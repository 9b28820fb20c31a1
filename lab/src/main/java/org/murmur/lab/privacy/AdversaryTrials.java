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
import org.murmur.bip37.internal.privacy.BusyMainnet;
import org.murmur.lab.Experiment;
import org.murmur.lab.Parameters;
import org.murmur.lab.Section;
import org.murmur.lab.Table;
import org.murmur.lab.Trial;
import org.murmur.lab.privacy.adversaries.Adversary;
import org.murmur.lab.privacy.adversaries.BlockSurveillance;
import org.murmur.lab.privacy.adversaries.LinkScores;
import org.murmur.lab.privacy.adversaries.Score;
import org.murmur.lab.privacy.adversaries.Surveillance;
import org.murmur.lab.privacy.adversaries.Sweep;
import org.murmur.lab.privacy.chain.BlockSizes;
import org.murmur.lab.privacy.chain.ChainPlan;
import org.murmur.lab.privacy.chain.Elements;
import org.murmur.lab.privacy.chain.OwnWallet;
import org.murmur.lab.privacy.chain.SyntheticChain;
import org.murmur.lab.privacy.clients.BitcoinjClient;
import org.murmur.lab.privacy.clients.Client;
import org.murmur.lab.privacy.clients.ModelClient;
import org.murmur.lab.privacy.clients.PrivateClient;
import org.murmur.lab.privacy.clients.WalletState;
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

  // Murmur's compact preset, which sends no filter: one peer serves its blocks, or four.
  static final String COMPACT = "murmur-compact";

  static final String COMPACT_SPREAD = "murmur-compact-spread";

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
        "text client, whole wallet (scripts used), whole wallet_number, text adversary, number"
            + " bytes, number mainnet_year (MB), whole filters, whole tp (scripts), whole fp"
            + " (scripts), whole fn (scripts), whole negatives (scripts), number predicted_fp"
            + " (scripts), number auc");
    this.plan = plan;
    this.each = each;
    this.lookAhead = lookAhead;
  }

  private record World(
      SyntheticChain chain,
      Elements elements,
      BlockSizes sizes,
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

  /**
   * A wallet with a client.
   *
   * @param bytes downloaded for the whole chain
   * @param year MB downloaded in a year of a busy mainnet with as many own transactions: computed
   */
  private record Victim(String client, int wallet, int number, double bytes, double year) {

    void add(Rows rows, String who, Score score) {
      rows.add(
          client,
          wallet,
          number,
          who,
          bytes,
          year,
          score.filters(),
          score.tp(),
          score.fp(),
          score.fn(),
          score.negatives(),
          Double.isNaN(score.predicted()) ? null : (Object) score.predicted(),
          score.auc());
    }

    void add(Rows rows, Map<Adversary, Score> scores) {
      scores.forEach((adversary, score) -> add(rows, adversary.id(), score));
    }
  }

  private record Case(Victim victim, Surveillance life) {

    void add(Rows rows, Surveillance.Linkage linkage) {
      victim.add(rows, life.scores(linkage));
      if (life.hasOutPointsApart()) {
        victim.add(rows, OVERLAP, life.overlap());
      }
    }

    /** Adds the link scores: first by equal bytes, then by overlap of different filters. */
    void add(Rows rows, LinkScores links) {
      int same = links.sameBytes();
      int missed = links.sessions() - same;
      victim.add(rows, SAME_BYTES, new Score(links.filters(), same, 0, missed, 0, Double.NaN, 0.5));
      victim.add(rows, LINKED, links.overlaps());
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
        cases.add(new Case(victim(shared, client, wallet, number, one), one));
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
    for (int size = 0; size < wallets; size++) {
      OwnWallet wallet = all.get(size * each + number - 1);
      compact(shared, trial, wallet, number, rows);
    }
  }

  /** Each pass costs all blocks, as from a guard of its own. */
  private static Victim victim(
      World shared, Client client, OwnWallet wallet, int number, Surveillance life) {
    SyntheticChain chain = shared.chain();
    Set<Integer> own = WalletState.at(chain, wallet, chain.height()).transactions();
    double bytes = shared.sizes().headers();
    double year = 0;
    for (double rate : life.passes()) {
      bytes += shared.sizes().filtered(rate, own);
      year += 12 * BusyMainnet.megabytesPerMonth(rate);
    }
    return new Victim(client.name(), wallet.keys().size(), number, bytes, year);
  }

  private static void compact(World shared, Trial trial, OwnWallet wallet, int number, Rows rows) {
    int used = wallet.keys().size();
    int watched = used + 2 * ModelClient.fast().lookAhead();
    int universe = shared.elements().universe();
    for (int peers : new int[] {1, 4}) {
      String name = peers == 1 ? COMPACT : COMPACT_SPREAD;
      Dice dice = trial.dice(name + "/" + used);
      BlockSurveillance life =
          new BlockSurveillance(shared.chain(), universe, wallet, peers, watched, dice);
      double bytes = shared.sizes().headers() + shared.sizes().compact(life.fetched());
      double blocks = 12 * BusyMainnet.BLOCKS_A_MONTH;
      double whole = life.own() + BlockSurveillance.FALSE_MATCHES * watched * blocks;
      double year = (blocks * BusyMainnet.FILTER + whole * BusyMainnet.WHOLE_BLOCK) / 1e6;
      new Victim(name, used, number, bytes, year).add(rows, life.scores(shared.linkage()));
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
      Elements elements = new Elements(chain);
      made =
          new World(
              chain,
              elements,
              new BlockSizes(chain, elements),
              Surveillance.Linkage.of(chain),
              clients(chain));
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
        PrivateClient.ofMoreNoise(lookAhead),
        PrivateClient.ofShortEpochs(shortEpoch()),
        BitcoinjClient.of(chain, chain.wallets(), Surveillance.heights(chain)),
        ModelClient.bcoin(),
        ModelClient.breadwallet(),
        ModelClient.bitcoinKit());
  }
}
