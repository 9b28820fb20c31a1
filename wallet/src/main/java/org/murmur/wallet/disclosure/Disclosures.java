package org.murmur.wallet.disclosure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.SizeClass;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.cover.Content;
import org.murmur.p2p.cover.Element;
import org.murmur.p2p.cover.Load;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.wallet.books.Books;
import org.murmur.wallet.ledger.Effect;
import org.murmur.wallet.ledger.Fact;
import org.murmur.wallet.privacy.Audience;
import org.murmur.wallet.privacy.DisclosedPayment;
import org.murmur.wallet.privacy.Knowledge;
import org.murmur.wallet.privacy.KnowledgeOverTime;
import org.murmur.wallet.privacy.NextFilter;
import org.murmur.wallet.privacy.NextSync;
import org.murmur.wallet.privacy.PrivacyReport;
import org.murmur.wallet.privacy.ShownFilter;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.store.DisclosedScripts;
import org.murmur.wallet.store.SentFilter;
import org.murmur.wallet.store.StoreException;
import org.murmur.wallet.store.WalletStore;

/** The record of what peers were shown and told, read from the books and put into numbers. */
public final class Disclosures {

  /** More pairs than these tell a reader nothing, and take long. */
  private static final int MAX_PAIRS = 45;

  /** Filters after which the course of a peer's knowledge is not followed any further. */
  private static final int MAX_STEPS = 50;

  private static final Duration ONE_SYNC = Duration.ofMinutes(10);

  private final List<Element> log;
  private final OwnElements own;
  private final Universe universe;
  private final Observer observer;
  private final List<ShownFilter> filters = new ArrayList<>();
  private final List<KnownFilter> inOrder = new ArrayList<>();
  private final List<DisclosedPayment> payments = new ArrayList<>();
  private final Map<PeerAddress, Exposure> given = new LinkedHashMap<>();

  private Disclosures(List<Element> log, OwnElements own, Universe u) {
    this.log = log;
    this.own = own;
    this.universe = u;
    this.observer = new Observer(own, u);
  }

  /**
   * Reads the last commit.
   *
   * @param books the wallet's
   * @param universe whom the wallet hides among
   * @return the record
   * @throws StoreException if the file cannot be read
   */
  public static Disclosures of(Books books, Universe universe) throws StoreException {
    return books.read(
        view -> {
          Map<Long, SentFilter> showings = new HashMap<>();
          books.readStore(WalletStore::showings).forEach(s -> showings.put(s.load(), s));
          List<Element> log = books.elements();
          Map<Hash256, Effect> effects = new LinkedHashMap<>();
          for (Fact fact : view.ledger().facts()) {
            Hash256 txid = fact.tx().txid();
            effects.put(txid, view.ledger().effect(txid));
          }
          OwnElements own = own(log, view.ledger().usedScripts(), effects.values());
          Disclosures record = new Disclosures(log, own, universe);
          for (Load load : books.readStore(WalletStore::loads)) {
            record.add(load, showings.get(load.id()));
          }
          for (DisclosedScripts told : books.readStore(WalletStore::told)) {
            Hash256 sent = told.sent();
            record.add(told, sent == null ? null : effects.get(sent));
          }
          return record;
        });
  }

  private static OwnElements own(List<Element> log, BitSet used, Collection<Effect> effects) {
    BitSet scripts = new BitSet();
    Map<Integer, Integer> coins = new HashMap<>();
    for (int i = 0; i < log.size(); i++) {
      if (log.get(i) instanceof Element.Script) {
        scripts.set(i);
      } else if (log.get(i) instanceof Element.OwnOutPoint coin) {
        coins.put(i, coin.script());
      }
    }
    return new OwnElements(scripts, used, coins, LinkedScripts.of(effects));
  }

