package org.murmur.p2p.discovery;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.wire.NetworkAddress;
import org.murmur.p2p.wire.Services;

/**
 * The table of known addresses, with quotas so that no attacker can fill it.
 *
 * <p>An address is <em>fresh</em> until a handshake succeeded there; then it is <em>proven</em>
 * (Core: new and tried). The two are separate, as in Bitcoin Core:
 *
 * <ul>
 *   <li>one {@link NetGroup} has at most {@value #FRESH_OF_A_GROUP} fresh and {@value
 *       #PROVEN_OF_A_GROUP} proven addresses;
 *   <li>one group of sources has at most {@value #FRESH_OF_A_SOURCE} fresh addresses; when the
 *       table is full, the source with most addresses gives up one, never a source with fewer;
 *   <li>a fresh address never replaces a proven one. Another proven address replaces it only if
 *       connections to it failed, or it was last reached more than a week ago.
 * </ul>
 *
 * <p>Selection is by group: a group with many addresses is selected as often as a group with one.
 * The same calls with the same random numbers give the same results. Not thread safe.
 */
public final class AddressTable {

  /** Maximum number of fresh addresses. */
  public static final int MAX_FRESH = 2_000;

  /** Maximum number of proven addresses. */
  public static final int MAX_PROVEN = 300;

  /** Maximum number of fresh addresses of one group. */
  public static final int FRESH_OF_A_GROUP = 16;

  /** Maximum number of proven addresses of one group. */
  public static final int PROVEN_OF_A_GROUP = 4;

  /** Maximum number of fresh addresses from sources of one group. */
  public static final int FRESH_OF_A_SOURCE = MAX_FRESH / 4;

  /** Maximum number of bans; those that end first are evicted. */
  private static final int MAX_BANNED = 200;

  /** Maximum number of addresses read from one message (Core's MAX_ADDR_TO_SEND). */
  public static final int MAX_OF_A_MESSAGE = 1_000;

  /** Failed attempts after which a fresh address is removed (Core's number). */
  private static final int MAX_FRESH_FAILURES = 3;

  /** The same for a proven address that was last reached long ago. */
  private static final int MAX_PROVEN_FAILURES = 10;

  private static final Duration LONG_AGO = Duration.ofDays(7);

  /** Addresses last seen longer ago are removed (Core's ADDRMAN_HORIZON). */
  private static final Duration HORIZON = Duration.ofDays(30);

  /** An implausible time is replaced by this age, as in Core. */
  private static final Duration SENSELESS = Duration.ofDays(5);

  /**
   * Penalty on the time of a received address, as in Core, because the sender has not just seen it.
   */
  private static final long HEARSAY = 2 * 3600;

  /** Allowed clock difference. */
  private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(10);

  /** Earlier times are implausible (Core's number). */
  private static final long NO_TIME = 100_000_000;

  /**
   * A source keeps an address unless it has more than this many addresses more than the other.
   * Otherwise an odd place would move back and forth forever.
   */
  private static final int ODD_ONE = 1;

  /** One selection in this many uses fresh addresses although there are proven ones. */
  private static final int FRESH_DRAWS = 4;

  /** Eviction order: the least valuable first; among equals, the first in the table. */
  private static final Comparator<KnownAddress> WORST_FIRST =
      Comparator.comparingInt(KnownAddress::failures)
          .reversed()
          .thenComparingLong(KnownAddress::lastSeen);

  /**
   * An address, its group (cached, because it is expensive to compute), and the attempts of this
   * session.
   */
  private record Slot(KnownAddress known, NetGroup group, Tries tries) {

    boolean mayBeCalled(Instant now) {
      return !tries.retries.isPaused(now)
          && (tries.excused ? !known.isBanned(now) : known.mayBeCalled(now));
    }
  }

  /** State of this session: not stored, and removed with the address. */
  private static final class Tries {
    boolean called;
    boolean reached;
    boolean filters;
    final Retries retries = new Retries();
    // Earlier failures do not delay the next attempt.
    boolean excused;
    // The search in which it was asked for addresses.
    int askedIn;
  }

  /**
   * Addresses contacted in this session, each counted once.
   *
   * @param called connections were tried
   * @param reached a handshake succeeded
   * @param filtering they serve BIP-0037
   */
  public record Tally(int called, int reached, int filtering) {}

