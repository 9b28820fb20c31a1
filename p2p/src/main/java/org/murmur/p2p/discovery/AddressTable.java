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
 * The addresses that are known, so bounded and so divided that nobody can fill it: what it holds is
 * worth as much as what it can be made to hold.
 *
 * <p>An address is <em>fresh</em> while it was only heard of, and <em>proven</em> when somebody
 * said hello there. The two are kept apart, as Bitcoin Core does:
 *
 * <ul>
 *   <li>of one {@link NetGroup} there are at most {@value #FRESH_OF_A_GROUP} fresh and {@value
 *       #PROVEN_OF_A_GROUP} proven addresses;
 *   <li>of what one group of sources told at most {@value #FRESH_OF_A_SOURCE} are kept, and when
 *       the table is full who told most makes room, never who told less;
 *   <li>a proven address is not displaced by one that is only heard of, and by another proven one
 *       only if calls to it were in vain, or nobody was there for a week.
 * </ul>
 *
 * <p>Which address is called is drawn by groups: a group with many addresses is drawn no more often
 * than one with a single address. The same calls with the same dice give the same answers. One
 * thread at a time.
 */
public final class AddressTable {

  /** Addresses that were only heard of. */
  public static final int MAX_FRESH = 2_000;

  /** Addresses that were reached. */
  public static final int MAX_PROVEN = 300;

  /** Fresh addresses of one group. */
  public static final int FRESH_OF_A_GROUP = 16;

  /** Proven addresses of one group. */
  public static final int PROVEN_OF_A_GROUP = 4;

  /** Fresh addresses that were told by one group. */
  public static final int FRESH_OF_A_SOURCE = MAX_FRESH / 4;

  /** Bans that are remembered whatever else there is; those that end first make room. */
  private static final int MAX_BANNED = 200;

  /** Most addresses of one message that are looked at (MAX_ADDR_TO_SEND of Bitcoin Core). */
  public static final int MAX_OF_A_MESSAGE = 1_000;

  /** Calls in vain after which an address where nobody ever was is forgotten (Core's number). */
  private static final int MAX_FRESH_FAILURES = 3;

  /** The same where somebody was, if that is long ago. */
  private static final int MAX_PROVEN_FAILURES = 10;

  private static final Duration LONG_AGO = Duration.ofDays(7);

  /** What nobody has seen for so long is not kept (Core's ADDRMAN_HORIZON). */
  private static final Duration HORIZON = Duration.ofDays(30);

  /** A time that makes no sense is taken for this long ago, as Core does. */
  private static final Duration SENSELESS = Duration.ofDays(5);

  /** A node that tells of another has not seen it just now: Core takes off as many seconds. */
  private static final long HEARSAY = 2 * 3600;

  /** Clocks may differ by this much. */
  private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(10);

  /** Before this there was no Bitcoin, so no times of it (Core's number). */
  private static final long NO_TIME = 100_000_000;

  /**
   * Who told so many more than another gives nothing up to it: places cannot always be divided
   * evenly, and the odd one must not go round for ever.
   */
  private static final int ODD_ONE = 1;

  /** One draw in so many goes to fresh addresses though there are proven ones. */
  private static final int FRESH_DRAWS = 4;

  /** The one that is missed least comes first; of equal ones the first in the table. */
  private static final Comparator<KnownAddress> WORST_FIRST =
      Comparator.comparingInt(KnownAddress::failures)
          .reversed()
          .thenComparingLong(KnownAddress::lastSeen);

  /**
   * An address, its group, which takes longer to tell than all else, and how calls to it went in
   * this session.
   */
  private record Slot(KnownAddress known, NetGroup group, Tries tries) {

    boolean mayBeCalled(Instant now) {
      return !tries.isPaused(now)
          && (tries.excused ? !known.isBanned(now) : known.mayBeCalled(now));
    }
  }

  /** What matters in one session only: kept nowhere, and gone with the address. */
  private static final class Tries {
    boolean called;
    boolean reached;
    boolean filters;
    // Since it was last of use.
    int calls;
    // Earlier failures do not count for the next call.
    boolean excused;
    // In which search it was asked for addresses.
    int askedIn;
    private Instant pausedSince = Instant.EPOCH;
    private Instant pausedUntil = Instant.EPOCH;

    /** A pause is over when the clock leaves it, to whichever side. */
    boolean isPaused(Instant now) {
      return now.isBefore(pausedUntil) && !now.isBefore(pausedSince);
    }

    void pause(Instant since, Instant until) {
      pausedSince = since;
      pausedUntil = until;
    }
  }

  /**
   * How many addresses were called in this session, each counted once.
   *
   * @param called somebody tried to reach them
   * @param reached and somebody said hello there
   * @param filtering and serves BIP-0037
   */
  public record Tally(int called, int reached, int filtering) {}

  private final Scope scope;
  private final Map<Endpoint, Slot> all = new LinkedHashMap<>();
  // Proven, and fresh by group and by source: a flood of addresses must not cost a look at all.
  private final Set<Endpoint> proven = new LinkedHashSet<>();
  private final Map<NetGroup, Set<Endpoint>> provenOfGroup = new HashMap<>();
  private final Map<NetGroup, Set<Endpoint>> freshOfGroup = new HashMap<>();
  private final Map<NetGroup, Set<Endpoint>> freshOfSource = new LinkedHashMap<>();
  private final Set<Endpoint> changed = new LinkedHashSet<>();
  // In this session, each address once.
  private int calledOnce;
  private int reachedOnce;
  private int filteringOnce;

  /**
   * Makes a table of what earlier sessions knew.
   *
   * @param scope what can be reached; anything else is left out
   * @param known what was kept, in any order
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
   * What is wanted of an address.
   *
   * @param services bits it must be known, or said, to have
   * @param excluded groups of which none is wanted
   * @param usable says which are wanted otherwise
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
   * Takes in what somebody tells.
   *
   * @param told addresses; of more than {@value #MAX_OF_A_MESSAGE} the first
   * @param source the group of who tells
   * @param now the time
   * @return how many of them are new and kept
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

  /** Whether a source told so few that an address it shares with another stays with it. */
  private boolean isLighter(NetGroup holder, NetGroup other) {
    return of(freshOfSource, holder).size() <= of(freshOfSource, other).size() + ODD_ONE;
  }

  /** Lets somebody go for a newcomer where there are too many; returns whether it may come. */
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

  /** One that was called in vain goes. */
  private boolean removeFailed(Set<Endpoint> some) {
    KnownAddress worst = worst(some);
    if (worst == null || worst.failures() == 0) {
      return false;
    }
    remove(worst.endpoint());
    return true;
  }

  /** One of the source that told most goes, if that told more than the newcomer's. */
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
   * What a source gives up: what was called in vain most often, and of the rest what it told last.
   * Times cannot decide that, for who makes addresses up dates them just now. A flood that first
   * claims the addresses of others, so that they go with its own, has to tell its own last.
   */
  private @Nullable KnownAddress lastOf(Collection<Endpoint> told) {
    KnownAddress last = null;
    for (Endpoint endpoint : told) {
      KnownAddress known = known(endpoint);
      if (known == null || !known.bannedFor().isEmpty()) {
        continue; // who is banned must not come back as a stranger
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
      // Who is banned must not come back as a stranger.
      boolean may = known != null && known.bannedFor().isEmpty();
      if (may && (worst == null || WORST_FIRST.compare(known, worst) < 0)) {
        worst = known;
      }
    }
    return worst;
  }

  /**
   * Takes it that the clock is right by now: what earlier sessions, or a clock that was set back
   * since, left in the future is mended.
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
   * Notes that an address is being called.
   *
   * @param endpoint which
   * @param now the time
   * @return false if it is not in the table, so that nothing was noted
   */
  public boolean called(Endpoint endpoint, Instant now) {
    Slot slot = all.get(endpoint);
    if (slot == null) {
      return false;
    }
    Tries tries = slot.tries();
    calledOnce += tries.called ? 0 : 1;
    tries.called = true;
    tries.calls++;
    tries.excused = false;
    put(slot.known().called(now.getEpochSecond()));
    return true;
  }

  /**
   * Returns how often an address was called since it was last {@link #useful}.
   *
   * @param endpoint which
   * @return 0 if it is not in the table
   */
  public int calls(Endpoint endpoint) {
    Slot slot = all.get(endpoint);
    return slot == null ? 0 : slot.tries().calls;
  }

  /**
   * Notes that whoever is there was of use, so that it may be called again as often.
   *
   * @param endpoint which; nothing happens if it is not in the table
   */
  public void useful(Endpoint endpoint) {
    Slot slot = all.get(endpoint);
    if (slot != null) {
      slot.tries().calls = 0;
    }
  }

  /**
   * Leaves an address alone for a while, in this session only.
   *
   * @param endpoint which; nothing happens if it is not in the table
   * @param now the time
   * @param until when it may be called again, {@link Instant#MAX} for never
   */
  public void pause(Endpoint endpoint, Instant now, Instant until) {
    Slot slot = all.get(endpoint);
    if (slot != null) {
      slot.tries().pause(now, until);
    }
  }

  /**
   * Our own end was away: pauses are over, and whoever was there once may be called at once,
   * whatever calls to it came to. Bans go on.
   */
  public void hurry() {
    for (Slot slot : all.values()) {
      Tries tries = slot.tries();
      tries.calls = 0;
      tries.excused = slot.known().proven();
      tries.pause(Instant.EPOCH, Instant.EPOCH);
    }
  }

  /**
   * Notes that whoever is there was asked for addresses.
   *
   * @param endpoint which; nothing happens if it is not in the table
   * @param search a number of the search
   */
  public void asked(Endpoint endpoint, int search) {
    Slot slot = all.get(endpoint);
    if (slot != null) {
      slot.tries().askedIn = search;
    }
  }

  /**
   * Returns whether whoever is there was asked for addresses in a search.
   *
   * @param endpoint which
   * @param search its number
   * @return false also if it is not in the table
   */
  public boolean wasAsked(Endpoint endpoint, int search) {
    Slot slot = all.get(endpoint);
    return slot != null && slot.tries().askedIn == search;
  }

  /**
   * Returns whether somebody said hello at an address in this session.
   *
   * @param endpoint which
   * @return false if it is not in the table
   */
  public boolean wasReached(Endpoint endpoint) {
    Slot slot = all.get(endpoint);
    return slot != null && slot.tries().reached;
  }

  /**
   * Returns whether an address that was called in this session may be called again.
   *
   * @param endpoint which
   * @param now the time
   * @return false if it was not called, is not in the table, or is to be left alone
   */
  public boolean mayBeCalledAgain(Endpoint endpoint, Instant now) {
    Slot slot = all.get(endpoint);
    return slot != null && slot.tries().called && slot.mayBeCalled(now);
  }

  /**
   * Returns what was noted of calls in this session.
   *
   * @return counts
   */
  public Tally tally() {
    return new Tally(calledOnce, reachedOnce, filteringOnce);
  }

  /**
   * Notes that nobody said hello.
   *
   * @param endpoint which; nothing happens if it is not in the table
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
   * Notes that somebody said hello, and with which services. An address that was not known is taken
   * in.
   *
   * @param endpoint where
   * @param services its bits, as it said itself
   * @param now the time
   * @return false if it is out of scope, so that nothing was noted
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
    // It was, perhaps before the table knew of it.
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
   * Notes how fast it answers.
   *
   * @param endpoint which; nothing happens if it is not in the table
   * @param millis a round trip, or -1
   */
  public void measured(Endpoint endpoint, long millis) {
    KnownAddress known = known(endpoint);
    if (known != null && !known.measured(millis).equals(known)) {
      put(known.measured(millis));
    }
  }

  /**
   * Notes that it is to be left alone.
   *
   * @param endpoint which; nothing happens if it is not in the table
   * @param why for people, not empty
   * @param until when
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
   * Draws an address to call, of those that may be called now: three times in four a proven one if
   * there is any, each group as likely as any other.
   *
   * @param wanted what it must be like
   * @param dice decide
   * @param now the time
   * @return nothing if no address fits
   */
  public Optional<KnownAddress> draw(Wanted wanted, SplittableRandom dice, Instant now) {
    List<Slot> reached = new ArrayList<>();
    List<Slot> heardOf = new ArrayList<>();
    for (Slot slot : all.values()) {
      if (wanted.fits(slot, now)) {
        (slot.known().proven() ? reached : heardOf).add(slot);
      }
    }
    // Drawn in any case, so that what comes later does not depend on what there is.
    boolean prefersFresh = dice.nextInt(FRESH_DRAWS) == 0;
    List<Slot> first = prefersFresh ? heardOf : reached;
    List<Slot> some = first.isEmpty() ? (prefersFresh ? reached : heardOf) : first;
    return some.isEmpty() ? Optional.empty() : Optional.of(ofSomeGroup(some, dice));
  }

  /**
   * Returns whether {@link #draw} would find something.
   *
   * @param wanted what it must be like
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
   * @param services bits they must be known, or said, to have
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
   * Returns everything that is known.
   *
   * @return in the order it came to be known
   */
  public List<KnownAddress> all() {
    List<KnownAddress> known = new ArrayList<>(all.size());
    all.values().forEach(slot -> known.add(slot.known()));
    return known;
  }

  /**
   * Returns what is known of one address.
   *
   * @param endpoint which
   * @return nothing if it is not in the table
   */
  public Optional<KnownAddress> find(Endpoint endpoint) {
    return Optional.ofNullable(known(endpoint));
  }

  /**
   * Returns whether {@link #takeChanges} has anything.
   *
   * @return true if something changed since that was last called
   */
  public boolean hasChanged() {
    return !changed.isEmpty();
  }

  /**
   * Returns what changed since this was last called, for the disk.
   *
   * @return the newest state of what changed
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

  /** Whether it stays among the same ones, and then in its place there. */
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
