package org.murmur.p2p.internal.dial;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.discovery.AddressTable;
import org.murmur.p2p.internal.discovery.Attempts;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.sync.Discovery;

/**
 * The search for addresses of scanners while too few are known: asks seed nodes, then DNS seeds,
 * then up to {@value #MAX_ASKED} nodes of any kind. It ends when enough scanners are connected. A
 * session that follows begins the next one after {@link #LENGTH}. When scanners are not missing, it
 * tests spare ones, for the time when a peer is lost.
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
      Gossip gossip) {
    super(machine);
    this.how = how;
    this.table = table;
    this.sources = sources;
    this.line = line;
    this.places = places;
    this.feelers = feelers;
    this.candidates = candidates;
    this.gossip = gossip;
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
    since = null;
    if (!places.areEnough()) {
      askSeedNodes();
    }
  }

  /** Asks the next source for addresses, because no known scanner may be called. */
  void advance() {
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
    while (feelers.count() < MAX_AT_A_TIME && asked < MAX_ASKED) {
      Optional<Endpoint> drawn = candidates.draw(() -> candidates.notAskedIn(number));
      if (!drawn.isPresent()) {
        return;
      }
      asked++;
      ask(drawn.get());
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
        || (asked < MAX_ASKED && candidates.hold(candidates.notAskedIn(number), effects.now()));
  }
}