  private final Scope scope;
  private final Map<Endpoint, Slot> all = new LinkedHashMap<>();
  // Indexes of proven addresses, and of fresh ones by group and by source, so that a flood of
  // addresses needs no full scan.
  private final Set<Endpoint> proven = new LinkedHashSet<>();
  private final Map<NetGroup, Set<Endpoint>> provenOfGroup = new HashMap<>();
  private final Map<NetGroup, Set<Endpoint>> freshOfGroup = new HashMap<>();
  private final Map<NetGroup, Set<Endpoint>> freshOfSource = new LinkedHashMap<>();
  private final Set<Endpoint> changed = new LinkedHashSet<>();
  // Counters of this session, each address once.
  private int calledOnce;
  private int reachedOnce;
  private int filteringOnce;

  /**
   * Makes a table from stored addresses.
   *
   * @param scope reachable addresses; others are skipped
   * @param known the stored addresses, in any order
   */
  public AddressTable(Scope scope, Collection<KnownAddress> known) {
    this.scope = scope;
    for (KnownAddress address : known) {
      if (scope.accepts(address.endpoint())) {
        put(address);
      }
    }
    changed.clear();
  }

  /**
   * Requirements on a selected address.
   *
   * @param services required service bits, as known or reported
   * @param excluded excluded groups
   * @param usable any other condition
   */
  public record Wanted(long services, Set<NetGroup> excluded, Predicate<KnownAddress> usable) {
    /** Copies the set. */
    public Wanted {
      excluded = Set.copyOf(excluded);
    }

    private boolean fits(Slot slot, Instant now) {
      return slot.known().serves(services)
          && slot.mayBeCalled(now)
          && !excluded.contains(slot.group())
          && usable.test(slot.known());
    }
  }

  /**
   * Adds received addresses.
   *
   * @param told addresses; only the first {@value #MAX_OF_A_MESSAGE} are used
   * @param source the sender's group
   * @param now the time
   * @return how many of them are new and stored
   */
  public int add(List<NetworkAddress> told, NetGroup source, Instant now) {
    int added = 0;
    for (NetworkAddress address : told.subList(0, Math.min(told.size(), MAX_OF_A_MESSAGE))) {
      Optional<Endpoint> endpoint = Endpoint.of(address).filter(scope::accepts);
      if (endpoint.isPresent()) {
        long seen = plausible(address.time(), now);
        boolean young = seen > now.minus(HORIZON).getEpochSecond();
        if (young && hear(endpoint.get(), address.services(), seen, source)) {
          added++;
        }
      }
    }
    return added;
  }

  private static long plausible(long told, Instant now) {
    long seen = told;
    if (told <= NO_TIME || told > now.plus(CLOCKS_DIFFER).getEpochSecond()) {
      seen = now.minus(SENSELESS).getEpochSecond();
    }
    return Math.min(seen - HEARSAY, now.getEpochSecond());
  }

  private boolean hear(Endpoint endpoint, long services, long seen, NetGroup source) {
    KnownAddress known = known(endpoint);
    if (known != null) {
      NetGroup by = known.proven() || isLighter(known.source(), source) ? known.source() : source;
      KnownAddress again = known.toldAgain(services, seen, by);
      if (!again.equals(known)) {
        put(again);
      }
      return false;
    }
    KnownAddress heard = KnownAddress.heardOf(endpoint, services, seen, source);
    if (!makeRoom(heard)) {
      return false;
    }
    put(heard);
    return true;
  }

  private @Nullable KnownAddress known(Endpoint endpoint) {
    Slot slot = all.get(endpoint);
    return slot == null ? null : slot.known();
  }

  /** Whether a source has so few addresses that a shared address counts for it. */
  private boolean isLighter(NetGroup holder, NetGroup other) {
    return of(freshOfSource, holder).size() <= of(freshOfSource, other).size() + ODD_ONE;
  }

  /** Evicts an address for a new one if necessary; returns whether the new one may be added. */
  private boolean makeRoom(KnownAddress heard) {
    NetGroup source = heard.source();
    Set<Endpoint> ofSource = of(freshOfSource, source);
    if (ofSource.size() >= FRESH_OF_A_SOURCE && !removeFailed(ofSource)) {
      return false;
    }
    Set<Endpoint> ofGroup = of(freshOfGroup, heard.group());
    if (ofGroup.size() >= FRESH_OF_A_GROUP
        && !removeFailed(ofGroup)
        && !removeOfHeaviest(bySource(ofGroup), source)) {
      return false;
    }
    return all.size() - proven.size() < MAX_FRESH || removeOfHeaviest(freshOfSource, source);
  }