  private void add(Load load, @Nullable SentFilter showing) {
    BitSet held = held(load.contentWith(showing == null ? load.elements() : showing.elements()));
    BitSet named = held(load.content());
    named.andNot(held);
    BloomFilter sent = named.isEmpty() ? load.filter() : asSent(load.filter(), held);
    FilterRole role = load.content() instanceof Content.Epoch epoch ? epoch.role() : null;
    BitSet scripts = and(held, own.scripts());
    filters.add(
        new ShownFilter(
            load.id(),
            load.peer().canonical(),
            Instant.ofEpochSecond(load.time()),
            sent,
            role,
            load.content() instanceof Content.Epoch epoch
                ? OptionalInt.of(epoch.number())
                : OptionalInt.empty(),
            scripts.cardinality(),
            and(scripts, own.used()).cardinality(),
            held.cardinality() - scripts.cardinality(),
            showing == null ? OptionalInt.empty() : OptionalInt.of(named.cardinality()),
            showing == null ? 0 : showing.outPoints(),
            serverRate(load.filter(), showing)));
    KnownFilter shown =
        new KnownFilter(
            load.id(),
            sent.parameters(),
            false,
            role,
            sent.bitsSet(),
            sent.realisedRate(),
            held,
            named);
    inOrder.add(shown);
    add(load.peer(), new Exposure(List.of(shown), new BitSet()));
  }

  private void add(PeerAddress peer, Exposure more) {
    given.merge(peer.canonical(), more, Exposure::and);
  }

  private Exposure given(PeerAddress peer) {
    return given.getOrDefault(peer, Exposure.EMPTY);
  }

  /** What a payment names may have become known after it was sent. */
  private void add(DisclosedScripts told, @Nullable Effect effect) {
    BitSet scripts = (BitSet) told.scripts().clone();
    if (effect != null) {
      effect.received().forEach(part -> scripts.set(part.script()));
      effect.spent().forEach(part -> scripts.set(part.script()));
    }
    Hash256 sent = told.sent();
    if (sent != null) {
      payments.add(
          new DisclosedPayment(
              told.peer(), Instant.ofEpochSecond(told.time()), sent, scripts.cardinality()));
    }
    add(told.peer(), new Exposure(List.of(), scripts));
  }

  private static BitSet held(Content content) {
    BitSet held = new BitSet();
    if (content instanceof Content.Epoch epoch) {
      held.or(epoch.members());
    } else {
      held.set(0, content.size());
    }
    return held;
  }

  /** The log never changes what it holds, so what was sent can be made again, bit for bit. */
  private BloomFilter asSent(BloomFilter grown, BitSet held) {
    BloomFilter.Builder sent = BloomFilter.builder(grown.parameters());
    held.stream().forEach(i -> sent.add(log.get(i).data()));
    return sent.build();
  }

  private static double serverRate(BloomFilter filter, @Nullable SentFilter showing) {
    int bits = showing == null ? 0 : showing.bitsSet();
    return bits <= filter.bitsSet()
        ? filter.realisedRate()
        : Math.pow(bits / (double) filter.parameters().bits(), filter.parameters().hashFunctions());
  }

  private static BitSet and(BitSet a, BitSet b) {
    BitSet both = (BitSet) a.clone();
    both.and(b);
    return both;
  }

  /**
   * Reports everything.
   *
   * @param guarded whether the wallet's next sync is private
   * @return as of the last commit
   */
  public PrivacyReport report(boolean guarded) {
    List<PeerAddress> addresses = List.copyOf(given.keySet());
    List<Knowledge> peers = new ArrayList<>();
    given.forEach((peer, dossier) -> peers.add(observer.knowledge(List.of(peer), dossier)));
    peers.sort(Knowledge.MAX_FIRST);
    List<Knowledge> coalitions = new ArrayList<>();
    int pairs = addresses.size() * (addresses.size() - 1) / 2;
    int done = 0;
    for (int i = 0; i < addresses.size() && addresses.size() > 2; i++) {
      for (int j = i + 1; j < addresses.size() && done < MAX_PAIRS; j++, done++) {
        coalitions.add(together(List.of(addresses.get(i), addresses.get(j))));
      }
    }
    coalitions.sort(Knowledge.MAX_FIRST);
    if (addresses.size() > 1) {
      coalitions.add(0, together(addresses));
    }
    return new PrivacyReport(
        universe,
        own.scripts().cardinality(),
        own.used().cardinality(),
        own.coins().size(),
        filters,
        payments,
        peers,
        courses(peers),
        coalitions,
        addresses.size() > 2 ? pairs - done : 0,
        guarded
            ? nextPrivately(lastPeers(), List.of(), false, SizeClass.THRIFTY)
            : next(lastPeers(), SyncSettings.FAST_RATE),
        Audience.of((int) addresses.stream().filter(this::isStrangerWithFilter).count()));
  }

  private boolean isStrangerWithFilter(PeerAddress peer) {
    return !peer.isLocal() && !given(peer).filters().isEmpty();
  }

