package org.murmur.wallet.internal.disclosure;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.internal.privacy.Linkability;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.wallet.privacy.Cluster;
import org.murmur.wallet.privacy.Growth;
import org.murmur.wallet.privacy.Knowledge;
import org.murmur.wallet.privacy.Link;
import org.murmur.wallet.privacy.Matches;
import org.murmur.wallet.privacy.Universe;

/**
 * An observer that keeps every filter, knows the whole chain, and tests every script and coin of
 * it.
 *
 * <p>Elements that the wallet put into several filters pass all of them. A foreign element passes
 * independent filters with the product of their rates (M9), nested ones with the smallest. Each
 * script is judged by the filters that hold it, so filters with different contents (growth, epochs)
 * are not mixed up. The observer is assumed to know which filters are of one wallet: {@link
 * Knowledge#link} says how hard it is to find out.
 *
 * <p>Pure. It knows the indexes of each filter's elements in order to count, not to guess.
 */
final class Observer {

  /** If there are more filters than this, pairs of them are not compared for a link. */
  private static final int MAX_LINKED = 64;

  // By filter: each is compared with all others, in every step of a course.
  private final IdentityHashMap<KnownFilter, BitSet> visible = new IdentityHashMap<>();
  private final OwnElements own;
  private final Universe universe;

  /** Makes one. */
  Observer(OwnElements own, Universe universe) {
    this.own = own;
    this.universe = universe;
  }

  /** Evaluates the filters, in any order, of peers that got nothing else. */
  Knowledge knowledge(List<NodeAddress> peers, List<KnownFilter> shown) {
    return knowledge(peers, new Exposure(shown, new BitSet()));
  }

  /** Evaluates everything that peers got. */
  Knowledge knowledge(List<NodeAddress> peers, Exposure given) {
    List<KnownFilter> shown = given.filters();
    Filters filters = new Filters(shown);
    Map<BitSet, Integer> scripts = new HashMap<>();
    Map<BitSet, Integer> coins = new HashMap<>();
    Map<Pair, Integer> pairs = new HashMap<>();
    own.scripts().stream()
        .forEach(script -> count(scripts, filters.holding(script), own.used().get(script)));
    Map<Integer, BitSet> byScript = new HashMap<>();
    own.coins()
        .forEach(
            (coin, script) -> {
              BitSet holding = filters.holding(coin);
              count(coins, holding, true);
              if (!holding.isEmpty()) {
                byScript.merge(script, holding, filters::sharper);
              }
            });
    byScript.forEach(
        (script, holding) -> {
          BitSet of = filters.holding(script);
          if (!of.isEmpty()) {
            pairs.merge(new Pair(of, holding), 1, Integer::sum);
          }
        });
    BitSet named = named(shown);
    named.or(given.disclosed());
    return new Knowledge(
        peers,
        shown.size(),
        filters.different.size(),
        known(filters, named),
        sharpest(scripts, filters),
        sharpest(coins, filters).map(m -> as(Matches.Test.COINS, m)),
        sharpestPair(pairs, filters),
        named.cardinality(),
        given.disclosed().cardinality(),
        growth(filters),
        link(filters),
        cluster(filters));
  }

  private static Matches as(Matches.Test test, Matches m) {
    return new Matches(test, m.filters(), m.own(), m.strangers());
  }

  /** The filters that hold a script, and those that hold a coin that pays it. */
  private record Pair(BitSet script, BitSet coin) {}

  private static void count(Map<BitSet, Integer> counts, BitSet holding, boolean visible) {
    if (!holding.isEmpty()) {
      counts.merge(holding, visible ? 1 : 0, Integer::sum);
    }
  }

  /** Of the groups whose members are in the same filters, the one that is hidden worst. */
  private Optional<Matches> sharpest(Map<BitSet, Integer> groups, Filters filters) {
    List<Matches> all = new ArrayList<>();
    groups.forEach(
        (holding, visible) ->
            all.add(
                new Matches(
                    Matches.Test.SCRIPTS,
                    holding.cardinality(),
                    visible,
                    strangers(visible, filters.logRate(holding)))));
    return Matches.sharpest(all);
  }

  private Optional<Matches> sharpestPair(Map<Pair, Integer> groups, Filters filters) {
    List<Matches> all = new ArrayList<>();
    groups.forEach(
        (pair, visible) -> {
          double rate = filters.logRate(pair.script()) + filters.logRate(pair.coin());
          BitSet both = (BitSet) pair.script().clone();
          both.or(pair.coin());
          all.add(
              new Matches(
                  Matches.Test.PAIRS, both.cardinality(), visible, strangers(visible, rate)));
        });
    return Matches.sharpest(all);
  }