  private Map<NetGroup, Set<Endpoint>> bySource(Set<Endpoint> some) {
    Map<NetGroup, Set<Endpoint>> sources = new LinkedHashMap<>();
    for (Endpoint endpoint : some) {
      KnownAddress known = known(endpoint);
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
    remove(worst.endpoint());
    return true;
  }

  /**
   * Evicts an address of the source with most addresses, if it has more than the new address's
   * source.
   */
  private boolean removeOfHeaviest(Map<NetGroup, Set<Endpoint>> sources, NetGroup newcomers) {
    Set<Endpoint> most = Set.of();
    for (Set<Endpoint> told : sources.values()) {
      most = told.size() > most.size() ? told : most;
    }
    boolean fair = most.size() > of(sources, newcomers).size() + ODD_ONE;
    KnownAddress given = fair ? lastOf(most) : null;
    if (given == null) {
      return false;
    }
    remove(given.endpoint());
    return true;
  }

  /**
   * The address that a source gives up: the one with most failed attempts, then the one received
   * last. Reported times cannot decide, because invented addresses have recent times. A flood that
   * first claims other sources' addresses must send its own last.
   */
  private @Nullable KnownAddress lastOf(Collection<Endpoint> told) {
    KnownAddress last = null;
    for (Endpoint endpoint : told) {
      KnownAddress known = known(endpoint);
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
      KnownAddress known = known(endpoint);
      // A banned address must not return as a new one.
      boolean may = known != null && known.bannedFor().isEmpty();
      if (may && (worst == null || WORST_FIRST.compare(known, worst) < 0)) {
        worst = known;
      }
    }
    return worst;
  }

  /**
   * Corrects times in the future, left by earlier sessions or a clock that was set back. Assumes
   * that the clock is right now.
   *
   * @param now the time
   */
  public void settle(Instant now) {
    for (KnownAddress known : all()) {
      KnownAddress mended = known.asOf(now.getEpochSecond());
      if (!mended.equals(known)) {
        put(mended);
      }
    }
  }

  /**
   * Records a connection attempt.
   *
   * @param endpoint the address
   * @param now the time
   * @return false if it is not in the table
   */
  public boolean called(Endpoint endpoint, Instant now) {
    Slot slot = all.get(endpoint);
    if (slot == null) {
      return false;
    }
    Tries tries = slot.tries();
    calledOnce += tries.called ? 0 : 1;
    tries.called = true;
    tries.retries.called();
    tries.excused = false;
    put(slot.known().called(now.getEpochSecond()));
    return true;
  }

  /**
   * Returns the attempts since an address was last {@link #useful}.
   *
   * @param endpoint the address
   * @return 0 if it is not in the table
   */
  public int calls(Endpoint endpoint) {
    Slot slot = all.get(endpoint);
    return slot == null ? 0 : slot.tries().retries.calls();
  }

  /**
   * Records that a peer was useful, which resets its attempts.
   *
   * @param endpoint the address; ignored if it is not in the table
   */
  public void useful(Endpoint endpoint) {
    Slot slot = all.get(endpoint);
    if (slot != null) {
      slot.tries().retries.useful();
    }
  }

  /**
   * Pauses an address, in this session only.
   *
   * @param endpoint the address; ignored if it is not in the table
   * @param now the time
   * @param until end of the pause, {@link Instant#MAX} for never
   */
  public void pause(Endpoint endpoint, Instant now, Instant until) {
    Slot slot = all.get(endpoint);
    if (slot != null) {
      slot.tries().retries.pauseUntil(now, until);
    }
  }

  /**
   * Ends all pauses after this computer was offline; addresses that were reached before may be
   * contacted at once. Bans continue.
   */
  public void hurry() {
    for (Slot slot : all.values()) {
      Tries tries = slot.tries();
      tries.retries.retryNow();
      tries.excused = slot.known().proven();
    }
  }

  /**
   * Records a request for addresses.
   *
   * @param endpoint the address; ignored if it is not in the table
   * @param search number of the search
   */
  public void asked(Endpoint endpoint, int search) {
    Slot slot = all.get(endpoint);
    if (slot != null) {
      slot.tries().askedIn = search;
    }
  }

  /**
   * Returns whether a peer was asked for addresses in a search.
   *
   * @param endpoint the address
   * @param search its number
   * @return false also if it is not in the table
   */
  public boolean wasAsked(Endpoint endpoint, int search) {
    Slot slot = all.get(endpoint);
    return slot != null && slot.tries().askedIn == search;
  }

  /**
   * Returns whether a handshake with an address succeeded in this session.
   *
   * @param endpoint the address
   * @return false if it is not in the table
   */
  public boolean wasReached(Endpoint endpoint) {
    Slot slot = all.get(endpoint);
    return slot != null && slot.tries().reached;
  }

  /**
   * Returns whether an address that was contacted in this session may be contacted again.
   *
   * @param endpoint the address
   * @param now the time
   * @return false if it was not contacted, is not in the table, or is paused or banned
   */
  public boolean mayBeCalledAgain(Endpoint endpoint, Instant now) {
    Slot slot = all.get(endpoint);
    return slot != null && slot.tries().called && slot.mayBeCalled(now);
  }

  /**
   * Returns the counters of this session.
   *
   * @return counts
   */
  public Tally tally() {
    return new Tally(calledOnce, reachedOnce, filteringOnce);
  }

  /**
   * Records a failed attempt.
   *
   * @param endpoint the address; ignored if it is not in the table
   * @param now the time
   */
  public void inVain(Endpoint endpoint, Instant now) {
    KnownAddress known = known(endpoint);
    if (known == null) {
      return;
    }
    KnownAddress worse = known.inVain(now.getEpochSecond());
    boolean longAgo = worse.lastSuccess() < now.minus(LONG_AGO).getEpochSecond();
    boolean hopeless =
        worse.proven()
            ? worse.failures() >= MAX_PROVEN_FAILURES && longAgo
            : worse.failures() >= MAX_FRESH_FAILURES;
    if (hopeless && worse.bannedFor().isEmpty()) {
      remove(endpoint);
    } else {
      put(worse);
    }
  }

  /**
   * Records a successful handshake and the peer's services. Adds an unknown address.
   *
   * @param endpoint the address
   * @param services service bits of its version message
   * @param now the time
   * @return false if it is out of scope
   */
  public boolean reached(Endpoint endpoint, long services, Instant now) {
    if (!scope.accepts(endpoint)) {
      return false;
    }
    long seconds = now.getEpochSecond();
    KnownAddress known = known(endpoint);
    if (known == null) {
      known = KnownAddress.heardOf(endpoint, services, seconds, NetGroup.of(endpoint));
    }
    KnownAddress there = known.reached(services, seconds);
    if (there.proven()) {
      put(there);
    } else if (makeRoomAmongProven(there, now)) {
      put(there.proven(true));
    } else if (all.containsKey(endpoint) || makeRoom(there)) {
      put(there);
    }
    count(endpoint, services);
    return true;
  }

  private void count(Endpoint endpoint, long services) {
    Slot slot = all.get(endpoint);
    Tries tries = slot == null ? new Tries() : slot.tries();
    boolean filters = Services.has(services, DnsSeeds.FILTERED);
    reachedOnce += tries.reached ? 0 : 1;
    filteringOnce += filters && !tries.filters ? 1 : 0;
    tries.reached = true;
    tries.filters |= filters;
    // Contacted, perhaps before it was in the table.
    tries.called = true;
  }

  private boolean makeRoomAmongProven(KnownAddress there, Instant now) {
    Set<Endpoint> ofGroup = of(provenOfGroup, there.group());
    boolean groupIsFull = ofGroup.size() >= PROVEN_OF_A_GROUP;
    if (!groupIsFull && proven.size() < MAX_PROVEN) {
      return true;
    }
    List<Endpoint> weak = new ArrayList<>();
    for (Endpoint endpoint : groupIsFull ? ofGroup : proven) {
      KnownAddress known = known(endpoint);
      if (known != null
          && (known.failures() > 0 || known.lastSuccess() < now.minus(LONG_AGO).getEpochSecond())) {
        weak.add(endpoint);
      }
    }
    KnownAddress worst = worst(weak);
    if (worst == null) {
      return false;
    }
    remove(worst.endpoint());
    return true;
  }

  /**
   * Records a round trip.
   *
   * @param endpoint the address; ignored if it is not in the table
   * @param millis the round trip, or -1
   */
  public void measured(Endpoint endpoint, long millis) {
    KnownAddress known = known(endpoint);
    if (known != null && !known.measured(millis).equals(known)) {
      put(known.measured(millis));
    }
  }

  /**
   * Bans an address.
   *
   * @param endpoint the address; ignored if it is not in the table
   * @param why the reason for people, not empty
   * @param until end of the ban
   */
  public void banned(Endpoint endpoint, String why, Instant until) {
    KnownAddress known = known(endpoint);
    if (known == null || why.isEmpty()) {
      return;
    }
    put(known.banned(until.getEpochSecond(), why));
    List<KnownAddress> banned = new ArrayList<>(all());
    banned.removeIf(each -> each.bannedFor().isEmpty());
    if (banned.size() > MAX_BANNED) {
      remove(
          Collections.min(banned, Comparator.comparingLong(KnownAddress::bannedUntil)).endpoint());
    }
  }

  /**
   * Selects an address to connect to. Three of four selections prefer proven addresses, and each
   * group is equally likely.
   *
   * @param wanted the requirements
   * @param dice random numbers
   * @param now the time
   * @return empty if no address fits
   */
  public Optional<KnownAddress> draw(Wanted wanted, SplittableRandom dice, Instant now) {
    List<Slot> reached = new ArrayList<>();
    List<Slot> heardOf = new ArrayList<>();
    for (Slot slot : all.values()) {
      if (wanted.fits(slot, now)) {
        (slot.known().proven() ? reached : heardOf).add(slot);
      }
    }
    // Always drawn, so that later random numbers do not depend on the table.
    boolean prefersFresh = dice.nextInt(FRESH_DRAWS) == 0;
    List<Slot> first = prefersFresh ? heardOf : reached;
    List<Slot> some = first.isEmpty() ? (prefersFresh ? reached : heardOf) : first;
    return some.isEmpty() ? Optional.empty() : Optional.of(ofSomeGroup(some, dice));
  }

  /**
   * Returns whether {@link #draw} would return an address.
   *
   * @param wanted the requirements
   * @param now the time
   * @return true if there is such an address
   */
  public boolean holds(Wanted wanted, Instant now) {
    for (Slot slot : all.values()) {
      if (wanted.fits(slot, now)) {
        return true;
      }
    }
    return false;
  }

  private static KnownAddress ofSomeGroup(List<Slot> some, SplittableRandom dice) {
    Map<NetGroup, List<KnownAddress>> groups = new LinkedHashMap<>();
    for (Slot slot : some) {
      groups.computeIfAbsent(slot.group(), group -> new ArrayList<>()).add(slot.known());
    }
    List<List<KnownAddress>> bags = new ArrayList<>(groups.values());
    List<KnownAddress> bag = bags.get(dice.nextInt(bags.size()));
    return bag.get(dice.nextInt(bag.size()));
  }

  /**
   * Returns how many addresses are known.
   *
   * @return all of them
   */
  public int size() {
    return all.size();
  }

  /**
   * Counts addresses.
   *
   * @param services required service bits, as known or reported
   * @return how many
   */
  public int count(long services) {
    int count = 0;
    for (Slot slot : all.values()) {
      count += slot.known().serves(services) ? 1 : 0;
    }
    return count;
  }

  /**
   * Returns all addresses.
   *
   * @return in the order in which they were added
   */
  public List<KnownAddress> all() {
    List<KnownAddress> known = new ArrayList<>(all.size());
    all.values().forEach(slot -> known.add(slot.known()));
    return known;
  }

  /**
   * Returns an entry.
   *
   * @param endpoint the address
   * @return empty if it is not in the table
   */
  public Optional<KnownAddress> find(Endpoint endpoint) {
    return Optional.ofNullable(known(endpoint));
  }

  /**
   * Returns whether there are changes.
   *
   * @return true if something changed since the last {@link #takeChanges}
   */
  public boolean hasChanged() {
    return !changed.isEmpty();
  }

  /**
   * Returns the changes since the last call, to be stored.
   *
   * @return the newest state of changed entries
   */
  public AddressChanges takeChanges() {
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

  private void put(KnownAddress known) {
    Slot before = all.get(known.endpoint());
    Slot slot =
        before == null
            ? new Slot(known, known.group(), new Tries())
            : new Slot(known, before.group(), before.tries());
    all.put(known.endpoint(), slot);
    if (before == null || !isLinkedAlike(before.known(), known)) {
      if (before != null) {
        unlink(before);
      }
      link(slot);
    }
    changed.add(known.endpoint());
  }

  private void remove(Endpoint endpoint) {
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

  private static Set<Endpoint> of(Map<NetGroup, Set<Endpoint>> sets, NetGroup group) {
    return sets.getOrDefault(group, Set.of());
  }
}