  /** Those that the last sync showed something: filters within ten minutes of the last one. */
  List<PeerAddress> lastPeers() {
    Set<PeerAddress> last = new LinkedHashSet<>();
    if (!filters.isEmpty()) {
      Instant since = filters.get(filters.size() - 1).time().minus(ONE_SYNC);
      for (ShownFilter filter : filters) {
        if (!filter.time().isBefore(since)) {
          last.add(filter.peer());
        }
      }
    }
    return List.copyOf(last);
  }

  /** One machine is one peer, however it is spelled. */
  private static List<PeerAddress> canonical(List<PeerAddress> peers) {
    Set<PeerAddress> different = new LinkedHashSet<>();
    peers.forEach(peer -> different.add(peer.canonical()));
    return List.copyOf(different);
  }

  /** What a fast sync would show first, and what follows for those who see it. */
  NextSync next(List<PeerAddress> named, double rate) {
    List<PeerAddress> peers = canonical(named);
    if (peers.isEmpty()) {
      return new NextSync(List.of(), List.of());
    }
    FilterParameters parameters = SyncSettings.fastFilter(log.size(), rate);
    BitSet held = new BitSet();
    held.set(0, log.size());
    BitSet scripts = and(held, own.scripts());
    double expected = parameters.expectedRate(log.size());
    NextFilter filter =
        new NextFilter(
            peers,
            null,
            OptionalInt.empty(),
            parameters,
            true,
            false,
            scripts.cardinality(),
            and(scripts, own.used()).cardinality(),
            log.size() - scripts.cardinality(),
            expected);
    KnownFilter more =
        new KnownFilter(Long.MAX_VALUE, parameters, true, null, 0, expected, held, new BitSet());
    List<Knowledge> after = new ArrayList<>();
    for (PeerAddress peer : peers) {
      after.add(observer.knowledge(List.of(peer), given(peer).with(List.of(more))));
    }
    return new NextSync(List.of(filter), after);
  }

  /**
   * What a private sync would show first: every epoch that there is to its guard, unchanged, and
   * new ones for what stands in none.
   *
   * @param named who take the roles that nobody has yet, in their order
   * @param replaced guards that are to be replaced
   * @param onePeer whether one peer may have both roles
   * @param rate of the size classes for new epochs
   */
  NextSync nextPrivately(
      List<PeerAddress> named, List<PeerAddress> replaced, boolean onePeer, double rate) {
    List<PeerAddress> peers = canonical(named);
    List<PeerAddress> dismissed = canonical(replaced);
    Map<FilterRole, PeerAddress> guards = new EnumMap<>(FilterRole.class);
    Map<List<Object>, Integer> last = new LinkedHashMap<>();
    for (int i = 0; i < filters.size(); i++) {
      ShownFilter filter = filters.get(i);
      FilterRole role = filter.role();
      if (role != null && filter.epoch().isPresent()) {
        guards.put(role, filter.peer());
        last.put(List.of(role, filter.epoch().getAsInt()), i);
      }
    }
    guards.values().removeAll(dismissed);
    for (FilterRole role : FilterRole.values()) {
      for (PeerAddress peer : peers) {
        if (!guards.containsKey(role)
            && !dismissed.contains(peer)
            && !sawTheOther(peer, role, guards)) {
          guards.put(role, peer);
        }
      }
      if (onePeer && !peers.isEmpty() && !dismissed.contains(peers.get(0))) {
        guards.putIfAbsent(role, peers.get(0));
      }
    }
    List<NextFilter> next = new ArrayList<>();
    Map<PeerAddress, List<KnownFilter>> more = new LinkedHashMap<>();
    for (int i : last.values()) {
      KnownFilter shown = inOrder.get(i);
      PeerAddress guard = guards.get(filters.get(i).role());
      if (guard != null) {
        next.add(next(guard, shown, filters.get(i).epoch().orElse(0)));
        more.computeIfAbsent(guard, peer -> new ArrayList<>()).add(shown);
      }
    }
    for (Map.Entry<List<Object>, BitSet> fresh : inNoEpoch(last.keySet()).entrySet()) {
      FilterRole role = (FilterRole) fresh.getKey().get(0);
      PeerAddress guard = guards.get(role);
      if (guard != null) {
        KnownFilter made = made(role, fresh.getValue(), rate);
        next.add(next(guard, made, (Integer) fresh.getKey().get(1)));
        more.computeIfAbsent(guard, peer -> new ArrayList<>()).add(made);
      }
    }
    List<Knowledge> after = new ArrayList<>();
    Exposure joint = Exposure.EMPTY;
    for (Map.Entry<PeerAddress, List<KnownFilter>> guard : more.entrySet()) {
      Exposure all = given(guard.getKey()).with(guard.getValue());
      joint = joint.and(all);
      after.add(observer.knowledge(List.of(guard.getKey()), all));
    }
    if (more.size() > 1) {
      after.add(observer.knowledge(List.copyOf(more.keySet()), joint));
    }
    return new NextSync(next, after);
  }

