package org.murmur.p2p.internal.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.sync.SyncWarning;

/**
 * Payments that no peer announced and none can deny. They are given up at the age at which nodes
 * drop them; until then they count, and the user is warned.
 */
final class Unchecked extends Part<PoolPeer> {

  private final Pending pending;
  private final Relay relay;

  Unchecked(Part<PoolPeer> machine, Pending pending, Relay relay) {
    super(machine);
    this.pending = pending;
    this.relay = relay;
  }

  /** Settles all payments that a peer once had and that are old enough to have reached any. */
  void settle() {
    settle(
        payment -> payment.heard() && !payment.isYoung(effects.clock()),
        payment -> true,
        this::miss);
  }

  /**
   * Settles some payments.
   *
   * @param mayExpire whether no peer can have one that is too old
   * @param miss takes the expired ones
   */
  void settle(
      Predicate<Input.Pending> open, Predicate<Input.Pending> mayExpire, Consumer<Hash256> miss) {
    int unchecked = 0;
    for (Input.Pending payment : pending.waiting().values()) {
      if (open.test(payment)) {
        boolean expired = age(payment).compareTo(UnconfirmedQuery.EXPIRY) >= 0;
        if (expired && mayExpire.test(payment)) {
          miss.accept(payment.tx().txid());
        } else {
          unchecked++;
        }
      }
    }
    if (unchecked > 0) {
      effects.emit(new SyncWarning.PaymentsUnchecked(unchecked, UnconfirmedQuery.EXPIRY));
    }
  }

  /** A payment of the future comes from a clock that ran ahead. */
  private Duration age(Input.Pending payment) {
    return Duration.between(Instant.ofEpochSecond(payment.firstSeen()), effects.clock()).abs();
  }

  /** The peers no longer have a payment. */
  void miss(Hash256 txid) {
    journal.missing(txid, effects.now());
    relay.isGone();
  }
}
