package org.murmur.wallet.internal.disclosure;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.SizeClass;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.cover.Passes;
import org.murmur.p2p.internal.sync.FilterPolicy;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.privacy.Knowledge;
import org.murmur.wallet.privacy.NextFilter;
import org.murmur.wallet.privacy.NextSync;
import org.murmur.wallet.privacy.ShownFilter;

/** The first filters of the next sync, and what each peer could know after it. */
final class NextFilters {

  private final List<Element> log;
  private final OwnElements own;
  private final Observer observer;
  private final List<ShownFilter> filters;
  // The same filters, as the observer sees them.
  private final List<KnownFilter> inOrder;
  private final Map<NodeAddress, Exposure> given;

  /** Takes the record of the filters sent so far, in that order. */
  NextFilters(
      List<Element> log,
      OwnElements own,
      Observer observer,
      List<ShownFilter> filters,
      List<KnownFilter> inOrder,
      Map<NodeAddress, Exposure> given) {
    this.log = log;
    this.own = own;
    this.observer = observer;
    this.filters = filters;
    this.inOrder = inOrder;
    this.given = given;
  }

  /** An epoch of one guard. */
  private record EpochId(FilterRole role, int number) {}

  private Exposure given(NodeAddress peer) {
    return given.getOrDefault(peer, Exposure.EMPTY);
  }

  private static BitSet and(BitSet a, BitSet b) {
    BitSet both = (BitSet) a.clone();
    both.and(b);
    return both;
  }

  /** One machine is one peer, however its address is spelled. */
  private static List<NodeAddress> canonical(Collection<NodeAddress> peers) {
    Set<NodeAddress> different = new LinkedHashSet<>();
    peers.forEach(peer -> different.add(peer.canonical()));
    return List.copyOf(different);
  }

  /** The first filter of a fast sync, and what its receivers could know then. */
  NextSync fast(List<NodeAddress> peers, double rate) {
    Passes passes = new Passes(log, Preset.Fast.capacity(rate));
    passes.choose(null, 0, 1, 1);
    BitSet first = passes.part();
    return fast(peers, rate, List.of(first == null ? all() : first));
  }

  /** The same for a sync of several passes, whose filters hold those indexes in the log. */
  NextSync fast(List<NodeAddress> named, double rate, List<BitSet> parts) {
    List<NodeAddress> peers = canonical(named);
    if (peers.isEmpty()) {
      return NextSync.NOTHING;
    }
    List<NextFilter> next = new ArrayList<>();
    List<KnownFilter> more = new ArrayList<>();
    for (BitSet held : parts) {
      FilterParameters parameters = FilterPolicy.fresh(held.cardinality(), rate);
      double expected = parameters.expectedRate(held.cardinality());
      next.add(fast(peers, parameters, held, expected));
      more.add(
          new KnownFilter(Long.MAX_VALUE, parameters, true, null, 0, expected, held, new BitSet()));
    }
    List<Knowledge> after = new ArrayList<>();
    for (NodeAddress peer : peers) {
      after.add(observer.knowledge(List.of(peer), given(peer).with(more)));
    }
    return new NextSync(next, after);
  }

  private BitSet all() {
    BitSet all = new BitSet();
    all.set(0, log.size());
    return all;
  }

  private NextFilter fast(
      List<NodeAddress> peers, FilterParameters parameters, BitSet held, double rate) {
    BitSet scripts = and(held, own.scripts());
    return new NextFilter(
        peers,
        null,
        OptionalInt.empty(),
        parameters,
        true,
        false,
        scripts.cardinality(),
        and(scripts, own.used()).cardinality(),
        held.cardinality() - scripts.cardinality(),
        rate);
  }