  /** Who knows the scripts must not learn the outpoints, and the other way round. */
  private boolean sawTheOther(
      PeerAddress peer, FilterRole role, Map<FilterRole, PeerAddress> guards) {
    for (FilterRole other : FilterRole.values()) {
      boolean saw = given(peer).filters().stream().anyMatch(shown -> shown.role() == other);
      if (other != role && (saw || peer.equals(guards.get(other)))) {
        return true;
      }
    }
    return false;
  }

  /** Elements that no epoch holds yet, by role and the number that their epoch will have. */
  private Map<List<Object>, BitSet> inNoEpoch(Set<List<Object>> known) {
    Map<List<Object>, BitSet> fresh = new LinkedHashMap<>();
    BitSet held = new BitSet();
    int number = 0;
    for (int i = 0; i < filters.size(); i++) {
      if (filters.get(i).role() == FilterRole.OUTPOINTS) {
        held.or(inOrder.get(i).held());
        number = Math.max(number, filters.get(i).epoch().orElse(0) + 1);
      }
    }
    BitSet outPoints = new BitSet();
    for (int i = 0; i < log.size(); i++) {
      if (log.get(i) instanceof Element.Script script) {
        List<Object> epoch = List.of(FilterRole.SCRIPTS, script.epoch());
        if (!known.contains(epoch)) {
          fresh.computeIfAbsent(epoch, e -> new BitSet()).set(i);
        }
      } else if (!held.get(i) && log.get(i).end() == Element.OPEN) {
        outPoints.set(i);
      }
    }
    if (!outPoints.isEmpty() || number == 0) {
      fresh.put(List.of(FilterRole.OUTPOINTS, number), outPoints);
    }
    return fresh;
  }

  /** An epoch that is still to be filled up with dummies: always exactly as full as its class. */
  private static KnownFilter made(FilterRole role, BitSet held, double rate) {
    SizeClass size = SizeClass.holding(rate, Math.min(held.cardinality(), SizeClass.MAX_ELEMENTS));
    FilterParameters parameters = size.parameters(0);
    double expected = parameters.expectedRate(size.elements());
    return new KnownFilter(Long.MAX_VALUE, parameters, true, role, 0, expected, held, new BitSet());
  }

  private NextFilter next(PeerAddress guard, KnownFilter filter, int epoch) {
    BitSet scripts = and(filter.held(), own.scripts());
    boolean before =
        given(guard).filters().stream()
            .anyMatch(
                shown ->
                    shown.parameters().equals(filter.parameters())
                        && shown.held().equals(filter.held()));
    return new NextFilter(
        List.of(guard),
        filter.role(),
        OptionalInt.of(epoch),
        filter.parameters(),
        false,
        before,
        scripts.cardinality(),
        and(scripts, own.used()).cardinality(),
        filter.held().cardinality() - scripts.cardinality(),
        filter.rate());
  }

  private List<KnowledgeOverTime> courses(List<Knowledge> peers) {
    List<KnowledgeOverTime> courses = new ArrayList<>();
    for (Knowledge knowledge : peers) {
      PeerAddress peer = knowledge.peers().get(0);
      List<KnownFilter> shown = given(peer).filters();
      List<Double> strangers = new ArrayList<>();
      for (int i = 1; i <= Math.min(MAX_STEPS, shown.size()); i++) {
        observer
            .knowledge(knowledge.peers(), shown.subList(0, i))
            .sharpest()
            .ifPresent(matches -> strangers.add(matches.strangers()));
      }
      courses.add(new KnowledgeOverTime(peer, strangers));
    }
    return courses;
  }

  private Knowledge together(List<PeerAddress> peers) {
    Exposure joint = Exposure.EMPTY;
    for (PeerAddress peer : peers) {
      joint = joint.and(given(peer));
    }
    return observer.knowledge(peers, joint);
  }
}
