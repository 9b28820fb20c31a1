package org.murmur.p2p.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.headers.Tip;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Journal;
import org.murmur.p2p.sync.Input;

/**
 * Pending transactions that peers no longer have. No message reports a dropped transaction, so
 * pending ones are requested by name. One is missing if a denial is believed and no peer has it.
 * Missing ones are requested too, since no peer announces anything twice on a link.
 */
final class MissingTransactions {

  /** How long a peer may take to vouch for what another peer denied. */
  static final Duration SECOND_OPINION = Duration.ofSeconds(2);

  /** The shortest pause between two requests for the whole mempool after something went missing. */
  private static final Duration SOON = Duration.ofSeconds(30);

  /** Missing transactions that are requested again; the oldest are evicted. */
  private static final int MAX_GONE = 1_000;

  private final Effects effects;
  private final Journal journal;
  private final Pending pending;
  private final Relay relay;
  // A view of the queried peers.
  private final Collection<PeerPool> pools;
  // A denial is believed; answers of other peers are still due.
  private final Set<Hash256> doubted = new LinkedHashSet<>();
  private final Set<Hash256> gone = new LinkedHashSet<>();
  // Before a one-off sync ends: transactions for which one denial suffices, and its deadline.
  private final Set<Hash256> lastAsked = new LinkedHashSet<>();
  private @Nullable Instant lastUntil;

  MissingTransactions(
      Effects effects, Journal journal, Pending pending, Relay relay, Collection<PeerPool> pools) {
    this.effects = effects;
    this.journal = journal;
    this.pending = pending;
    this.relay = relay;
    this.pools = pools;
  }

  /** Pending and missing transactions. */
  Set<Hash256> sought() {
    Set<Hash256> all = new LinkedHashSet<>(pending.txids());
    all.addAll(gone);
    return all;
  }

  /** Whether denials wait for other peers' answers. */
  boolean isUndecided() {
    return !doubted.isEmpty();
  }

  boolean isGone(Hash256 txid) {
    return gone.contains(txid);
  }

  /** A peer served a transaction. */
  void found(Hash256 txid) {
    gone.remove(txid);
    settle(false);
  }

  /** A peer does not have requested transactions. */
  void denied(PeerPool pool, List<Hash256> txids) {
    for (Hash256 txid : txids) {
      boolean believed = pool.denies(txid, lastAsked.contains(txid), effects.now());
      if (believed && pending.txids().contains(txid)) {
        doubted.add(txid);
      }
    }
    settle(false);
  }

  /**
   * Decides about denied transactions. A peer that has an open request for one may still serve it.
   *
   * @param longEnough whether to wait no longer for such a peer
   */
  void settle(boolean longEnough) {
    boolean missed = false;
    for (Iterator<Hash256> each = doubted.iterator(); each.hasNext(); ) {
      Hash256 txid = each.next();
      boolean decided = !pending.txids().contains(txid) || isVouchedFor(txid);
      boolean missing = !decided && (longEnough || !isRequested(txid));
      if (decided || missing) {
        each.remove();
      }
      if (missing) {
        miss(txid);
        missed = true;
      }
    }
    if (missed) {
      // By now the filters hold its inputs: a conflict that spends them would match.
      pools.forEach(pool -> pool.askSoon(SOON));
    }
  }

  private boolean isRequested(Hash256 txid) {
    return pools.stream().anyMatch(pool -> PoolLink.of(pool.peer).wanted().contains(txid));
  }

  private boolean isVouchedFor(Hash256 txid) {
    return pools.stream().anyMatch(pool -> pool.vouchesFor(txid));
  }

  private void miss(Hash256 txid) {
    journal.missing(txid, effects.now());
    relay.isGone();
    gone.add(txid);
    if (gone.size() > MAX_GONE) {
      gone.remove(gone.iterator().next());
    }
  }

  /**
   * Requests by name, before a one-off sync ends without a complete answer: old payments, and those
   * of a branch that lost. They should have reached every peer. Core does not answer {@code
   * mempool} if nothing matches, so this is the only way to notice dropped transactions. Nodes
   * serve at once what they had before the link began.
   */
  void askLast() {
    if (lastUntil != null) {
      return;
    }
    lastUntil = effects.now().plus(SECOND_OPINION);
    for (Input.Pending payment : pending.waiting().values()) {
      boolean young = !payment.unmined() && payment.isYoung(effects.clock());
      Hash256 txid = payment.tx().txid();
      if (payment.heard() && !young && !isVouchedFor(txid)) {
        lastAsked.add(txid);
      }
    }
    for (PeerPool pool : pools) {
      if (!Tip.of(pool.peer).isOnOtherChain()) {
        relay.ask(pool.peer, lastAsked);
      }
    }
  }

  /** Whether answers to the last requests may still come. */
  boolean awaitsLastAnswers() {
    return lastUntil != null
        && effects.now().isBefore(lastUntil)
        && lastAsked.stream().anyMatch(this::isRequested);
  }

  /** The deadline of the last requests, if they were sent. */
  @Nullable Instant lastUntil() {
    return lastUntil;
  }

  /**
   * Gives up transactions that the user sent and that no peer is known to have accepted, at the age
   * at which a node would drop them. Until then a node may hold one silently.
   */
  void giveUpUnaccepted() {
    Instant oldest = effects.clock().minus(UnconfirmedQuery.EXPIRY);
    for (Input.Pending payment : pending.waiting().values()) {
      Hash256 txid = payment.tx().txid();
      boolean old = !Instant.ofEpochSecond(payment.firstSeen()).isAfter(oldest);
      if (!payment.heard() && old && pending.txids().contains(txid) && !isVouchedFor(txid)) {
        miss(txid);
      }
    }
  }
}
