package org.murmur.p2p.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.wire.Message;

/** The state of one peer's mempool on one link: our requests and its answers. */
final class PeerPool {

  /** For this long after its return, a peer may be loading its mempool. */
  private static final Duration LOADING = Duration.ofSeconds(60);

  /** When to request the whole mempool of a new peer again: it may have been starting. */
  private static final List<Duration> FIRST =
      List.of(Duration.ofSeconds(10), Duration.ofSeconds(50));

  /** The interval after that: each request costs the peer a walk through its whole mempool. */
  private static final Duration ANEW = Duration.ofHours(1);

  /** The pause between two checks for pending transactions under one tip. */
  private static final Duration LOOK = Duration.ofMinutes(2);

  final Peer peer;
  // Whether this address was lost before in this session. It may have restarted since, and a
  // starting node answers while it is still loading its mempool.
  private final boolean returned;
  private final Instant began;

  // The last request for the whole mempool, and when to send the next: a node does not announce
  // what it loads.
  private MempoolRequest request;
  private int requests;
  private Instant askedAt;
  private Instant again;
  private int scriptsAsked;
  // An answer that came at once, until a second request shows whether the peer repeats it.
  private Set<Hash256> firstAnswer = Set.of();

  // Transactions that it announced or served on this link, and has not denied since.
  private final Set<Hash256> vouched = new HashSet<>();
  // Requested by name since the last request for the whole mempool.
  private final Set<Hash256> named = new HashSet<>();
  // Pending ones that it denied, and since when, if its denial is not believed yet.
  private final Map<Hash256, Instant> denied = new HashMap<>();

  // The last check for pending transactions.
  private Hash256 tip;
  private Instant lookedAt;

  /**
   * The time of a request, and the state at that time.
   *
   * @param now the steady time
   * @param tip the chain's
   * @param lastScript the index of the newest script in the log
   */
  record Moment(Instant now, Hash256 tip, int lastScript) {}

  PeerPool(Peer peer, boolean returned, Moment moment, MempoolRequest request) {
    this.peer = peer;
    this.returned = returned;
    this.began = moment.now();
    this.askedAt = moment.now();
    this.again = moment.now();
    this.tip = moment.tip();
    this.lookedAt = moment.now();
    this.request = request;
    asked(moment, request);
  }

  boolean isAsking() {
    return !request.isClosed();
  }

  /** Whether its whole answer came before the second pong: it is known to answer at once. */
  boolean isWhole() {
    return request.isClosed() && peer.mempoolAtOnce();
  }

  /** Whether all requested transactions are here. */
  boolean isQuiet() {
    return PoolLink.of(peer).wanted().isEmpty() && PoolLink.of(peer).waiting.isEmpty();
  }

  /** The whole mempool was requested. */
  void asked(Moment moment, MempoolRequest next) {
    request = next;
    requests++;
    askedAt = moment.now();
    again = askedAt.plus(requests <= FIRST.size() ? FIRST.get(requests - 1) : ANEW);
    scriptsAsked = moment.lastScript();
    named.clear();
    PoolLink.of(peer).truncated = false;
    looked(moment);
  }

  /** How often the whole mempool was requested. */
  int requests() {
    return requests;
  }

  /** Whether the log has a script that it had not at the last request. */
  boolean lacksScripts(Moment moment) {
    return moment.lastScript() > scriptsAsked;
  }

  /** When to request the whole mempool again. */
  Instant again() {
    return again;
  }

  /** Schedules a request for the whole mempool, but not more often than this. */
  void askSoon(Duration apart) {
    Instant soon = askedAt.plus(apart);
    again = again.isBefore(soon) ? again : soon;
  }

  /** The whole mempool was requested once more, to compare the answers. */
  void repeated(MempoolRequest next) {
    request = next;
  }

  /**
   * The second pong of the request came. A peer that answers at once repeats its whole answer. A
   * peer that delays its announcements may have sent some between the pongs by chance.
   *
   * @return whether a second request has to tell these apart
   */
  boolean closed() {
    if (!firstAnswer.isEmpty() && request.announced().containsAll(firstAnswer)) {
      peer.answersMempoolAtOnce(true);
    }
    boolean doubtful = firstAnswer.isEmpty() && request.cameAtOnce() && !peer.mempoolAtOnce();
    firstAnswer = doubtful ? Set.copyOf(request.announced()) : Set.of();
    return doubtful;
  }

  void announced(Message.Inv inv) {
    request.received(inv);
    MempoolRequest.txids(inv).forEach(this::served);
  }

  /** The peer served a requested transaction. */
  void served(Hash256 txid) {
    if (vouched.size() < MempoolRequest.MAX_ANNOUNCED) {
      vouched.add(txid);
    }
    denied.remove(txid);
  }

  /** Whether it announced or served a transaction, and has not denied it since. */
  boolean vouchesFor(Hash256 txid) {
    return vouched.contains(txid);
  }

  /**
   * The peer does not have a transaction. It is believed if it had it, if it answers at once, or if
   * it denied the transaction before. A peer that delays its announcements denies what it has not
   * announced yet.
   *
   * @param once whether its first denial suffices
   * @return whether it is believed
   */
  boolean denies(Hash256 txid, boolean once, Instant now) {
    boolean hadIt = vouched.remove(txid);
    boolean loading = returned && now.isBefore(began.plus(LOADING));
    boolean atOnce = (once || peer.mempoolAtOnce()) && !loading;
    Instant before = denied.get(txid);
    boolean twice = before != null && !now.isBefore(before.plus(UnconfirmedQuery.SPREADING));
    if (hadIt || atOnce || twice) {
      denied.remove(txid);
      return true;
    }
    if (denied.size() < MempoolRequest.MAX_ANNOUNCED) {
      denied.putIfAbsent(txid, now);
    }
    return false;
  }

  /** Which of some transactions its answer lacked. */
  Set<Hash256> notAnnounced(Collection<Hash256> txids) {
    Set<Hash256> lacking = new LinkedHashSet<>(txids);
    lacking.removeAll(request.announced());
    lacking.removeAll(named);
    return lacking;
  }

  /** Transactions are requested by name: once after each request for the whole mempool. */
  void named(Collection<Hash256> txids) {
    named.addAll(txids);
  }

  /** Whether to check for pending transactions: at a new tip, and from time to time. */
  boolean isLookDue(Moment moment) {
    return !tip.equals(moment.tip()) || !moment.now().isBefore(lookAt());
  }

  void looked(Moment moment) {
    tip = moment.tip();
    lookedAt = moment.now();
  }

  Instant lookAt() {
    return lookedAt.plus(LOOK);
  }
}