  /**
   * The first filters of a private sync: every existing epoch to its guard, unchanged, and new
   * epochs for elements that are in none. Named peers take the empty roles in their order.
   */
  NextSync guarded(List<NodeAddress> named, Preset.Private how) {
    Map<FilterRole, NodeAddress> guards =
        guards(canonical(named), canonical(how.dismissed()), how.onePeer());
    Map<EpochId, KnownFilter> epochs = epochs();
    for (Map.Entry<EpochId, BitSet> fresh : inNoEpoch(epochs.keySet()).entrySet()) {
      epochs.put(fresh.getKey(), made(fresh.getKey().role(), fresh.getValue(), how.rate()));
    }
    List<NextFilter> next = new ArrayList<>();
    Map<NodeAddress, List<KnownFilter>> more = new LinkedHashMap<>();
    epochs.forEach(
        (epoch, filter) -> {
          NodeAddress guard = guards.get(epoch.role());
          if (guard != null) {
            next.add(next(guard, filter, epoch.number()));
            more.computeIfAbsent(guard, peer -> new ArrayList<>()).add(filter);
          }
        });
    return new NextSync(next, after(more));
  }

  /** The last sent filter of each epoch, in the order the epochs first came. */
  private Map<EpochId, KnownFilter> epochs() {
    Map<EpochId, KnownFilter> last = new LinkedHashMap<>();
    for (int i = 0; i < filters.size(); i++) {
      FilterRole role = filters.get(i).role();
      if (role != null && filters.get(i).epoch().isPresent()) {
        last.put(new EpochId(role, filters.get(i).epoch().getAsInt()), inOrder.get(i));
      }
    }
    return last;
  }

  /** Guards stay guards. A role without one goes to the first peer that may have it. */
  private Map<FilterRole, NodeAddress> guards(
      List<NodeAddress> peers, List<NodeAddress> dismissed, boolean onePeer) {
    Map<FilterRole, NodeAddress> guards = new EnumMap<>(FilterRole.class);
    for (ShownFilter filter : filters) {
      FilterRole role = filter.role();
      if (role != null && filter.epoch().isPresent()) {
        guards.put(role, filter.peer());
      }
    }
    guards.values().removeAll(dismissed);
    for (FilterRole role : FilterRole.values()) {
      for (NodeAddress peer : peers) {
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
    return guards;
  }

  /** The knowledge of each guard then, and of all of them together. */
  private List<Knowledge> after(Map<NodeAddress, List<KnownFilter>> more) {
    List<Knowledge> after = new ArrayList<>();
    Exposure joint = Exposure.EMPTY;
    for (Map.Entry<NodeAddress, List<KnownFilter>> guard : more.entrySet()) {
      Exposure all = given(guard.getKey()).with(guard.getValue());
      joint = joint.and(all);
      after.add(observer.knowledge(List.of(guard.getKey()), all));
    }
    if (more.size() > 1) {
      after.add(observer.knowledge(List.copyOf(more.keySet()), joint));
    }
    return after;
  }

  /** A peer that knows the scripts must not learn the outpoints, and the reverse. */
  private boolean sawTheOther(
      NodeAddress peer, FilterRole role, Map<FilterRole, NodeAddress> guards) {
    for (FilterRole other : FilterRole.values()) {
      boolean saw = given(peer).filters().stream().anyMatch(shown -> shown.role() == other);
      if (other != role && (saw || peer.equals(guards.get(other)))) {
        return true;
      }
    }
    return false;
  }

  /** Elements that no epoch holds yet, by role and the number that their epoch will have. */
  private Map<EpochId, BitSet> inNoEpoch(Set<EpochId> known) {
    Map<EpochId, BitSet> fresh = new LinkedHashMap<>();
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
        EpochId epoch = new EpochId(FilterRole.SCRIPTS, script.epoch());
        if (!known.contains(epoch)) {
          fresh.computeIfAbsent(epoch, e -> new BitSet()).set(i);
        }
      } else if (!held.get(i) && log.get(i).end() == Element.OPEN) {
        outPoints.set(i);
      }
    }
    if (!outPoints.isEmpty() || number == 0) {
      fresh.put(new EpochId(FilterRole.OUTPOINTS, number), outPoints);
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

  private NextFilter next(NodeAddress guard, KnownFilter filter, int epoch) {
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
}
