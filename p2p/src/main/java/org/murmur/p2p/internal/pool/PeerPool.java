package org.murmur.p2p.internal.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;

/** The state of one peer's mempool on one link: our requests and its answers. */
final class PeerPool {

  /** Maximum remembered announcements of one peer; others count as never announced. */
  static final int MAX_ANNOUNCED = 60_000;

  /** For this long after its return, a peer may be loading its mempool. */
  static final Duration LOADING = Duration.ofSeconds(60);

  /** When to request the whole mempool of a new peer again: it may have been starting. */
  private static final List<Duration> FIRST =
      List.of(Duration.ofSeconds(10), Duration.ofSeconds(50));

  /** The interval after that: each request costs the peer a walk through its whole mempool. */
  private static final Duration ANEW = Duration.ofHours(1);

  /** The first pause between two checks for pending transactions; doubled every time. */
  static final Duration FIRST_LOOK = Duration.ofSeconds(30);

  /** The longest such pause. */
  static final Duration LAST_LOOK = Duration.ofMinutes(10);

  final PoolPeer peer;
  // Whether this address was lost before in this session. It may have restarted since, and a
  // starting node answers while it is still loading its mempool.
  private final boolean returned;
  private final Instant began;
  // When to request the whole mempool again, since a node does not announce what it loads.
  Instant again;

  // The request for the whole mempool.
  private boolean asking;
  private Instant askedAt = Instant.EPOCH;
  private boolean emptyHanded;
  private boolean answered;
  private boolean whole;
  private final Set<Hash256> answer = new HashSet<>();
  // The first answer, if the peer gets a second request.
  private final Set<Hash256> firstAnswer = new HashSet<>();
  int rounds;
  int scriptsAsked;

  // Transactions that it announced or served on this link, and has not denied since.
  private final Set<Hash256> told = new HashSet<>();
  // Requested by name since the last request for the whole mempool.
  private final Set<Hash256> named = new HashSet<>();
  // Pending ones that it denied, and since when: to be requested once more.
  final Map<Hash256, Instant> denied = new LinkedHashMap<>();

  // Checks for pending transactions.
  int elementsShown;
  int reorganisations;
  Hash256 tip;
  boolean restless;
  Instant lookedAt;
  private Duration pause = FIRST_LOOK;

  /**
   * The time of a request, and the state at that time: the index of the newest script in the log,
   * the number of elements, and how often blocks left the chain so far.
   */
  record Moment(Instant now, Hash256 tip, int lastScript, int elements, int reorganisations) {}

  PeerPool(PoolPeer peer, boolean returned, Moment moment) {
    this.peer = peer;
    this.returned = returned;
    this.began = moment.now();
    this.again = moment.now();
    this.tip = moment.tip();
    this.lookedAt = moment.now();
  }

  boolean isAsking() {
    return asking;
  }

  /** Whether it may have started so recently that its mempool is not loaded yet. */
  boolean mayBeLoading(Instant now) {
    return returned && now.isBefore(began.plus(LOADING));
  }

  /** Whether its whole answer came before the pong, and it is known to answer at once. */
  boolean isWhole() {
    return whole;
  }

  /** Whether it announced its pool when the link began: at once, or in the time that it takes. */
  boolean hasToldOnce(Instant now, Duration spreading) {
    boolean spread = answered && !now.isBefore(began.plus(spreading));
    return spread || (whole && !mayBeLoading(now));
  }

  /** Whether all requested answers are here. */
  boolean isQuiet() {
    return peer.pool().wanted().isEmpty() && peer.pool().waiting.isEmpty();
  }

  /** The whole mempool was requested. */
  void asked(Moment moment) {
    asking = true;
    askedAt = moment.now();
    emptyHanded = false;
    answer.clear();
    named.clear();
    peer.pool().truncated = false;
    scriptsAsked = moment.lastScript();
    elementsShown = moment.elements();
    reorganisations = moment.reorganisations();
    looked(moment);
  }

  /** Schedules a request for the whole mempool, but not more often than this. */
  void askSoon(Duration apart) {
    Instant soon = askedAt.plus(apart);
    again = again.isBefore(soon) ? again : soon;
  }

  /** Schedules the next regular request for the whole mempool. */
  void planNext(Instant now) {
    again = now.plus(rounds <= FIRST.size() ? FIRST.get(rounds - 1) : ANEW);
  }

  /** The peer announced a transaction. */
  void announced(Hash256 txid) {
    if (told.size() < peer.share(MAX_ANNOUNCED)) {
      told.add(txid);
    }
    if (asking && answer.size() < peer.share(MAX_ANNOUNCED)) {
      answer.add(txid);
    }
    denied.remove(txid);
  }

  void announcedNothing() {
    emptyHanded |= asking;
  }

  /** The peer served a requested transaction. */
  void served(Hash256 txid) {
    if (told.size() < peer.share(MAX_ANNOUNCED)) {
      told.add(txid);
    }
    denied.remove(txid);
  }

  /** The peer denied it; returns whether it had announced or served it on this link. */
  boolean denies(Hash256 txid) {
    return told.remove(txid);
  }

  boolean vouchesFor(Hash256 txid) {
    return told.contains(txid);
  }

  /** Pending transactions that its answer lacked and that were not requested by txid since. */
  Set<Hash256> notAnnounced(Set<Hash256> pending) {
    Set<Hash256> missing = new LinkedHashSet<>(pending);
    missing.removeAll(answer);
    missing.removeAll(named);
    named.addAll(missing);
    return missing;
  }

  /** The result of a request for the whole mempool. */
  enum Outcome {
    /** All of it came before the pong. */
    WHOLE,
    /** Perhaps only new transactions between request and pong: to be requested again. */
    DOUBTFUL,
    /** The answer is spread over time. */
    SPREAD
  }

  /**
   * The pong after the request. After a second request, a peer that answers at once repeats its
   * whole answer, and a peer that delays its announcements sends each once.
   */
  Outcome closed() {
    asking = false;
    answered = true;
    boolean repeated = !firstAnswer.isEmpty() && answer.containsAll(firstAnswer);
    boolean first = firstAnswer.isEmpty() && !answer.isEmpty();
    peer.answersMempoolAtOnce(peer.mempoolAtOnce() || emptyHanded || repeated);
    firstAnswer.clear();
    if (peer.mempoolAtOnce()) {
      whole = true;
      return Outcome.WHOLE;
    }
    if (first) {
      firstAnswer.addAll(answer);
      return Outcome.DOUBTFUL;
    }
    return Outcome.SPREAD;
  }

  /** Something is new: check for pending transactions often again. */
  void restart() {
    pause = FIRST_LOOK;
  }

  void looked(Moment moment) {
    boolean moved = !tip.equals(moment.tip());
    tip = moment.tip();
    restless = false;
    lookedAt = moment.now();
    pause = pause.multipliedBy(2).compareTo(LAST_LOOK) < 0 ? pause.multipliedBy(2) : LAST_LOOK;
    if (moved) {
      restart();
    }
  }

  Instant lookAt() {
    return lookedAt.plus(pause);
  }
}
