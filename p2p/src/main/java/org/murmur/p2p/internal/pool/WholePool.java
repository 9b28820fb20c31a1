package org.murmur.p2p.internal.pool;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.sync.SyncEvent.MempoolAnswered;
import org.murmur.p2p.sync.SyncEvent.MempoolAwaited;

/**
 * Hears all unconfirmed transactions that peers announce: no request says which ones are the
 * wallet's. {@link Relay} fetches them. A peer announces only what is new to it, so this is never
 * the whole of a memory pool. A one-off sync listens for a while.
 */
public final class WholePool extends Part<PoolPeer> implements UnconfirmedQuery {

  private final Relay relay;
  private final Unchecked unchecked;
  private @Nullable Instant until;
  // Since when nothing was left out, and the same as of the last report.
  private Instant whole = Instant.MIN;
  private @Nullable Instant reported;

  public WholePool(Part<PoolPeer> machine, Pending pending, Relay relay) {
    super(machine);
    this.unchecked = new Unchecked(machine, pending, relay);
    this.relay = relay;
  }

  @Override
  public boolean isOver() {
    Instant end = until;
    return end != null && (settings.follow() || !effects.now().isBefore(end));
  }

  @Override
  public void setAlarm(Alarm alarm) {
    alarm.at(isOver() ? null : until);
  }

  @Override
  public boolean advance() {
    List<? extends PoolPeer> peers = roster.peers(Peer::isReady);
    if (until == null) {
      until = effects.now().plus(settings.limits().mempoolWait());
      relay.listen();
      unchecked.settle();
      if (!isOver()) {
        peers.forEach(
            peer ->
                effects.emit(
                    new MempoolAwaited(peer.link().address(), settings.limits().mempoolWait())));
      }
    }
    if (isOver()) {
      report(peers);
    }
    return false;
  }

  /** The peer that was connected first announced everything since then. */
  private void report(List<? extends PoolPeer> peers) {
    Instant since = Instant.MAX;
    for (PoolPeer peer : peers) {
      since = peer.since().isBefore(since) ? peer.since() : since;
      whole = peer.pool().truncated ? effects.now() : whole;
      peer.pool().truncated = false;
    }
    since = since.isBefore(whole) ? whole : since;
    if (!peers.isEmpty() && !since.equals(reported)) {
      reported = since;
      effects.emit(
          new MempoolAnswered(
              MempoolAnswered.Answer.HEARD, Optional.of(effects.onTheClock(since))));
    }
  }
}
