package org.murmur.wallet.internal.disclosure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.sync.CommitBatch.Fetch;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.internal.books.Books;
import org.murmur.wallet.internal.ledger.Effect;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.LinkedScripts;
import org.murmur.wallet.internal.store.DisclosedScripts;
import org.murmur.wallet.internal.store.SentFilter;
import org.murmur.wallet.internal.store.WalletStore;
import org.murmur.wallet.privacy.Audience;
import org.murmur.wallet.privacy.BlocksServed;
import org.murmur.wallet.privacy.DisclosedPayment;
import org.murmur.wallet.privacy.GroupSight;
import org.murmur.wallet.privacy.Knowledge;
import org.murmur.wallet.privacy.KnowledgeOverTime;
import org.murmur.wallet.privacy.Matches;
import org.murmur.wallet.privacy.NextSync;
import org.murmur.wallet.privacy.PrivacyReport;
import org.murmur.wallet.privacy.ShownFilter;
import org.murmur.wallet.privacy.Universe;

/** The record of the filters and transactions that peers got, read from the books and evaluated. */
public final class Disclosures {

  /** Maximum number of pairs of peers to report: more are of no use to a reader, and take long. */
  private static final int MAX_PAIRS = 45;

  /** After this many filters the course of a peer's knowledge is not computed any further. */
  private static final int MAX_STEPS = 50;

  private static final Duration ONE_SYNC = Duration.ofMinutes(10);

  private final List<Element> log;
  private final OwnElements own;
  private final LinkedScripts linked;
  private final Universe universe;
  private final Observer observer;
  private final List<ShownFilter> filters = new ArrayList<>();
  private final List<KnownFilter> inOrder = new ArrayList<>();
  private final List<DisclosedPayment> payments = new ArrayList<>();
  private final List<BlocksServed> served = new ArrayList<>();
  private final Map<NodeAddress, Exposure> given = new LinkedHashMap<>();

  private Disclosures(List<Element> log, OwnElements own, LinkedScripts linked, Universe u) {
    this.log = log;
    this.linked = linked;
    this.own = own;
    this.universe = u;
    this.observer = new Observer(own, u);
  }

  /** Reads the last commit. The universe is the scripts among which the wallet hides. */
  public static Disclosures of(Books books, Universe universe) {
    return books.read(
        view -> {
          List<Element> log = books.elements();
          Map<Hash256, Effect> effects = new LinkedHashMap<>();
          BitSet ownBlocks = new BitSet();
          for (Fact fact : view.ledger().facts()) {
            Hash256 txid = fact.tx().txid();
            if (fact.confirmation() != null) {
              ownBlocks.set(fact.confirmation().height());
            }
            effects.put(txid, view.ledger().effect(txid));
          }
          LinkedScripts linked = LinkedScripts.of(effects.values());
          OwnElements own = own(log, view.ledger().usedScripts(), linked);
          Disclosures record = new Disclosures(log, own, linked, universe);
          books.readStore(
              store -> {
                store.showings(record::add);
                return true;
              });
          for (DisclosedScripts disclosed : books.readStore(WalletStore::disclosed)) {
            Hash256 sent = disclosed.sent();
            record.add(disclosed, sent == null ? null : effects.get(sent));
          }
          record.addServed(books.readStore(WalletStore::fetches), ownBlocks);
          return record;
        });
  }

  private static OwnElements own(List<Element> log, BitSet used, LinkedScripts linked) {
    BitSet scripts = new BitSet();
    Map<Integer, Integer> coins = new HashMap<>();
    for (int i = 0; i < log.size(); i++) {
      if (log.get(i) instanceof Element.Script) {
        scripts.set(i);
      } else if (log.get(i) instanceof Element.OwnOutPoint coin) {
        coins.put(i, coin.script());
      }
    }
    return new OwnElements(scripts, used, coins, linked.groups());
  }

  private void add(SentFilter shown) {
    Content content = shown.content();
    BitSet held = held(content.at(shown.elements()));
    BitSet named = held(content);
    named.andNot(held);
    FilterRole role = content instanceof Content.Epoch epoch ? epoch.role() : null;
    BitSet scripts = and(held, own.scripts());
    ShownFilter filter =
        new ShownFilter(
            shown.load(),
            shown.peer().canonical(),
            Instant.ofEpochSecond(shown.last()),
            Instant.ofEpochSecond(shown.first()),
            shown.times(),
            shown.parameters(),
            shown.bitsSet(),
            role,
            content instanceof Content.Epoch epoch
                ? OptionalInt.of(epoch.number())
                : OptionalInt.empty(),
            scripts.cardinality(),
            and(scripts, own.used()).cardinality(),
            held.cardinality() - scripts.cardinality(),
            named.cardinality(),
            shown.outPoints(),
            serverRate(shown));
    filters.add(filter);
    KnownFilter known =
        new KnownFilter(
            shown.load(),
            shown.parameters(),
            false,
            role,
            shown.bitsSet(),
            filter.rate(),
            held,
            named);
    inOrder.add(known);
    add(shown.peer(), new Exposure(List.of(known), new BitSet()));
  }

