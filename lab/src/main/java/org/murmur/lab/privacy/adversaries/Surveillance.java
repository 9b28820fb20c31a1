package org.murmur.lab.privacy.adversaries;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.internal.privacy.BlockCost;
import org.murmur.bip37.internal.privacy.Clusters;
import org.murmur.bip37.internal.privacy.Distinguisher;
import org.murmur.lab.privacy.chain.Elements;
import org.murmur.lab.privacy.chain.OwnWallet;
import org.murmur.lab.privacy.chain.ScriptClusters;
import org.murmur.lab.privacy.chain.SyntheticChain;
import org.murmur.lab.privacy.clients.Client;
import org.murmur.lab.privacy.clients.Keyring;
import org.murmur.lab.privacy.clients.WalletState;
import org.murmur.regtest.chain.Dice;

/**
 * One wallet's life with one client, and the conclusions of each adversary from the filters shown.
 *
 * <p>The life has a first start, ten restarts with three growths between, and a restore from the
 * mnemonic at the end. First collect {@link #filters}, sweep them, then call {@link #scores}. For
 * one thread.
 */
public final class Surveillance {

  /**
   * The times at which wallets grow, as parts of the chain; the first start is at the first time.
   */
  private static final double[] GROWTH = {0.25, 0.5, 0.75, 1};

  /** Restarts after the first start and after each growth: ten in all. */
  private static final int[] RESTARTS = {3, 3, 2, 2};

  /** The share of a cluster that must match if the adversary allows for linking errors. */
  static final double MOST = 0.75;

  /** Clusters above this size do not match by chance at any realistic rate. */
  private static final int LARGEST_BY_CHANCE = 30;

  /**
   * The scripts that the chain links, because they were spent together; and those that it links by
   * the change heuristic also, which is a guess.
   */
  public record Linkage(ScriptClusters inputs, ScriptClusters withChange) {

    public static Linkage of(SyntheticChain chain) {
      return new Linkage(
          ScriptClusters.of(chain, chain.height(), false),
          ScriptClusters.of(chain, chain.height(), true));
    }
  }

  private final Elements elements;
  private final SyntheticChain chain;
  private final Client client;
  private final OwnWallet wallet;
  private final Keyring keys;
  private final WalletState tip;
  private final List<List<Client.Shown>> steps = new ArrayList<>();
  private final List<Integer> stepHeights = new ArrayList<>();
  private final int grown;
  private final byte[] buffer = new byte[Elements.MAX_BYTES];
  private Map<BloomFilter, int[]> swept = Map.of();

  public Surveillance(
      SyntheticChain chain, Elements elements, Client client, OwnWallet wallet, Dice dice) {
    this.chain = chain;
    this.elements = elements;
    this.client = client;
    this.wallet = wallet;
    Client.Life life = client.begin(chain, wallet, dice);
    this.keys = life.keys();
    int lastGrowth = 0;
    WalletState state = null;
    for (int period = 0; period < GROWTH.length; period++) {
      state = WalletState.at(chain, wallet, heights(chain).get(period));
      lastGrowth = steps.size();
      steps.add(period == 0 ? life.start(state) : life.grow(state));
      for (int i = 0; i < RESTARTS[period]; i++) {
        steps.add(life.start(state));
      }
      while (stepHeights.size() < steps.size()) {
        stepHeights.add(state.height());
      }
    }
    this.tip = Objects.requireNonNull(state);
    this.grown = lastGrowth;
    steps.add(life.restore(tip));
    stepHeights.add(tip.height());
  }

  public static List<Integer> heights(SyntheticChain chain) {
    List<Integer> heights = new ArrayList<>();
    for (double part : GROWTH) {
      heights.add((int) Math.ceil(part * chain.height()));
    }
    return heights;
  }

  /** All filters sent, start by start. */
  public List<List<Client.Shown>> steps() {
    return steps;
  }

  /** The filters to sweep: those of one peer before and after the last growth. */
  public Set<BloomFilter> filters() {
    Set<BloomFilter> all = new LinkedHashSet<>();
    for (int step : new int[] {grown - 1, grown, restarted()}) {
      all.addAll(ofScripts(step, 0));
    }
    return all;
  }

  /** The filters of outpoints to sweep: those of the restore. */
  public Set<BloomFilter> outPointFilters() {
    return new LinkedHashSet<>(ofOutPoints(steps.size() - 1));
  }