  private double strangers(int visible, double logRate) {
    return universe.matches(visible, Math.exp(logRate)).decoys();
  }

  /**
   * The scripts that the observer knows to be the wallet's: those disclosed in the clear, and those
   * for which the test leaves fewer than one foreign script. Each script is judged by all filters
   * that hold it or a coin that pays it. So another filter never reduces the knowledge: scripts
   * that it does not hold are judged as before.
   */
  private Optional<Matches> known(Filters filters, BitSet named) {
    Map<Integer, List<BitSet>> coins = new HashMap<>();
    own.coins()
        .forEach(
            (coin, script) ->
                coins.computeIfAbsent(script, s -> new ArrayList<>()).add(filters.holding(coin)));
    int visible = own.used().cardinality();
    BitSet candidates = (BitSet) own.used().clone();
    candidates.or(named);
    int known = 0;
    Matches vaguest = null;
    for (int s = candidates.nextSetBit(0); s >= 0; s = candidates.nextSetBit(s + 1)) {
      Matches best =
          named.get(s)
              ? new Matches(Matches.Test.SCRIPTS, 0, 1, 0)
              : closest(filters, filters.holding(s), coins.getOrDefault(s, List.of()), visible);
      if (best.strangers() < 1) {
        known++;
        vaguest = vaguest == null || best.strangers() > vaguest.strangers() ? best : vaguest;
      }
    }
    return vaguest == null
        ? Optional.empty()
        : Optional.of(new Matches(vaguest.test(), vaguest.filters(), known, vaguest.strangers()));
  }

  /** The test of one script that the fewest foreign scripts pass. */
  private Matches closest(Filters filters, BitSet script, List<BitSet> coins, int visible) {
    List<Matches> tests = new ArrayList<>();
    tests.add(test(Matches.Test.SCRIPTS, filters, script, new BitSet(), visible));
    for (BitSet coin : coins) {
      tests.add(test(Matches.Test.COINS, filters, new BitSet(), coin, visible));
      if (!script.isEmpty() && !coin.isEmpty()) {
        tests.add(test(Matches.Test.PAIRS, filters, script, coin, visible));
      }
    }
    return Collections.min(tests, Comparator.comparingDouble(Matches::strangers));
  }

  private Matches test(
      Matches.Test test, Filters filters, BitSet script, BitSet coin, int visible) {
    BitSet both = (BitSet) script.clone();
    both.or(coin);
    double logRate = filters.logRate(script) + filters.logRate(coin);
    double strangers = both.isEmpty() ? Double.POSITIVE_INFINITY : strangers(visible, logRate);
    return new Matches(test, both.cardinality(), 1, strangers);
  }

  /** The scripts that were sent in the clear, themselves or by a coin that pays them. */
  private BitSet named(List<KnownFilter> shown) {
    BitSet named = new BitSet();
    for (KnownFilter evidence : shown) {
      evidence.named().stream()
          .forEach(
              element -> {
                if (own.scripts().get(element)) {
                  named.set(element);
                }
                Integer script = own.coins().get(element);
                if (script != null) {
                  named.set(script);
                }
              });
    }
    return named;
  }

  private Optional<Growth> growth(Filters filters) {
    KnownFilter firstScripts = filters.first(FilterRole.OUTPOINTS);
    KnownFilter firstCoins = filters.first(FilterRole.SCRIPTS);
    Map<BitSet, Integer> added = new HashMap<>();
    int scripts = 0;
    int used = 0;
    if (firstScripts != null) {
      BitSet later = filters.held();
      later.and(own.scripts());
      later.andNot(firstScripts.held());
      scripts = later.cardinality();
      later.stream().forEach(script -> added.put(filters.holding(script), 1));
      later.and(own.used());
      used = later.cardinality();
    }
    int outPoints = 0;
    if (firstCoins != null) {
      BitSet later = filters.held();
      later.andNot(own.scripts());
      later.andNot(firstCoins.held());
      outPoints = later.cardinality();
    }
    if (scripts == 0 && outPoints == 0) {
      return Optional.empty();
    }
    double strangers = 0;
    for (BitSet holding : added.keySet()) {
      strangers += newStrangers(filters, holding, firstScripts);
    }
    return Optional.of(new Growth(scripts, used, outPoints, strangers));
  }

  /** Foreign scripts that pass the later filters and not the first one. */
  private double newStrangers(Filters filters, BitSet holding, @Nullable KnownFilter first) {
    double later = Math.exp(filters.logRate(holding));
    if (first == null) {
      return 0;
    }
    boolean nested = holding.stream().anyMatch(i -> filters.different.get(i).isNested(first));
    double part = nested ? Math.max(0, later - first.rate()) : later * (1 - first.rate());
    return universe.scripts() * part;
  }

