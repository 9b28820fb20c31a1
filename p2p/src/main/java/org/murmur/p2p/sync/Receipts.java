package org.murmur.p2p.sync;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;

/**
 * Whether peers accepted what they fetched from us. Nodes refuse in silence, so each is asked for
 * the transaction that it fetched. Core hands over what is in its memory pool, once it has made its
 * next announcements (for strangers every 5 seconds, on average); before that, and of what it
 * refused, it says {@code notfound}. So it is asked again and again for a while. The question tells
 * nothing new to a peer that got the transaction from us.
 */
final class Receipts {

  /** The pause between two questions. */
  static final Duration AGAIN = Duration.ofSeconds(2);

  /** A question that is due. */
  record Question(int link, Hash256 txid) {}

  private static final class Receipt {
    final Instant until;
    Instant due;

    Receipt(Instant now) {
      this.due = now;
      this.until = now.plus(MempoolQuery.SPREADING);
    }
  }

  private final Map<Question, Receipt> open = new HashMap<>();
  private final Set<Question> accepted = new HashSet<>();

  /** A peer fetched a transaction of ours. */
  void fetched(Peer peer, Hash256 txid, Instant now) {
    Question question = new Question(peer.link.id(), txid);
    if (!accepted.contains(question)) {
      open.putIfAbsent(question, new Receipt(now));
    }
  }

  /** A peer has it by its own word; returns whether that is news. */
  boolean accepted(Peer peer, Hash256 txid) {
    Question question = new Question(peer.link.id(), txid);
    open.remove(question);
    return accepted.add(question);
  }

  void lost(Peer peer) {
    open.keySet().removeIf(question -> question.link() == peer.link.id());
  }

  /** Takes the questions whose time has come; each is put again after a pause. */
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

  @Nullable Instant due() {
    Instant due = null;
    for (Receipt receipt : open.values()) {
      due = due == null || receipt.due.isBefore(due) ? receipt.due : due;
    }
    return due;
  }
}