  /**
   * Returns the rate at which foreign elements match, for each pass over the blocks of a restore.
   */
  public List<Double> passes() {
    int last = steps.size() - 1;
    List<Double> passes = new ArrayList<>(List.of(sum(ofScripts(last, 0))));
    if (hasOutPointsApart()) {
      passes.add(sum(ofOutPoints(last)));
    }
    return passes;
  }

  /** The last restart with its files: one independent session. */
  private int restarted() {
    return steps.size() - 2;
  }

  /** Receives the matching scripts and outpoints. */
  public void swept(Map<BloomFilter, int[]> matches) {
    swept = matches;
  }

  /**
   * The filters of scripts that one peer has before and after the last growth, and after a restart.
   */
  List<List<BloomFilter>> sessions() {
    return List.of(ofScripts(grown - 1, 0), ofScripts(grown, 0), ofScripts(restarted(), 0));
  }

  /**
   * Tests whether the filters that one peer got in the whole life have no script in common. A used
   * script is in one of them, and matches others only by chance. Some used scripts match more than
   * one (the false positives), and so many are predicted to.
   */
  public Score overlap() {
    Set<BloomFilter> all = ofScriptsSince(0);
    int again = 0;
    for (OwnWallet.Key key : tip.keys()) {
      Bytes script = keys.script(key);
      again += all.stream().filter(f -> f.contains(script)).limit(2).count() > 1 ? 1 : 0;
    }
    double rate = all.stream().mapToDouble(BloomFilter::realisedRate).average().orElse(0);
    double chance = BlockCost.matchChance(rate, all.size() - 1);
    int used = tip.keys().size();
    return new Score(all.size(), used - again, again, 0, used, chance * used, 0.5);
  }

  /** The score of every adversary, after the sweep. */
  public Map<Adversary, Score> scores(@Nullable Linkage linkage) {
    Map<Adversary, Score> scores = new EnumMap<>(Adversary.class);
    Suspects one = matching(restarted(), 0);
    List<BloomFilter> first = ofScripts(restarted(), 0);
    scores.put(Adversary.A1, score(one, first.size(), sum(first)));
    scores.put(Adversary.A1B, score(pairTested(one, first), first.size(), Double.NaN));
    scores.put(Adversary.A2, overSessions(one));
    scores.put(Adversary.A2_LIFE, overLife(one));
    if (client.peers() > 1) {
      scores.put(Adversary.A3, twoPeers(one));
    }
    if (hasOutPointsApart()) {
      scores.put(Adversary.A2_B, restoredOutPoints());
      scores.put(Adversary.A3_PAIR, score(pairOfGuards(one), first.size(), Double.NaN));
    }
    scores.put(Adversary.A4, observer(one));
    growth(scores);
    if (linkage != null) {
      scores.put(Adversary.A6, linked(one, linkage.inputs(), 1, sum(first)));
      scores.put(Adversary.A6_MOST, linked(one, linkage.inputs(), MOST, sum(first)));
      scores.put(Adversary.A6_CHANGE, linked(one, linkage.withChange(), MOST, sum(first)));
    }
    return scores;
  }

  private List<BloomFilter> ofScripts(int step, int peer) {
    return steps.get(step).stream()
        .filter(shown -> shown.peer() == peer && shown.content() != Client.Content.OUT_POINTS)
        .map(Client.Shown::filter)
        .distinct()
        .toList();
  }

  /** The different filters of scripts that one peer gets from a start on. */
  private Set<BloomFilter> ofScriptsSince(int first) {
    Set<BloomFilter> all = new LinkedHashSet<>();
    for (int step = first; step < steps.size(); step++) {
      all.addAll(ofScripts(step, 0));
    }
    return all;
  }

  private List<BloomFilter> ofOutPoints(int step) {
    return steps.get(step).stream()
        .filter(shown -> shown.content() == Client.Content.OUT_POINTS)
        .map(Client.Shown::filter)
        .distinct()
        .toList();
  }

  /** Whether the client sends outpoints in separate filters to a separate peer. */
  public boolean hasOutPointsApart() {
    return !ofOutPoints(restarted()).isEmpty();
  }

  /** All scripts that match any filter of scripts sent to a peer at a start; requires the sweep. */
  private Suspects matching(int step, int peer) {
    return matching(ofScripts(step, peer));
  }

  /** All scripts that match a filter; requires the sweep. */
  Suspects matching(BloomFilter filter) {
    return matching(List.of(filter));
  }

