package org.murmur.p2p.internal.headers;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.sync.SyncWarning;

/**
 * Notices, while following, that no more blocks come. It reports this once, keeps asking all peers,
 * and lets one more peer be called, which may know more.
 *
 * <p>Not on regtest, where blocks are mined on demand.
 */
public final class StaleTip extends Part<HeaderPeer> implements Alarm.Timed {

  /**
   * From this age of the last block on, something is wrong. With a block in ten minutes on average,
   * chance alone causes such a gap once in 65 million blocks.
   */
  static final Duration OLD = Duration.ofHours(3);

  /** Peers must have been connected for this long: after a sleep an old tip means nothing. */
  static final Duration LISTENED = Duration.ofMinutes(30);

  /** How often all peers are asked. */
  static final Duration ASK_EVERY = Duration.ofMinutes(10);

  /**
   * On a network with checkpoints a chain whose last block is older than this is not complete. Such
   * a network never stood still for so long, so the peers hide blocks or are not synced. A custom
   * network may stand still for any time.
   */
  static final Duration LONG_AGO = Duration.ofDays(14);

  private final boolean watches;
  private final boolean goesOn;
  private @Nullable Hash256 tip;
  private Instant since = Instant.EPOCH;
  private Instant askedAt = Instant.EPOCH;
  private boolean told;

  public StaleTip(Part<? extends HeaderPeer> machine, ChainParams network) {
    super(machine);
    this.goesOn = network.rules().retargeting() && settings.checkpoints().lastHeight() > 0;
    this.watches = settings.follow() && network.rules().retargeting();
  }

  public void look(HeaderSync headers) {
    if (!watches) {
      return;
    }
    Hash256 now = chain.tip();
    Hash256 before = tip;
    if (before == null || !now.equals(before)) {
      tip = now;
      since = effects.now();
      told = false;
      roster.wantOneMore(false);
      return;
    }
    if (effects.now().isBefore(since.plus(LISTENED)) || age().compareTo(OLD) < 0) {
      return;
    }
    roster.wantOneMore(true);
    if (!told) {
      told = true;
      effects.emit(warning());
    }
    if (!effects.now().isBefore(askedAt.plus(ASK_EVERY))) {
      askedAt = effects.now();
      for (HeaderPeer peer : roster.peers()) {
        if (peer.isReady() && !peer.headers().isAsked()) {
          headers.ask(peer);
        }
      }
    }
  }

  /** Whether the tip is so old that there must be later blocks. */
  public boolean isOfLongAgo() {
    return goesOn && age().compareTo(LONG_AGO) >= 0;
  }

  private Duration age() {
    return Duration.between(time(), effects.clock());
  }

  private Instant time() {
    return Instant.ofEpochSecond(chain.timeAt(chain.height()));
  }

  private SyncWarning warning() {
    return new SyncWarning.NoNewBlock(chain.height(), time(), age());
  }

  @Override
  public void setAlarm(Alarm alarm) {
    if (!watches || tip == null) {
      return;
    }
    if (roster.wantsOneMore()) {
      alarm.at(askedAt.plus(ASK_EVERY));
      return;
    }
    Instant listened = since.plus(LISTENED);
    Instant old = effects.now().plus(OLD.minus(age()));
    alarm.at(old.isAfter(listened) ? old : listened);
  }
}
