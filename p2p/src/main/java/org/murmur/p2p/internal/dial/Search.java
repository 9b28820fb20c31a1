package org.murmur.p2p.internal.dial;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.discovery.Scope;
import org.murmur.p2p.internal.discovery.AddressTable;
import org.murmur.p2p.internal.discovery.Attempts;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.sync.Discovery;

/**
 * The search for addresses of scanners while too few are known: asks seed nodes, then DNS seeds,
 * then up to {@value #MAX_ASKED} nodes of any kind. Built-in nodes come last, but before others if
 * no node has answered in time, since the table may be stale, and once one of them was asked, since
 * it may have announced anything. It ends when enough scanners are connected. A session that
 * follows begins the next one after {@link #LENGTH}. When scanners are not missing, it tests spare
 * ones, for the time when a peer is lost.
 */
final class Search extends Part<Peer> {

  /** A session that follows searches again after this long, if it found too few. */
  static final Duration LENGTH = Duration.ofMinutes(10);

  /** The same if nothing ever came from the network. */
  private static final Duration UNHEARD = Attempts.LONGEST_PAUSE;

  /** Maximum number of nodes asked at a time. */
  private static final int MAX_AT_A_TIME = 4;

  /** Maximum number of nodes asked in one search. */
  private static final int MAX_ASKED = 40;

  /** Maximum number of built-in nodes asked in one search; the next search asks others. */
  private static final int MAX_ENTRIES = 16;

  /** Separates the order of the built-in nodes from other random numbers. */
  private static final long ENTRY_DICE = 0x456e747279L;

  /** A one-off sync needs no more spare scanners than this. */
  private static final int ENOUGH_SPARES = 6;

  /** Maximum number of feelers of a one-off sync to spare scanners. */
  private static final int MAX_TESTS = 6;

  /** Pause between two of them in a session that follows (Core's FEELER_INTERVAL). */
  static final Duration SPARE_PAUSE = Duration.ofMinutes(2);

  private final Discovery how;
  private final AddressTable table;
  private final AddressSources sources;
  private final Line line;
  private final Places places;
  private final Feelers feelers;
  private final Candidates candidates;
  private final Gossip gossip;
  private final SearchRecord record;
  // Built-in nodes, those not asked for the longest time first.
  private final Deque<Endpoint> entries = new ArrayDeque<>();
  private int entriesLeft;
  // Whether this search has asked one of them.
  private boolean entered;
  private int number = 1;
  // When this search asked its first source; null before.
  private @Nullable Instant since;
  private int asked;
  private int tests;
  private Instant nextTestAt = Instant.EPOCH;

  Search(
      Part<?> machine,
      Discovery how,
      AddressTable table,
      AddressSources sources,
      Line line,
      Places places,
      Feelers feelers,
      Candidates candidates,
      Gossip gossip,
      SearchRecord record) {
    super(machine);
    this.how = how;
    this.table = table;
    this.sources = sources;
    this.line = line;
    this.places = places;
    this.feelers = feelers;
    this.candidates = candidates;
    this.gossip = gossip;
    this.record = record;
    Scope scope = how.scope().orElse(Scope.INTERNET);
    List<Endpoint> left = new ArrayList<>();
    how.entries().forEach(node -> node.endpoint().filter(scope::accepts).ifPresent(left::add));
    SplittableRandom dice = new SplittableRandom(settings.seed() ^ ENTRY_DICE);
    while (!left.isEmpty()) {
      entries.add(left.remove(dice.nextInt(left.size())));
    }
    this.entriesLeft = Math.min(MAX_ENTRIES, entries.size());
  }

  void askSeedNodes() {
    how.seedNodes().forEach(feelers::call);
  }

  /** Ends a search that found enough, and begins the next one when it is due. */
  void renew() {
    Instant begun = since;
    if (begun == null) {
      return;
    }
    Duration length = line.wasEverHeard() ? LENGTH : UNHEARD;
    boolean over = settings.follow() && !effects.now().isBefore(begun.plus(length));
    if (!over && !places.areEnough()) {
      return;
    }
    number++;
    asked = 0;
    entriesLeft = Math.min(MAX_ENTRIES, entries.size());
    entered = false;
    since = null;
    if (!places.areEnough()) {
      askSeedNodes();
    }
  }

  /**
   * Asks the next source for addresses, because no known scanner may be called, or, if it is late,
   * because none of them has helped.
   */
  void advance(boolean late) {
    if (since == null) {
      since = effects.now();
    }
    if (sources.isPending() || awaitsAddresses()) {
      return;
    }
    if (!sources.isExhausted()) {
      sources.ask(feelers::call);
      return;
    }
    if (entered || (late && !line.wasEverHeard())) {
      askEntries();
    }
    while (feelers.count() < MAX_AT_A_TIME && asked < MAX_ASKED) {
      Optional<Endpoint> drawn = candidates.draw(() -> candidates.notAskedIn(number));
      if (!drawn.isPresent()) {
        break;
      }
      asked++;
      ask(drawn.get());
    }
    if (!awaitsAddresses() && (late || places.connecting() == 0)) {
      askEntries();
    }
  }

  /** Asks built-in nodes for addresses. They become peers only if others announce them. */
  private void askEntries() {
    while (feelers.count() < MAX_AT_A_TIME && entriesLeft > 0 && line.mayCall(effects.now())) {
      Endpoint entry = entries.remove();
      entries.add(entry);
      entriesLeft--;
      entered = true;
      if (!candidates.inUse().contains(entry)) {
        record.entryAsked(NodeAddress.of(entry));
        ask(entry);
      }
    }
  }

  /** Sends the next feeler to an untested address, one at a time, if it is due. */
  void testSpare() {
    boolean quiet = places.missingScanners() <= 0 && feelers.count() == 0;
    boolean due = quiet && !settings.headersOnly() && !effects.now().isBefore(nextTestAt);
    if (!due || areSparesEnough()) {
      return;
    }
    Optional<Endpoint> drawn = candidates.draw(candidates::untested);
    if (drawn.isPresent()) {
      tests++;
      nextTestAt = settings.follow() ? effects.now().plus(SPARE_PAUSE) : effects.now();
      ask(drawn.get());
    }
  }

  private boolean areSparesEnough() {
    return !settings.follow() && (tests >= MAX_TESTS || candidates.spare() >= ENOUGH_SPARES);
  }

  private void ask(Endpoint endpoint) {
    markAsked(endpoint);
    feelers.call(NodeAddress.of(endpoint));
  }

  /** Records that a node is asked for addresses in this search. */
  void markAsked(Endpoint endpoint) {
    table.attempts(endpoint).asked(number);
  }

  private boolean awaitsAddresses() {
    return feelers.count() > 0 || gossip.isAwaited();
  }

  /** Whether a source is left to ask, or an answer may come. */
  boolean mayGoOn() {
    return sources.isPending()
        || awaitsAddresses()
        || !sources.isExhausted()
        || entriesLeft > 0
        || (asked < MAX_ASKED && candidates.hold(candidates.notAskedIn(number), effects.now()));
  }
}