  private Suspects matching(Collection<BloomFilter> filters) {
    Suspects all = Suspects.none();
    for (BloomFilter filter : filters) {
      int[] scripts = Objects.requireNonNull(swept.get(filter), "not swept");
      BitSet strangers = new BitSet();
      for (int script : scripts) {
        if (!isOwn(script)) {
          strangers.set(script);
        }
      }
      BitSet own = new BitSet();
      for (int i = 0; i < tip.keys().size(); i++) {
        if (filter.contains(keys.script(tip.keys().get(i)))) {
          own.set(i);
        }
      }
      all = all.or(new Suspects(own, strangers));
    }
    return all;
  }

  /** The number of used scripts that match two filters. */
  int ownIn(BloomFilter one, BloomFilter other) {
    int both = 0;
    for (OwnWallet.Key key : tip.keys()) {
      Bytes script = keys.script(key);
      both += one.contains(script) && other.contains(script) ? 1 : 0;
    }
    return both;
  }

  private boolean isOwn(int script) {
    return script < chain.scripts() && chain.owner(script) == wallet.user();
  }

  /** Keeps the suspects that also match one of some more filters. */
  private Suspects alsoIn(Suspects suspects, List<BloomFilter> filters) {
    return suspects.where(
        i -> anyHas(filters, keys.script(tip.keys().get(i))),
        script -> anyHas(filters, elements.script(script, buffer)));
  }

  private static boolean anyHas(List<BloomFilter> filters, Bytes element) {
    return filters.stream().anyMatch(filter -> filter.contains(element));
  }

  /** Whether a filter contains the element of this length in the buffer. */
  private boolean anyHas(List<BloomFilter> filters, int length) {
    return filters.stream().anyMatch(filter -> filter.contains(buffer, 0, length));
  }

  private Score overSessions(Suspects one) {
    Suspects left = one;
    Set<BloomFilter> used = ofScriptsSince(grown);
    for (int step = grown; step < steps.size(); step++) {
      left = alsoIn(left, ofScripts(step, 0));
    }
    return score(left, used.size(), expected(List.copyOf(used), ofScripts(grown, 0).size()));
  }

  /**
   * One peer over all steps that follows the chain. A wallet forgets no script, and watches each
   * one before its first use. So a used script that does not match is not the wallet's.
   */
  private Score overLife(Suspects one) {
    List<List<BloomFilter>> sessions =
        IntStream.range(0, steps.size()).mapToObj(step -> ofScripts(step, 0)).toList();
    Suspects left =
        one.where(
            i -> {
              OwnWallet.Key key = tip.keys().get(i);
              Bytes script = keys.script(key);
              return matchesSinceUsed(key.script(), sessions, filter -> filter.contains(script));
            },
            script -> {
              int length = elements.script(script, buffer);
              return matchesSinceUsed(
                  script, sessions, filter -> filter.contains(buffer, 0, length));
            });
    return score(left, ofScriptsSince(0).size(), Double.NaN);
  }

