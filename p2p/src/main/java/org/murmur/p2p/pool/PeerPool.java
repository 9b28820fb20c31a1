package org.murmur.p2p.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.peers.Peer;

/** What is known of one peer's memory pool on one link: what it was asked, and what it answered. */
final class PeerPool {

  /** Announcements that are remembered; what is beyond counts as never announced. */
  static final int MAX_ANNOUNCED = 60_000;

  /** So long after its return a peer may be loading its memory pool. */
  static final Duration LOADING = Duration.ofSeconds(60);

  /** When the whole pool of a peer just reached is asked for again: it may have been starting. */
  private static final List<Duration> FIRST =
      List.of(Duration.ofSeconds(10), Duration.ofSeconds(50));

  /** How often after that: it costs the peer a walk through all of it. */
  private static final Duration ANEW = Duration.ofHours(1);

  /** The first pause between two looks after what is pending; doubled every time. */
  static final Duration FIRST_LOOK = Duration.ofSeconds(30);

  /** The longest. */
  static final Duration LAST_LOOK = Duration.ofMinutes(10);

  final Peer peer;
  // Whether this address was lost before in this session: it may have been started again since, and
  // a node that starts goes on loading its memory pool while it answers already.
  private final boolean returned;
  private final Instant began;
  // When the whole pool is to be asked for again, since nothing announces what a node loads.
  Instant again;

  // The question for the whole pool.
  private boolean asking;
  private Instant askedAt = Instant.EPOCH;
  private boolean emptyHanded;
  private boolean whole;
  private final Set<Hash256> answer = new HashSet<>();
  // The answer before, when a peer is asked twice.
  private final Set<Hash256> firstAnswer = new HashSet<>();
  int rounds;
  int scriptsAsked;

  // What it announced or handed over on this link, and has not denied since.
  private final Set<Hash256> told = new HashSet<>();
  // What it was asked for by name since it was last asked for all.
  private final Set<Hash256> named = new HashSet<>();
  // Pending, and not found there, since when: to be asked for once more.
  final Map<Hash256, Instant> denied = new LinkedHashMap<>();

  // Looks after what is pending.
  int elementsShown;
  int reorganisations;
  Hash256 tip;
  boolean restless;
  Instant lookedAt;
  private Duration pause = FIRST_LOOK;

  /**
   * When something is asked, and what is known then.
   *
   * @param now the steady time
   * @param tip the chain's
   * @param lastScript the index of the newest script in the log
   * @param elements how many elements the log has
   * @param reorganisations how often blocks left the chain so far
   */
  record Moment(Instant now, Hash256 tip, int lastScript, int elements, int reorganisations) {}

  PeerPool(Peer peer, boolean returned, Moment moment) {
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

  /** Whether it may have been started so lately that it has not read its memory pool yet. */
  boolean mayBeLoading(Instant now) {
    return returned && now.isBefore(began.plus(LOADING));
  }

  /** Whether it told its whole pool before the pong, and was such a one before. */
  boolean isWhole() {
    return whole;
  }

  /** Whether all that was asked of it is here. */
  boolean isQuiet() {
    return PoolLink.of(peer).wanted().isEmpty() && PoolLink.of(peer).waiting.isEmpty();
  }

  /** It is asked for all. */
  void asked(Moment moment) {
    asking = true;
    askedAt = moment.now();
    emptyHanded = false;
    answer.clear();
    named.clear();
    PoolLink.of(peer).truncated = false;
    scriptsAsked = moment.lastScript();
    elementsShown = moment.elements();
    reorganisations = moment.reorganisations();
    looked(moment);
  }

  /** It is to be asked for all again, but not more often than this. */
  void askSoon(Duration apart) {
    Instant soon = askedAt.plus(apart);
    again = again.isBefore(soon) ? again : soon;
  }

  /** When it is to be asked for all again, if nothing else makes it necessary. */
  void planNext(Instant now) {
    again = now.plus(rounds <= FIRST.size() ? FIRST.get(rounds - 1) : ANEW);
  }

  /** What it announces. */
  void announced(Hash256 txid) {
    if (told.size() < MAX_ANNOUNCED) {
      told.add(txid);
    }
    if (asking && answer.size() < MAX_ANNOUNCED) {
      answer.add(txid);
    }
    denied.remove(txid);
  }

  void announcedNothing() {
    emptyHanded |= asking;
  }

  /** It handed over what it was asked for. */
  void served(Hash256 txid) {
    if (told.size() < MAX_ANNOUNCED) {
      told.add(txid);
    }
    denied.remove(txid);
  }

  /** It does not have it; returns whether it had said before, on this link, that it has. */
  boolean denies(Hash256 txid) {
    return told.remove(txid);
  }

  boolean vouchesFor(Hash256 txid) {
    return told.contains(txid);
  }

  /** What is pending and was neither in its answer nor asked for by txid since. */
  Set<Hash256> notAnnounced(Set<Hash256> pending) {
    Set<Hash256> missing = new LinkedHashSet<>(pending);
    missing.removeAll(answer);
    missing.removeAll(named);
    named.addAll(missing);
    return missing;
  }

  /** What became of the question for all. */
  enum Outcome {
    /** All of it came before the pong. */
    WHOLE,
    /** Perhaps only news that happened to arise between question and pong: to be asked again. */
    DOUBTFUL,
    /** The answer comes when it comes. */
    SPREAD
  }

  /**
   * The pong behind the question. Asked a second time, a peer that answers at once says all of it
   * once more, and a peer that spreads its news says each once.
   */
  Outcome closed() {
    asking = false;
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

  /** Something is new: ask for pending transactions often again. */
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
