package org.murmur.p2p.internal.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.internal.peers.Alarm;

/**
 * Checks whether peers have the transactions that we announced. Nodes refuse silently, and do not
 * fetch what they have. So each transaction is requested back: at once after the peer fetched it,
 * and after {@link #UNFETCHED} if it did not. Core serves what is in its mempool after its next
 * announcements (to inbound peers every 5 seconds, on average). Before that, and for what it
 * refused, it answers {@code notfound}. So the request is repeated for a while. It reveals nothing
 * new to a peer that got the transaction, or its txid, from us.
 */
final class Receipts implements Alarm.Timed {

  /** The pause between two requests. */
  static final Duration AGAIN = Duration.ofSeconds(2);

  /**
   * How long a peer may take to fetch an announced transaction. Core delays an inbound peer's
   * announcement by 2 seconds, and by 2 more if other peers announce by wtxid.
   */
  static final Duration UNFETCHED = Duration.ofSeconds(5);

  /** A request that is due. */
  record Question(int link, Hash256 txid) {}

  private static final class Receipt {
    final Instant until;
    Instant due;

    Receipt(Instant due) {
      this.due = due;
      this.until = due.plus(UnconfirmedQuery.SPREADING);
    }
  }

  private final Map<Question, Receipt> open = new HashMap<>();
  private final Set<Question> accepted = new HashSet<>();

  /** A transaction of ours was announced to a peer, which will not fetch it if it has it. */
  void announced(PoolPeer peer, Hash256 txid, Instant now) {
    ask(peer, txid, now.plus(UNFETCHED));
  }

  /** A transaction was announced again: a peer that has had it for long sends it back at once. */
  void announcedAgain(PoolPeer peer, Hash256 txid, Instant now) {
    ask(peer, txid, now);
  }

  /** Whether a peer may still fetch a transaction, or has not reported whether it accepted it. */
  boolean isOpen(PoolPeer peer) {
    return open.keySet().stream().anyMatch(question -> question.link() == peer.link().id());
  }

  /** A peer fetched a transaction of ours. */
  void fetched(PoolPeer peer, Hash256 txid, Instant now) {
    ask(peer, txid, now);
  }

  /** Schedules a request for some time, or moves it forward. */
  private void ask(PoolPeer peer, Hash256 txid, Instant due) {
    Question question = new Question(peer.link().id(), txid);
    Receipt before = open.get(question);
    if (!accepted.contains(question) && (before == null || due.isBefore(before.due))) {
      open.put(question, new Receipt(due));
    }
  }

  /** A peer confirmed that it has it; returns whether that is new. */
  boolean accepted(PoolPeer peer, Hash256 txid) {
    Question question = new Question(peer.link().id(), txid);
    open.remove(question);
    return accepted.add(question);
  }

  void lost(PoolPeer peer) {
    open.keySet().removeIf(question -> question.link() == peer.link().id());
  }

  /** Takes the requests that are due; each is repeated after a pause. */
  List<Question> takeDue(Instant now) {
    if (open.isEmpty()) {
      return List.of();
    }
    List<Question> due = new ArrayList<>();
    open.values().removeIf(receipt -> receipt.until.isBefore(now));
    open.forEach(
        (question, receipt) -> {
          if (!receipt.due.isAfter(now)) {
            receipt.due = now.plus(AGAIN);
            due.add(question);
          }
        });
    return due;
  }

  @Override
  public void setAlarm(Alarm alarm) {
    open.values().forEach(receipt -> alarm.at(receipt.due));
  }
}