  private boolean matchesSinceUsed(
      int script, List<List<BloomFilter>> sessions, Predicate<BloomFilter> matches) {
    int used =
        script < chain.scripts() && chain.firstCoinOf(script) >= 0 ? chain.firstSeen(script) : 0;
    for (int step = 0; step < sessions.size(); step++) {
      if (stepHeights.get(step) >= used && sessions.get(step).stream().noneMatch(matches)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Guard B alone, with its filters from before the restore and at the restore: finds scripts that
   * have an outpoint in both.
   */
  private Score restoredOutPoints() {
    List<BloomFilter> before = ofOutPoints(restarted());
    List<BloomFilter> after = ofOutPoints(steps.size() - 1);
    Suspects found = Suspects.none();
    for (BloomFilter filter : after) {
      for (int outPoint : Objects.requireNonNull(swept.get(filter), "not swept")) {
        int script = elements.scriptOfOutPoint(outPoint);
        if (!isOwn(script) && anyHas(before, elements.anyOutPoint(outPoint, buffer))) {
          found.strangers().set(script);
        }
      }
    }
    for (int i = 0; i < tip.keys().size(); i++) {
      for (int coin : coinsOf(tip.keys().get(i).script(), Set.of(Client.Second.COINS))) {
        Bytes outPoint = keys.outPoint(coin);
        if (anyHas(before, outPoint) && anyHas(after, outPoint)) {
          found.own().set(i);
        }
      }
    }
    Set<BloomFilter> used = new LinkedHashSet<>(before);
    used.addAll(after);
    return score(found, used.size(), Double.NaN);
  }

  private Score twoPeers(Suspects one) {
    List<BloomFilter> other = ofScripts(restarted(), 1);
    Set<BloomFilter> used = new LinkedHashSet<>(ofScripts(restarted(), 0));
    int each = used.size();
    used.addAll(other);
    return score(alsoIn(one, other), used.size(), expected(List.copyOf(used), each));
  }

  /** The filters of all peers, all sessions since the last growth, and every second element. */
  private Score observer(Suspects one) {
    Suspects left = one;
    Set<BloomFilter> used = new LinkedHashSet<>();
    for (int step = grown; step < steps.size(); step++) {
      for (int peer = 0; peer < client.peers(); peer++) {
        List<BloomFilter> filters = ofScripts(step, peer);
        if (!filters.isEmpty() && used.addAll(filters)) {
          left = alsoIn(left, filters);
        }
      }
    }
    if (!client.seconds().isEmpty()) {
      left = pairTested(left, ofScripts(restarted(), 0));
    }
    if (hasOutPointsApart()) {
      left = pairOfGuards(left);
    }
    return score(left, used.size() + ofOutPoints(restarted()).size(), Double.NaN);
  }

  private void growth(Map<Adversary, Score> scores) {
    List<BloomFilter> before = ofScripts(grown - 1, 0);
    List<BloomFilter> after = ofScripts(grown, 0);
    Suspects old = matching(before);
    Suspects now = matching(after);
    // Elements in the same filter give no second test.
    int filters = parameters(before).equals(parameters(after)) ? 1 : 2;
    scores.put(Adversary.A5_OLD, score(old.and(now), filters, Double.NaN));
    Score found = score(now.without(old), filters, Double.NaN);
    // Counts only those new keys that are already used: the adversary cannot test for the others.
    scores.put(
        Adversary.A5_NEW,
        Score.of(filters, found.tp(), found.fp(), 0, found.negatives(), Double.NaN));
  }

  private static List<FilterParameters> parameters(List<BloomFilter> filters) {
    return filters.stream().map(BloomFilter::parameters).toList();
  }

  /** Keeps the scripts with other elements that match the same filter. */
  private Suspects pairTested(Suspects suspects, List<BloomFilter> filters) {
    Set<Client.Second> tests =
        client.seconds().isEmpty()
            ? Set.of(Client.Second.PUBLIC_KEY, Client.Second.COINS)
            : client.seconds();
    return suspects.where(
        i -> filters.stream().anyMatch(filter -> ownPasses(i, filter, tests)),
        script -> filters.stream().anyMatch(filter -> strangerPasses(script, filter, tests)));
  }

  private boolean ownPasses(int index, BloomFilter filter, Set<Client.Second> tests) {
    OwnWallet.Key key = tip.keys().get(index);
    if (!filter.contains(keys.script(key))) {
      return false;
    }
    if (tests.contains(Client.Second.PUBLIC_KEY)
        && chain.isRevealed(key.script(), endTx())
        && !filter.contains(keys.publicKey(key))) {
      return false;
    }
    for (int coin : coinsOf(key.script(), tests)) {
      if (!filter.contains(keys.outPoint(coin))) {
        return false;
      }
    }
    return true;
  }

  private boolean strangerPasses(int script, BloomFilter filter, Set<Client.Second> tests) {
    if (!filter.contains(buffer, 0, elements.script(script, buffer))) {
      return false;
    }
    boolean cold = script >= chain.scripts();
    if (tests.contains(Client.Second.PUBLIC_KEY)
        && elements.hashesKey(script)
        && (cold ? elements.isColdSpent(script) : chain.isRevealed(script, endTx()))
        && !filter.contains(buffer, 0, elements.publicKey(script, buffer))) {
      return false;
    }
    if (cold) {
      boolean tested =
          tests.contains(Client.Second.COINS)
              || (tests.contains(Client.Second.UNSPENT) && !elements.isColdSpent(script));
      return !tested || filter.contains(buffer, 0, elements.coldOutPoint(script, buffer));
    }
    for (int coin : coinsOf(script, tests)) {
      if (!filter.contains(buffer, 0, elements.outPoint(coin, buffer))) {
        return false;
      }
    }
    return true;
  }

  private int endTx() {
    return chain.firstTx(tip.height() + 1);
  }

  /** The coins whose outpoints an adversary expects in the filter if a script is the wallet's. */
  private List<Integer> coinsOf(int script, Set<Client.Second> tests) {
    List<Integer> coins = new ArrayList<>();
    boolean all = tests.contains(Client.Second.COINS);
    if (all || tests.contains(Client.Second.UNSPENT)) {
      int end = chain.firstCoin(endTx());
      for (int coin = chain.firstCoinOf(script);
          coin >= 0 && coin < end;
          coin = chain.nextCoin(coin)) {
        if (all || chain.spender(coin) >= endTx()) {
          coins.add(coin);
        }
      }
    }
    return coins;
  }

  /** Keeps the scripts for which guard B has an outpoint. */
  private Suspects pairOfGuards(Suspects suspects) {
    List<BloomFilter> filters = ofOutPoints(restarted());
    Set<Client.Second> all = Set.of(Client.Second.COINS);
    return suspects.where(
        i ->
            coinsOf(tip.keys().get(i).script(), all).stream()
                .anyMatch(coin -> anyHas(filters, keys.outPoint(coin))),
        script ->
            script >= chain.scripts()
                ? anyHas(filters, elements.coldOutPoint(script, buffer))
                : coinsOf(script, all).stream()
                    .anyMatch(coin -> anyHas(filters, elements.outPoint(coin, buffer))));
  }

  /**
   * Takes whole clusters of at least two scripts, if a share of each matches, 1 for all of it.
   * Another user's script matches at a rate.
   */
  private Score linked(Suspects one, ScriptClusters clusters, double part, double rate) {
    Map<Integer, Integer> matched = new HashMap<>();
    one.own().stream()
        .map(i -> clusters.of(tip.keys().get(i).script()))
        .forEach(cluster -> matched.merge(cluster, 1, Integer::sum));
    one.strangers().stream()
        .filter(script -> script < chain.scripts())
        .map(clusters::of)
        .forEach(cluster -> matched.merge(cluster, 1, Integer::sum));
    Set<Integer> taken = new HashSet<>();
    matched.forEach(
        (cluster, matches) -> {
          int size = clusters.sizeOf(cluster);
          if (size > 1 && matches >= needed(part, size)) {
            taken.add(cluster);
          }
        });
    BitSet own = new BitSet();
    for (int i = 0; i < tip.keys().size(); i++) {
      own.set(i, taken.contains(clusters.of(tip.keys().get(i).script())));
    }
    BitSet strangers = new BitSet();
    for (int cluster : taken) {
      clusters.forEach(cluster, script -> strangers.set(script, !isOwn(script)));
    }
    Suspects clustered = new Suspects(own, strangers);
    Score plain = score(clustered, ofScripts(restarted(), 0).size(), Double.NaN);
    Suspects rest = one.without(clustered);
    long alone = rest.own().cardinality();
    long othersAlone = rest.strangers().cardinality();
    double auc =
        Distinguisher.auc(
            new long[] {tip.keys().size() - alone - plain.tp(), alone, plain.tp()},
            new long[] {plain.negatives() - othersAlone - plain.fp(), othersAlone, plain.fp()});
    return new Score(
        plain.filters(),
        plain.tp(),
        plain.fp(),
        plain.fn(),
        plain.negatives(),
        imitated(clusters.counts(LARGEST_BY_CHANCE), part, rate),
        auc);
  }

  static int needed(double part, int size) {
    return (int) Math.ceil(part * size);
  }

  /** The expected number of scripts in clusters that match sufficiently by chance. */
  private static double imitated(int[] counts, double part, double rate) {
    double scripts = 0;
    for (int size = 2; size <= LARGEST_BY_CHANCE; size++) {
      int needed = needed(part, size);
      double ways = 1;
      for (int missing = 0; missing <= size - needed; missing++) {
        double each = Clusters.decoys(counts[size], size - missing, rate).value();
        scripts += size * ways * each * Math.pow(1 - rate, missing);
        ways *= (size - missing) / (missing + 1.0);
      }
    }
    return scripts;
  }

  private long negatives() {
    return elements.universe() - (long) wallet.keys().size();
  }

  private Score score(Suspects left, int filters, double rate) {
    long tp = left.own().cardinality();
    return Score.of(
        filters,
        tp,
        left.strangers().cardinality(),
        tip.keys().size() - tp,
        negatives(),
        rate * negatives());
  }

  /** The chance that another user's script matches one of several filters. */
  private static double sum(List<BloomFilter> filters) {
    double missed = 1;
    for (BloomFilter filter : filters) {
      missed *= 1 - filter.realisedRate();
    }
    return 1 - missed;
  }

  /**
   * The chance to match all of several filters; NaN where epochs make it more complex than a
   * product.
   */
  private static double expected(List<BloomFilter> used, int each) {
    if (used.size() == each) {
      return sum(used);
    }
    if (each > 1) {
      return Double.NaN;
    }
    double rate = 1;
    for (BloomFilter filter : used) {
      rate *= filter.realisedRate();
    }
    return rate;
  }
}
