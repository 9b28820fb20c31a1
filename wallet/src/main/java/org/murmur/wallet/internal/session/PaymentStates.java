package org.murmur.wallet.internal.session;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.PaymentState;
import org.murmur.wallet.sync.PaymentState.Stage;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;

/**
 * The states of the wallet's payments, as the listener knows them: the ledger's, with the peers'
 * reactions in this session. A write of the committing thread waits until the machine learns of it.
 * So one thread reports payments and their states, in one order.
 */
final class PaymentStates {

  // From the committing thread: what was written, until the machine learns of it. Guarded by
  // itself.
  private final List<WalletEvent> written = new ArrayList<>();
  private final Map<Hash256, BroadcastReplies> replies = new LinkedHashMap<>();
  // The same, without what happened before the peers dropped the payment.
  private final Map<Hash256, BroadcastReplies> current = new HashMap<>();
  // In the file, without those in blocks; and as reported.
  private final Map<Hash256, PaymentState> stored = new HashMap<>();
  private final Map<Hash256, PaymentState> reported = new HashMap<>();

  /** Begins with the unconfirmed ones. */
  PaymentStates(List<HistoryEntry> unconfirmed) {
    for (HistoryEntry entry : unconfirmed) {
      entry
          .state()
          .ifPresent(
              state -> {
                stored.put(entry.txid(), state);
                reported.put(entry.txid(), state);
              });
    }
  }

  /** Whether the file has no unconfirmed one. */
  boolean isEmpty() {
    return stored.isEmpty();
  }

  /** Events of a write. The only method for the committing thread. */
  void written(List<? extends WalletEvent> events) {
    synchronized (written) {
      written.addAll(events);
    }
  }

  /** The user sends a transaction in this session. */
  void sends(Hash256 txid) {
    replies.computeIfAbsent(txid, BroadcastReplies::new);
  }

  /** The machine has learned of writes: their events, each with the state that changed with it. */
  List<SyncEvent> takeWritten() {
    List<WalletEvent> taken;
    synchronized (written) {
      taken = List.copyOf(written);
      written.clear();
    }
    List<SyncEvent> events = new ArrayList<>();
    for (WalletEvent event : taken) {
      events.add(event);
      if (event instanceof WalletEvent.Payment payment && payment.entry().state().isPresent()) {
        keep(payment.entry().txid(), payment.entry().state().get());
        report(payment.entry().txid(), events);
      }
    }
    return events;
  }

  private void keep(Hash256 txid, PaymentState state) {
    PaymentState before = stored.put(txid, state);
    if (before != null && before.stage() == Stage.RELAYED && state.stage() == Stage.BUILT) {
      current.remove(txid);
    }
  }

  /** A peer reacted to a transaction: reports a state that changed with it. */
  List<SyncEvent> heard(SyncEvent.PeerReaction reaction) {
    Hash256 txid = reaction.txid();
    replies.computeIfAbsent(txid, BroadcastReplies::new).heard(reaction);
    current.computeIfAbsent(txid, BroadcastReplies::new).heard(reaction);
    List<SyncEvent> events = new ArrayList<>();
    report(txid, events);
    return events;
  }

  /**
   * Payments of earlier sessions to compare with what peers relay: this event announced one to a
   * peer, or says what that peer relays. None that a peer has.
   */
  List<Hash256> offered(SyncEvent event) {
    List<Hash256> txids = new ArrayList<>();
    NodeAddress peer =
        event instanceof SyncFact.LeastFeeRate said
            ? said.peer()
            : event instanceof SyncEvent.PeerReaction reaction
                    && reaction.kind() == SyncEvent.PeerReaction.Kind.OFFERED
                ? reaction.peer()
                : null;
    if (peer != null) {
      replies.forEach(
          (txid, session) -> {
            if (session.isOfferedTo(peer) && !session.isAccepted()) {
              txids.add(txid);
            }
          });
    }
    return txids;
  }

  /** Payments of earlier sessions that this one announced. */
  List<SyncReport.Announced> announced() {
    List<SyncReport.Announced> all = new ArrayList<>();
    replies.values().forEach(session -> session.rebroadcast().ifPresent(all::add));
    return all;
  }

  private void report(Hash256 txid, List<SyncEvent> events) {
    PaymentState known = stored.get(txid);
    if (known == null) {
      // Not the wallet's, or in a block.
      return;
    }
    PaymentState before = reported.get(txid);
    BroadcastReplies session = current.get(txid);
    PaymentState now = session == null ? known : known.with(session.report(Map.of()));
    boolean mined = now.stage() == Stage.CONFIRMED;
    // A payment that is first seen in a block had no other state.
    if (!now.equals(before) && !(mined && before == null)) {
      events.add(new WalletEvent.PaymentStateChanged(txid, now));
    }
    if (mined) {
      stored.remove(txid);
      reported.remove(txid);
    } else {
      reported.put(txid, now);
    }
  }

  /** The peers' reactions to a transaction; empty if it was not sent in this session. */
  Optional<BroadcastReplies> replies(Hash256 txid) {
    return Optional.ofNullable(replies.get(txid));
  }

  /** The result of a broadcast in this session. */
  BroadcastReport sent(Hash256 txid, Map<NodeAddress, String> problems) {
    return replies(txid).orElseGet(() -> new BroadcastReplies(txid)).report(problems);
  }
}