  private Optional<Link> link(Filters filters) {
    List<KnownFilter> different = filters.different;
    if (different.size() < 2) {
      return Optional.empty();
    }
    boolean sameTweak = false;
    double least = Double.POSITIVE_INFINITY;
    int compared = Math.min(MAX_LINKED, different.size());
    for (int i = 0; i < compared; i++) {
      for (int j = 0; j < i; j++) {
        KnownFilter a = different.get(i);
        KnownFilter b = different.get(j);
        sameTweak |= !a.drawn() && !b.drawn() && a.parameters().tweak() == b.parameters().tweak();
        BitSet common = (BitSet) visible(a).clone();
        common.and(visible(b));
        double score =
            Linkability.overlap(common.cardinality(), universe.scripts(), a.rate(), b.rate())
                .value();
        least = Math.min(least, score);
      }
    }
    return Optional.of(new Link(sameTweak, least));
  }

  /** The scripts on the chain that a filter holds, or a coin of which it holds; not a copy. */
  private BitSet visible(KnownFilter evidence) {
    return visible.computeIfAbsent(evidence, this::computedVisible);
  }

  private BitSet computedVisible(KnownFilter evidence) {
    BitSet scripts = (BitSet) evidence.held().clone();
    own.coins()
        .forEach(
            (coin, script) -> {
              if (evidence.held().get(coin)) {
                scripts.set(script);
              }
            });
    scripts.and(own.used());
    return scripts;
  }

  private Optional<Cluster> cluster(Filters filters) {
    Cluster worst = null;
    for (BitSet cluster : own.clusters()) {
      double logRates = 0;
      int addresses = 0;
      for (int s = cluster.nextSetBit(0); s >= 0; s = cluster.nextSetBit(s + 1)) {
        BitSet holding = filters.holding(s);
        if (!holding.isEmpty()) {
          addresses++;
          logRates += filters.logRate(holding);
        }
      }
      if (addresses >= 2) {
        Cluster found = Cluster.of(addresses, logRates, universe);
        if (worst == null || isWorse(found, worst)) {
          worst = found;
        }
      }
    }
    return Optional.ofNullable(worst);
  }

  private static boolean isWorse(Cluster found, Cluster than) {
    return found.strangers() < than.strangers()
        || (Double.compare(found.strangers(), than.strangers()) == 0
            && found.addresses() > than.addresses());
  }

  /** The different filters. */
  private static final class Filters {

    final List<KnownFilter> different = new ArrayList<>();
    // Nested filters are of one family: their false positives depend on each other.
    private final List<Integer> family = new ArrayList<>();
    private final Map<BitSet, Double> logRates = new HashMap<>();

    Filters(List<KnownFilter> shown) {
      List<KnownFilter> inOrder = new ArrayList<>(shown);
      inOrder.sort(Comparator.comparingLong(KnownFilter::order));
      for (KnownFilter evidence : inOrder) {
        if (different.stream().noneMatch(evidence::isSame)) {
          family.add(familyOf(evidence));
          different.add(evidence);
        }
      }
    }

    private int familyOf(KnownFilter evidence) {
      for (int i = 0; i < different.size(); i++) {
        if (evidence.isNested(different.get(i))) {
          return family.get(i);
        }
      }
      return different.size();
    }

    /** The numbers of the filters that hold an element. */
    BitSet holding(int element) {
      BitSet holding = new BitSet();
      for (int i = 0; i < different.size(); i++) {
        if (different.get(i).held().get(element)) {
          holding.set(i);
        }
      }
      return holding;
    }

    /** The logarithm of the chance that a foreign element passes all of some filters. */
    double logRate(BitSet filters) {
      return logRates.computeIfAbsent(filters, this::computedLogRate);
    }

    private double computedLogRate(BitSet filters) {
      Map<Integer, Double> rates = new HashMap<>();
      filters.stream().forEach(i -> rates.merge(family.get(i), different.get(i).rate(), Math::min));
      double log = 0;
      for (double rate : rates.values()) {
        log += Math.log(rate);
      }
      return log;
    }

    /** Of two sets of filters, the one that foreign elements pass less often. */
    BitSet sharper(BitSet a, BitSet b) {
      return logRate(a) <= logRate(b) ? a : b;
    }

    @Nullable KnownFilter first(FilterRole other) {
      for (KnownFilter evidence : different) {
        if (evidence.role() != other) {
          return evidence;
        }
      }
      return null;
    }

    BitSet held() {
      BitSet held = new BitSet();
      different.forEach(evidence -> held.or(evidence.held()));
      return held;
    }
  }
}
