package org.murmur.p2p.sync;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.Network;

/**
 * Notices, while following, that no block comes any more: says so once, goes on asking everybody,
 * and lets somebody else be called, who may know more.
 *
 * <p>Not on regtest, where a block comes when somebody wants one.
 */
final class StaleTip {

  /**
   * The last block's age from which on something is wrong. With a block in ten minutes on average
   * that is once in 65 million blocks by chance.
   */
  static final Duration OLD = Duration.ofHours(3);

  /**
   * So long peers must have been listened to: after a sleep the tip is old, which means nothing.
   */
  static final Duration LISTENED = Duration.ofMinutes(30);

  /** How often everybody is asked. */
  static final Duration ASK_EVERY = Duration.ofMinutes(10);

  /**
   * With a last block as old as that a chain is not called complete where blocks are known
   * beforehand: such a network never stood still for so long, so who has no more hides it, or is
   * not synced itself. A network of one's own may rest for as long as its owner likes.
   */
  static final Duration LONG_AGO = Duration.ofDays(14);

  private final Session session;
  private final boolean watches;
  private final boolean goesOn;
  private @Nullable Hash256 tip;
  private Instant since = Instant.EPOCH;
  private Instant askedAt = Instant.EPOCH;
  private boolean told;

  StaleTip(Session session, Network network) {
    this.session = session;
    this.goesOn = network.rules().retargeting() && session.settings.checkpoints().lastHeight() > 0;
    this.watches = session.settings.follow() && network.rules().retargeting();
  }

  void look(HeaderSync headers) {
    if (!watches) {
      return;
    }
    Hash256 now = session.chain.tip();
    Hash256 before = tip;
    if (before == null || !now.equals(before)) {
      tip = now;
      since = session.now;
      told = false;
      session.stale = false;
      return;
    }
    if (session.now.isBefore(since.plus(LISTENED)) || age().compareTo(OLD) < 0) {
      return;
    }
    session.stale = true;
    if (!told) {
      told = true;
      session.emit(new SyncEvent.Warning(warning()));
    }
    if (!session.now.isBefore(askedAt.plus(ASK_EVERY))) {
      askedAt = session.now;
      for (Peer peer : session.peers.values()) {
        if (peer.isReady() && !HeaderTalk.of(peer).isAsked()) {
          headers.ask(peer);
        }
      }
    }
  }

  /** Whether the chain ends so long ago that there must be more of it. */
  boolean isOfLongAgo() {
    return goesOn && age().compareTo(LONG_AGO) >= 0;
  }

  private Duration age() {
    return Duration.between(time(), session.clock());
  }

  private Instant time() {
    return Instant.ofEpochSecond(session.chain.timeAt(session.chain.height()));
  }

  private SyncWarning warning() {
    return new SyncWarning.NoNewBlock(session.chain.height(), time(), age());
  }

  /** When to look again, or null. */
  @Nullable Instant due() {
    if (!watches || tip == null) {
      return null;
    }
    if (session.stale) {
      return askedAt.plus(ASK_EVERY);
    }
    Instant listened = since.plus(LISTENED);
    Duration left = OLD.minus(age());
    Instant old = left.isNegative() ? session.now : session.now.plus(left);
    return old.isAfter(listened) ? old : listened;
  }
}
