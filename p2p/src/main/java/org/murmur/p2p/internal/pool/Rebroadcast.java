package org.murmur.p2p.internal.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.sync.Input;

/**
 * Announces the user's payments again until a block or a conflict decides, because nodes drop
 * transactions without a message. Core's wallet does the same (CWallet::ResubmitWalletTransactions,
 * "infrequently and randomly to avoid giving away that these are our transactions"): every 12 to 36
 * hours, those that are older than some minutes. A new session announces younger ones, too, if no
 * peer is known to have them: none was there when the user sent them.
 *
 * <p>A one-off sync announces them when it is otherwise done, and waits a moment until the peers
 * have fetched them. The user chooses when it runs, so its times are not regular. A session that
 * follows does so when it is complete for the first time, then at random times. By then all blocks
 * are scanned, so no confirmed payment is announced.
 */
public final class Rebroadcast extends Part<PoolPeer> implements Alarm.Timed {

  /** The shortest pause between two announcements, and the longest random time added to it. */
  static final Duration PAUSE = Duration.ofHours(12);

  static final Duration SPREAD = Duration.ofHours(24);

  /**
   * How long a sync that is otherwise done waits for its peers. Core fetches after two to four
   * seconds, and serves what it accepted some five seconds later.
   */
  static final Duration HAND_OVER = Duration.ofSeconds(10);

  private final Pending pending;
  private final Relay relay;
  // When the next announcements are due; null until there is something to announce.
  private @Nullable Instant next;
  // The deadline of a one-off sync's wait for its peers; null before the first announcements.
  private @Nullable Instant waitsUntil;

  public Rebroadcast(Part<PoolPeer> machine, Pending pending, Relay relay) {
    super(machine);
    this.pending = pending;
    this.relay = relay;
  }

  /** All blocks are scanned and the mempools have answered: announces what is due. */
  public void advance() {
    List<Input.Pending> sent = new ArrayList<>(pending.waiting().values());
    sent.removeIf(payment -> !payment.sent());
    Instant due = next;
    if (!sent.isEmpty() && (due == null || !effects.now().isBefore(due))) {
      long chance = effects.dice().nextLong(SPREAD.toMillis());
      next = effects.now().plus(PAUSE).plusMillis(chance);
      announce(sent);
    }
    if (waitsUntil == null) {
      waitsUntil = effects.now().plus(HAND_OVER);
    }
  }

  private void announce(List<Input.Pending> sent) {
    List<Tx> due = new ArrayList<>();
    for (Input.Pending payment : sent) {
      if (!payment.isYoung(effects.clock()) || isLeftOver(payment)) {
        due.add(payment.tx());
      }
    }
    relay.sendAgain(due);
  }

  /** Whether an earlier session found no peer for it. */
  private boolean isLeftOver(Input.Pending payment) {
    return waitsUntil == null && !payment.heard() && !relay.isOurs(payment.tx());
  }

  /** Whether a one-off sync need not wait for peers to fetch anything. */
  public boolean isOver() {
    Instant until = waitsUntil;
    return !relay.isHandingOver() || (until != null && !effects.now().isBefore(until));
  }

  @Override
  public void setAlarm(Alarm alarm) {
    alarm.at(settings.follow() ? next : waitsUntil);
  }
}
