package org.murmur.p2p.internal.pool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.sync.CommitBatch;

/**
 * Messages that reveal transactions by txid outside every filter: announcements, served payments,
 * requests by name. Like a filter, each goes out only after its record is on disk. Later messages
 * about the same transaction on the same link reveal nothing new, and do not wait. But a request by
 * name does not reveal that the user pays, and an announcement does.
 */
final class Mentions extends Part<PoolPeer> {

  /** A message to send, and the batch that records it. */
  private record Held(PoolPeer peer, long recordedBy, Runnable words) {}

  /** A peer, by the canonical form of its address, and a transaction. */
  private record Learnt(NodeAddress peer, Hash256 txid) {}

  /** Those remembered; the oldest are evicted. */
  private static final int MAX_LEARNT = 50_000;

  // Transactions that the user sends.
  private final Outgoing outgoing;
  private final List<Held> held = new ArrayList<>();
  // The peers that learned of each transaction from us in this session, over all connections.
  private final Set<Learnt> learnt = new LinkedHashSet<>();

  Mentions(Part<PoolPeer> machine, Outgoing outgoing) {
    super(machine);
    this.outgoing = outgoing;
  }

  /** Sends a request for transactions by txid, once it is recorded on disk. */
  void ask(PoolPeer peer, Collection<Hash256> txids, Runnable words) {
    say(peer, txids, false, words);
  }

  /** Announces or sends a payment of the user, once that is recorded on disk as such. */
  void tell(PoolPeer peer, Hash256 txid, Runnable words) {
    say(peer, List.of(txid), true, words);
  }

  private void say(PoolPeer peer, Collection<Hash256> txids, boolean asPayment, Runnable words) {
    long by = 0;
    for (Hash256 txid : txids) {
      // A request by txid that was recorded before does not say that the user pays.
      Long before = peer.pool().recordedBy(txid, asPayment);
      long recorded = before == null ? record(peer, txid, asPayment) : before;
      by = Math.max(by, recorded);
    }
    if (journal.isWritten(by)) {
      words.run();
    } else {
      held.add(new Held(peer, by, words));
    }
  }

  private long record(PoolPeer peer, Hash256 txid, boolean asPayment) {
    CommitBatch.Mention mention =
        new CommitBatch.Mention(
            peer.link().address().canonical(),
            txid,
            asPayment ? outgoing.find(txid) : null,
            effects.clock().getEpochSecond());
    long by = journal.mention(mention, effects.now());
    peer.pool().learns(txid, asPayment, by);
    learnt.add(new Learnt(mention.peer(), txid));
    if (learnt.size() > MAX_LEARNT) {
      learnt.remove(learnt.iterator().next());
    }
    return by;
  }

  /** Whether a peer learnt of a transaction from us in this session. */
  boolean isFromUs(PoolPeer peer, Hash256 txid) {
    return learnt.contains(new Learnt(peer.link().address().canonical(), txid));
  }

  /** A batch is on disk: sends the messages that it records, to peers that are still connected. */
  void committed() {
    List<Held> due = new ArrayList<>();
    for (Iterator<Held> each = held.iterator(); each.hasNext(); ) {
      Held next = each.next();
      if (journal.isWritten(next.recordedBy())) {
        each.remove();
        due.add(next);
      }
    }
    for (Held next : due) {
      if (roster.get(next.peer().link().id()) == next.peer()) {
        next.words().run();
      }
    }
  }

  /** Whether a message to a peer waits for its record. */
  boolean holdsFor(PoolPeer peer) {
    return held.stream().anyMatch(waiting -> waiting.peer() == peer);
  }

  void lost(PoolPeer peer) {
    held.removeIf(waiting -> waiting.peer() == peer);
  }
}
