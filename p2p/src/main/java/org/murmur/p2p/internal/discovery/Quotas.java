package org.murmur.p2p.internal.discovery;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NetGroup;

/** Keeps an address table within its quotas: decides which address is evicted for a new one. */
final class Quotas {

  /** Maximum number of bans; those that end first are evicted. */
  private static final int MAX_BANNED = 200;

  /**
   * A source keeps an address unless it has more than this many addresses more than the other.
   * Otherwise an odd place would move back and forth forever.
   */
  private static final int ODD_ONE = 1;

  /** Eviction order: the least valuable first; among equals, the first in the table. */
  private static final Comparator<KnownAddress> WORST_FIRST =
      Comparator.comparingInt(KnownAddress::failures)
          .reversed()
          .thenComparingLong(KnownAddress::lastSeen);

  private final AddressIndex index;

  Quotas(AddressIndex index) {
    this.index = index;
  }

  /** Whether a source has so few addresses that a shared address counts for it. */
  boolean isLighter(NetGroup holder, NetGroup other) {
    Map<NetGroup, Set<Endpoint>> sources = index.freshBySource();
    return AddressIndex.of(sources, holder).size()
        <= AddressIndex.of(sources, other).size() + ODD_ONE;
  }

  /** Evicts an address for a fresh one if necessary; returns whether the new one may be added. */
  boolean makeRoom(KnownAddress heard) {
    NetGroup source = heard.source();
    Set<Endpoint> ofSource = AddressIndex.of(index.freshBySource(), source);
    if (ofSource.size() >= AddressTable.FRESH_OF_A_SOURCE && !removeFailed(ofSource)) {
      return false;
    }
    Set<Endpoint> ofGroup = index.freshOf(heard.group());
    if (ofGroup.size() >= AddressTable.FRESH_OF_A_GROUP
        && !removeFailed(ofGroup)
        && !removeOfHeaviest(bySource(ofGroup), source)) {
      return false;
    }
    return index.fresh() < AddressTable.MAX_FRESH
        || removeOfHeaviest(index.freshBySource(), source);
  }

  /** The same among the proven addresses. */
  boolean makeRoomAmongProven(KnownAddress there, Instant now) {
    Set<Endpoint> ofGroup = index.provenOf(there.group());
    boolean groupIsFull = ofGroup.size() >= AddressTable.PROVEN_OF_A_GROUP;
    if (!groupIsFull && index.proven().size() < AddressTable.MAX_PROVEN) {
      return true;
    }
    List<Endpoint> weak = new ArrayList<>();
    for (Endpoint endpoint : groupIsFull ? ofGroup : index.proven()) {
      KnownAddress known = index.known(endpoint);
      if (known != null && (known.failures() > 0 || known.wasReachedLongAgo(now))) {
        weak.add(endpoint);
      }
    }
    KnownAddress worst = worst(weak);
    if (worst == null) {
      return false;
    }
    index.remove(worst.endpoint());
    return true;
  }

  /** Evicts the banned address whose ban ends first, if too many are banned. */
  void limitBans() {
    List<KnownAddress> banned = index.all();
    banned.removeIf(each -> each.bannedFor().isEmpty());
    if (banned.size() > MAX_BANNED) {
      index.remove(
          Collections.min(banned, Comparator.comparingLong(KnownAddress::bannedUntil)).endpoint());
    }
  }

  private Map<NetGroup, Set<Endpoint>> bySource(Set<Endpoint> some) {
    Map<NetGroup, Set<Endpoint>> sources = new LinkedHashMap<>();
    for (Endpoint endpoint : some) {
      KnownAddress known = index.known(endpoint);
      if (known != null) {
        sources.computeIfAbsent(known.source(), by -> new LinkedHashSet<>()).add(endpoint);
      }
    }
    return sources;
  }

  /** Evicts an address that could not be reached. */
  private boolean removeFailed(Set<Endpoint> some) {
    KnownAddress worst = worst(some);
    if (worst == null || worst.failures() == 0) {
      return false;
    }
    index.remove(worst.endpoint());
    return true;
  }

  /**
   * Evicts an address of the source with most addresses, if it has more than the new address's
   * source.
   */
  private boolean removeOfHeaviest(Map<NetGroup, Set<Endpoint>> sources, NetGroup newcomers) {
    Set<Endpoint> most = Set.of();
    for (Set<Endpoint> addresses : sources.values()) {
      most = addresses.size() > most.size() ? addresses : most;
    }
    boolean fair = most.size() > AddressIndex.of(sources, newcomers).size() + ODD_ONE;
    KnownAddress given = fair ? lastOf(most) : null;
    if (given == null) {
      return false;
    }
    index.remove(given.endpoint());
    return true;
  }

  /**
   * The address that a source gives up: the one with most failed attempts, then the one received
   * last. Reported times cannot decide, because invented addresses have recent times. A flood that
   * first claims other sources' addresses must send its own last.
   */
  private @Nullable KnownAddress lastOf(Collection<Endpoint> addresses) {
    KnownAddress last = null;
    for (Endpoint endpoint : addresses) {
      KnownAddress known = index.known(endpoint);
      if (known == null || !known.bannedFor().isEmpty()) {
        continue; // a banned address must not return as a new one
      }
      if (last == null || known.failures() >= last.failures()) {
        last = known;
      }
    }
    return last;
  }

  private @Nullable KnownAddress worst(Collection<Endpoint> some) {
    KnownAddress worst = null;
    for (Endpoint endpoint : some) {
      KnownAddress known = index.known(endpoint);
      // A banned address must not return as a new one.
      boolean may = known != null && known.bannedFor().isEmpty();
      if (may && (worst == null || WORST_FIRST.compare(known, worst) < 0)) {
        worst = known;
      }
    }
    return worst;
  }
}