  private void add(NodeAddress peer, Exposure more) {
    given.merge(peer.canonical(), more, Exposure::and);
  }

  private Exposure given(NodeAddress peer) {
    return given.getOrDefault(peer, Exposure.EMPTY);
  }

  /** A payment may name scripts that became known only after it was sent. */
  private void add(DisclosedScripts disclosed, @Nullable Effect effect) {
    BitSet scripts = (BitSet) disclosed.scripts().clone();
    if (effect != null) {
      effect.received().forEach(part -> scripts.set(part.script()));
      effect.spent().forEach(part -> scripts.set(part.script()));
    }
    Hash256 sent = disclosed.sent();
    if (sent != null) {
      payments.add(
          new DisclosedPayment(
              disclosed.peer(),
              Instant.ofEpochSecond(disclosed.time()),
              sent,
              scripts.cardinality()));
    }
    add(disclosed.peer(), new Exposure(List.of(), scripts));
  }

  private void addServed(List<Fetch> fetches, BitSet ownBlocks) {
    Map<NodeAddress, List<Fetch>> byPeer = new LinkedHashMap<>();
    for (Fetch fetch : fetches) {
      byPeer.computeIfAbsent(fetch.peer().canonical(), peer -> new ArrayList<>()).add(fetch);
    }
    byPeer.forEach(
        (peer, all) -> {
          BitSet blocks = new BitSet();
          all.forEach(fetch -> blocks.set(fetch.height()));
          long last = all.stream().mapToLong(Fetch::time).max().getAsLong();
          served.add(
              new BlocksServed(
                  peer,
                  blocks.cardinality(),
                  and(blocks, ownBlocks).cardinality(),
                  Instant.ofEpochSecond(last)));
        });
    served.sort(Comparator.comparing(BlocksServed::blocks).reversed());
  }

  private static BitSet held(Content content) {
    BitSet held = new BitSet();
    content.addTo(held);
    return held;
  }

  private static double serverRate(SentFilter shown) {
    int bits = Math.max(shown.bitsSet(), shown.serverBits());
    return Math.pow(
        bits / (double) Math.max(1, shown.parameters().bits()), shown.parameters().hashFunctions());
  }

  private static BitSet and(BitSet a, BitSet b) {
    BitSet both = (BitSet) a.clone();
    both.and(b);
    return both;
  }

  /** Reports everything as of the last commit, with the next sync under that preset. */
  public PrivacyReport report(Preset.Kind preset) {
    List<NodeAddress> addresses = List.copyOf(given.keySet());
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
        own.clusters().stream().map(BitSet::cardinality).collect(Collectors.toList()),
        filters,
        payments,
        served,
        peers,
        courses(peers),
        coalitions,
        addresses.size() > 2 ? pairs - done : 0,
        switch (preset) {
          case FAST -> next().fast(lastPeers(), Preset.Fast.RATE);
          case PRIVATE -> next().guarded(lastPeers(), Preset.Private.USUAL);
          case COMPACT -> NextSync.NOTHING;
        },
        Audience.of((int) addresses.stream().filter(this::isStrangerWithFilter).count()));
  }

  /** Finds out what a payment's links add to the filters that peers have. */
  public List<GroupSight> sights(Effect payment) {
    List<BitSet> groups = linked.with(payment).groups();
    OwnElements later = new OwnElements(own.scripts(), own.used(), own.coins(), groups);
    Observer then = new Observer(later, universe);
    List<GroupSight> sights = new ArrayList<>();
    given.forEach(
        (peer, dossier) -> {
          if (!dossier.filters().isEmpty()) {
            Knowledge now = observer.knowledge(List.of(peer), dossier);
            sights.add(
                new GroupSight(
                    peer,
                    now.sharpest().map(Matches::strangers).orElse(Double.MAX_VALUE),
                    now.cluster(),
                    then.knowledge(List.of(peer), dossier).cluster()));
          }
        });
    return sights;
  }

  private boolean isStrangerWithFilter(NodeAddress peer) {
    return !peer.isLocal() && !given(peer).filters().isEmpty();
  }

  /** The peers that got filters in the last sync: within ten minutes of the last filter. */
  List<NodeAddress> lastPeers() {
    Set<NodeAddress> last = new LinkedHashSet<>();
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

  /** The filters that the next sync would send. */
  NextFilters next() {
    return new NextFilters(log, own, observer, filters, inOrder, given);
  }

  private List<KnowledgeOverTime> courses(List<Knowledge> peers) {
    List<KnowledgeOverTime> courses = new ArrayList<>();
    for (Knowledge knowledge : peers) {
      NodeAddress peer = knowledge.peers().get(0);
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

  private Knowledge together(List<NodeAddress> peers) {
    Exposure joint = Exposure.EMPTY;
    for (NodeAddress peer : peers) {
      joint = joint.and(given(peer));
    }
    return observer.knowledge(peers, joint);
  }
}
