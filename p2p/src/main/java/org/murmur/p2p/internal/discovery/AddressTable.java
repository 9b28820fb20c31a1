package org.murmur.p2p.internal.discovery;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.discovery.Scope;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.internal.wire.Services;

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

  /** Maximum number of addresses read from one message (Core's MAX_ADDR_TO_SEND). */
  public static final int MAX_OF_A_MESSAGE = 1_000;

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

  /** One selection in this many uses fresh addresses although there are proven ones. */
  private static final int FRESH_DRAWS = 4;

  private final Scope scope;
  private final AddressIndex index = new AddressIndex();
  private final Quotas quotas = new Quotas(index);
  // Addresses called in this session, each counted once.
  private int called;

  /**
   * Makes a table from stored addresses.
   *
   * @param scope reachable addresses; others are skipped
   */
  public AddressTable(Scope scope, Collection<KnownAddress> known) {
    this.scope = scope;
    for (KnownAddress address : known) {
      if (scope.accepts(address.endpoint())) {
        index.put(address);
      }
    }
    index.forgetChanges();
  }

  /**
   * Requirements on a selected address.
   *
   * @param services required service bits, as known or reported
   * @param usable any other condition
   * @param rank only those of the highest rank are drawn
   */
  public record Wanted(
      long services,
      Set<NetGroup> excluded,
      Predicate<KnownAddress> usable,
      ToIntFunction<KnownAddress> rank) {
    /** Copies the set. */
    public Wanted {
      excluded = Set.copyOf(excluded);
    }

    private boolean fits(AddressIndex.Slot slot, Instant now) {
      return slot.known().serves(services)
          && slot.attempts().mayBeCalled(slot.known(), now)
          && !excluded.contains(slot.group())
          && usable.test(slot.known());
    }
  }

  /**
   * Adds received addresses.
   *
   * @param received addresses; only the first {@value #MAX_OF_A_MESSAGE} are used
   * @param source the sender's group
   * @return how many of them are new and stored
   */
  public int add(List<NetworkAddress> received, NetGroup source, Instant now) {
    int added = 0;
    for (NetworkAddress address :
        received.subList(0, Math.min(received.size(), MAX_OF_A_MESSAGE))) {
      Optional<Endpoint> endpoint = endpoint(address).filter(scope::accepts);
      if (endpoint.isPresent()) {
        long seen = plausible(address.time(), now);
        boolean young = seen > now.minus(HORIZON).getEpochSecond();
        if (young && add(endpoint.get(), address.services(), seen, source)) {
          added++;
        }
      }
    }
    return added;
  }

  /** The endpoint of a received address; empty if its port is invalid. */
  static Optional<Endpoint> endpoint(NetworkAddress address) {
    return address.port() == 0
        ? Optional.empty()
        : Optional.of(new Endpoint(address.network(), address.address(), address.port()));
  }

  private static long plausible(long announced, Instant now) {
    long seen = announced;
    if (announced <= NO_TIME || announced > now.plus(CLOCKS_DIFFER).getEpochSecond()) {
      seen = now.minus(SENSELESS).getEpochSecond();
    }
    return Math.min(seen - HEARSAY, now.getEpochSecond());
  }

  private boolean add(Endpoint endpoint, long services, long seen, NetGroup source) {
    KnownAddress known = index.known(endpoint);
    if (known != null) {
      update(known, services, seen, source);
      return false;
    }
    KnownAddress heard = KnownAddress.announced(endpoint, services, seen, source);
    boolean room = quotas.makeRoom(heard);
    if (room) {
      index.put(heard);
    }
    return room;
  }

  private void update(KnownAddress known, long services, long seen, NetGroup source) {
    boolean stays = known.proven() || quotas.isLighter(known.source(), source);
    replace(known, known.announcedAgain(services, seen, stays ? known.source() : source));
  }

  private void replace(KnownAddress before, KnownAddress after) {
    if (!after.equals(before)) {
      index.put(after);
    }
  }

  /**
   * Corrects times in the future, left by earlier sessions or a clock that was set back. Assumes
   * that the clock is right now.
   */
  public void settle(Instant now) {
    for (KnownAddress known : index.all()) {
      replace(known, known.asOf(now.getEpochSecond()));
    }
  }

  /**
   * Records a connection attempt.
   *
   * @return false if it is not in the table
   */
  public boolean called(Endpoint endpoint, Instant now) {
    AddressIndex.Slot slot = index.slot(endpoint);
    if (slot == null) {
      return false;
    }
    called += slot.attempts().wasTried() ? 0 : 1;
    slot.attempts().called();
    index.put(slot.known().called(now.getEpochSecond()));
    return true;
  }

  /**
   * Returns the attempts of this session to connect to an address.
   *
   * @return changes to it have no effect if the address is not in the table
   */
  public Attempts attempts(Endpoint endpoint) {
    AddressIndex.Slot slot = index.slot(endpoint);
    return slot == null ? new Attempts() : slot.attempts();
  }

  /**
   * Ends all pauses after this computer was offline; addresses that were reached before may be
   * contacted at once. Bans continue.
   */
  public void hurry() {
    index.slots().forEach(slot -> slot.attempts().retryNow(slot.known().proven()));
  }

  /**
   * Returns whether an address that was contacted in this session may be contacted again.
   *
   * @return false if it was not contacted, is not in the table, or is paused or banned
   */
  public boolean mayBeCalledAgain(Endpoint endpoint, Instant now) {
    AddressIndex.Slot slot = index.slot(endpoint);
    return slot != null
        && slot.attempts().wasTried()
        && slot.attempts().mayBeCalled(slot.known(), now);
  }

  /** {@return how many addresses were called in this session} */
  public int called() {
    return called;
  }

  /**
   * Counts the addresses that were reached in this session.
   *
   * @param services required service bits, as their nodes said
   */
  public int reached(long services) {
    int count = 0;
    for (AddressIndex.Slot slot : index.slots()) {
      count += slot.attempts().wasReached() && slot.known().serves(services) ? 1 : 0;
    }
    return count;
  }

  /**
   * Records a failed attempt.
   *
   * @param endpoint the address; ignored if it is not in the table
   */
  public void failed(Endpoint endpoint, Instant now) {
    KnownAddress known = index.known(endpoint);
    if (known == null) {
      return;
    }
    KnownAddress worse = known.failed(now.getEpochSecond());
    if (worse.isHopeless(now) && worse.bannedFor().isEmpty()) {
      index.remove(endpoint);
    } else {
      index.put(worse);
    }
  }

  /** Returns whether a node is said to encrypt (BIP-0324), or is not in this table. */
  public boolean encrypts(Endpoint endpoint) {
    return find(endpoint).map(known -> known.serves(Services.P2P_V2)).orElse(true);
  }

  /**
   * Records a successful handshake and the peer's services. Adds an unknown address.
   *
   * @return false if it is out of scope
   */
  public boolean reached(Endpoint endpoint, long services, Instant now) {
    if (!scope.accepts(endpoint)) {
      return false;
    }
    KnownAddress known = index.known(endpoint);
    long seconds = now.getEpochSecond();
    if (known == null) {
      known = KnownAddress.announced(endpoint, services, seconds, NetGroup.of(endpoint));
    }
    keep(known.reached(services, seconds), now);
    attempts(endpoint).reached();
    return true;
  }

  private void keep(KnownAddress reached, Instant now) {
    if (reached.proven()) {
      index.put(reached);
    } else if (quotas.makeRoomAmongProven(reached, now)) {
      index.put(reached.proven(true));
    } else if (index.known(reached.endpoint()) != null || quotas.makeRoom(reached)) {
      index.put(reached);
    }
  }

  /**
   * Records a round trip.
   *
   * @param millis the round trip, or -1
   */
  public void measured(Endpoint endpoint, long millis) {
    KnownAddress known = index.known(endpoint);
    if (known != null) {
      replace(known, known.measured(millis));
    }
  }

  /**
   * Bans an address.
   *
   * @param why the reason for people, not empty
   */
  public void banned(Endpoint endpoint, String why, Instant until) {
    KnownAddress known = index.known(endpoint);
    if (known != null && !why.isEmpty()) {
      index.put(known.banned(until.getEpochSecond(), why));
      quotas.limitBans();
    }
  }

  /**
   * Selects an address to connect to. Three of four selections prefer proven addresses, and each
   * group is equally likely.
   */
  public Optional<KnownAddress> draw(Wanted wanted, SplittableRandom dice, Instant now) {
    List<AddressIndex.Slot> reached = new ArrayList<>();
    List<AddressIndex.Slot> announced = new ArrayList<>();
    int highest = Integer.MIN_VALUE;
    for (AddressIndex.Slot slot : index.slots()) {
      int rank = wanted.rank().applyAsInt(slot.known());
      if (rank >= highest && wanted.fits(slot, now)) {
        if (rank > highest) {
          highest = rank;
          reached.clear();
          announced.clear();
        }
        (slot.known().proven() ? reached : announced).add(slot);
      }
    }
    // Always drawn, so that later random numbers do not depend on the table.
    boolean prefersFresh = dice.nextInt(FRESH_DRAWS) == 0;
    List<AddressIndex.Slot> first = prefersFresh ? announced : reached;
    List<AddressIndex.Slot> some = first.isEmpty() ? (prefersFresh ? reached : announced) : first;
    return some.isEmpty() ? Optional.empty() : Optional.of(ofSomeGroup(some, dice));
  }

  /** Returns whether {@link #draw} would return an address. */
  public boolean holds(Wanted wanted, Instant now) {
    for (AddressIndex.Slot slot : index.slots()) {
      if (wanted.fits(slot, now)) {
        return true;
      }
    }
    return false;
  }

  private static KnownAddress ofSomeGroup(List<AddressIndex.Slot> some, SplittableRandom dice) {
    Map<NetGroup, List<KnownAddress>> groups = new LinkedHashMap<>();
    for (AddressIndex.Slot slot : some) {
      groups.computeIfAbsent(slot.group(), group -> new ArrayList<>()).add(slot.known());
    }
    List<List<KnownAddress>> bags = new ArrayList<>(groups.values());
    List<KnownAddress> bag = bags.get(dice.nextInt(bags.size()));
    return bag.get(dice.nextInt(bag.size()));
  }

  /** {@return how many addresses are known} */
  public int size() {
    return index.size();
  }

  /** {@return all addresses, in the order in which they were added} */
  public List<KnownAddress> all() {
    return index.all();
  }

  /** Returns an entry. */
  public Optional<KnownAddress> find(Endpoint endpoint) {
    return Optional.ofNullable(index.known(endpoint));
  }

  /**
   * {@return whether there are changes; true if something changed since the last {@link
   * #takeChanges}}
   */
  public boolean hasChanged() {
    return index.hasChanged();
  }

  /**
   * {@return the changes since the last call, to be stored; the newest state of changed entries}
   */
  public AddressChanges takeChanges() {
    return index.takeChanges();
  }
}
