package org.murmur.p2p.internal.discovery;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NetGroup;

/**
 * The entries of an address table with their indexes, so that a flood of addresses needs no full
 * scan. It decides nothing.
 */
final class AddressIndex {

  private final Map<Endpoint, Slot> all = new LinkedHashMap<>();
  private final Set<Endpoint> proven = new LinkedHashSet<>();
  private final Map<NetGroup, Set<Endpoint>> provenOfGroup = new HashMap<>();
  private final Map<NetGroup, Set<Endpoint>> freshOfGroup = new HashMap<>();
  private final Map<NetGroup, Set<Endpoint>> freshOfSource = new LinkedHashMap<>();
  private final Set<Endpoint> changed = new LinkedHashSet<>();

  /** An entry, its group (cached, because it is expensive to compute), and its attempts. */
  record Slot(KnownAddress known, NetGroup group, Attempts attempts) {}

  @Nullable Slot slot(Endpoint endpoint) {
    return all.get(endpoint);
  }

  @Nullable KnownAddress known(Endpoint endpoint) {
    Slot slot = all.get(endpoint);
    return slot == null ? null : slot.known();
  }

  /** All entries, in the order in which they were added. */
  Collection<Slot> slots() {
    return all.values();
  }

  /** All entries, as {@link #slots}. */
  List<KnownAddress> all() {
    List<KnownAddress> known = new ArrayList<>(all.size());
    all.values().forEach(slot -> known.add(slot.known()));
    return known;
  }

  int size() {
    return all.size();
  }

  int fresh() {
    return all.size() - proven.size();
  }

  Set<Endpoint> proven() {
    return proven;
  }

  Set<Endpoint> provenOf(NetGroup group) {
    return of(provenOfGroup, group);
  }

  Set<Endpoint> freshOf(NetGroup group) {
    return of(freshOfGroup, group);
  }

  /** The fresh addresses of each source. */
  Map<NetGroup, Set<Endpoint>> freshBySource() {
    return freshOfSource;
  }

  static Set<Endpoint> of(Map<NetGroup, Set<Endpoint>> sets, NetGroup group) {
    return sets.getOrDefault(group, Set.of());
  }

  boolean hasChanged() {
    return !changed.isEmpty();
  }

  void forgetChanges() {
    changed.clear();
  }

  /** The newest state of what changed since the last call. */
  AddressChanges takeChanges() {
    List<KnownAddress> kept = new ArrayList<>();
    List<Endpoint> gone = new ArrayList<>();
    for (Endpoint endpoint : changed) {
      KnownAddress known = known(endpoint);
      if (known == null) {
        gone.add(endpoint);
      } else {
        kept.add(known);
      }
    }
    changed.clear();
    return new AddressChanges(kept, gone);
  }

  /** Adds or replaces an entry. */
  void put(KnownAddress known) {
    Slot before = all.get(known.endpoint());
    Slot slot =
        before == null
            ? new Slot(known, known.group(), new Attempts())
            : new Slot(known, before.group(), before.attempts());
    all.put(known.endpoint(), slot);
    if (before == null || !isLinkedAlike(before.known(), known)) {
      if (before != null) {
        unlink(before);
      }
      link(slot);
    }
    changed.add(known.endpoint());
  }

  void remove(Endpoint endpoint) {
    Slot gone = all.remove(endpoint);
    if (gone != null) {
      unlink(gone);
      changed.add(endpoint);
    }
  }

  /** Whether it stays in the same index, at the same position. */
  private static boolean isLinkedAlike(KnownAddress before, KnownAddress after) {
    return before.proven() == after.proven()
        && (after.proven() || before.source().equals(after.source()));
  }

  private void link(Slot slot) {
    Endpoint endpoint = slot.known().endpoint();
    if (slot.known().proven()) {
      proven.add(endpoint);
      add(provenOfGroup, slot.group(), endpoint);
    } else {
      add(freshOfGroup, slot.group(), endpoint);
      add(freshOfSource, slot.known().source(), endpoint);
    }
  }

  private void unlink(Slot slot) {
    Endpoint endpoint = slot.known().endpoint();
    if (slot.known().proven()) {
      proven.remove(endpoint);
      remove(provenOfGroup, slot.group(), endpoint);
    } else {
      remove(freshOfGroup, slot.group(), endpoint);
      remove(freshOfSource, slot.known().source(), endpoint);
    }
  }

  private static void add(Map<NetGroup, Set<Endpoint>> sets, NetGroup group, Endpoint endpoint) {
    sets.computeIfAbsent(group, of -> new LinkedHashSet<>()).add(endpoint);
  }

  private static void remove(Map<NetGroup, Set<Endpoint>> sets, NetGroup group, Endpoint endpoint) {
    Set<Endpoint> set = sets.get(group);
    if (set != null && set.remove(endpoint) && set.isEmpty()) {
      sets.remove(group);
    }
  }
}
