package org.murmur.p2p.internal.machine;

import java.util.OptionalInt;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Effects;
import org.murmur.p2p.internal.pool.UnconfirmedQuery;
import org.murmur.p2p.internal.scan.ScanPeer;
import org.murmur.p2p.internal.scan.ScanPlan;
import org.murmur.p2p.sync.SyncEvent;

/** Scans nothing: the session syncs headers only. */
final class HeadersOnly implements ScanPlan, UnconfirmedQuery {

  private final Effects effects;
  private final HeaderChain chain;
  private boolean over;

  HeadersOnly(Effects effects, HeaderChain chain) {
    this.effects = effects;
    this.chain = chain;
  }

  @Override
  public void plan() {}

  @Override
  public void setAlarm(Alarm alarm) {}

  @Override
  public boolean isCovered() {
    return true;
  }

  @Override
  public int height() {
    return chain.height();
  }

  @Override
  public boolean isExhausted() {
    return true;
  }

  @Override
  public boolean isHeldUp() {
    return false;
  }

  @Override
  public OptionalInt beyond(ScanPeer peer) {
    return OptionalInt.empty();
  }

  @Override
  public int seenBy() {
    return 0;
  }

  @Override
  public long left() {
    return 0;
  }

  @Override
  public boolean wasUseful(ScanPeer peer) {
    return peer.headers().served() > 0;
  }

  @Override
  public boolean isOver() {
    return over;
  }

  @Override
  public boolean advance() {
    if (!over) {
      over = true;
      effects.emit(new SyncEvent.MempoolAnswered(SyncEvent.MempoolAnswered.Answer.SKIPPED));
    }
    return false;
  }
}
