package org.murmur.p2p.internal.scan;

import java.util.Map;
import java.util.OptionalInt;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.sync.Obstacle;

/** A plan whose blocks are served under a {@code filterload} (BIP-0037), by a {@link BlockScan}. */
public abstract class FilteredPlan implements ScanPlan {

  final BlockScan scan;

  protected FilteredPlan(BlockScan scan) {
    this.scan = scan;
  }

  /** Blocks that are still to be requested. */
  protected abstract long unasked();

  @Override
  public final long left() {
    return unasked() + scan.owed();
  }

  @Override
  public final Map<ScanPeer, Refusal> withholders() {
    return scan.withholders();
  }

  @Override
  public final Obstacle hangUp(ScanPeer peer) {
    return scan.hangUp(peer);
  }

  @Override
  public final OptionalInt refusedFrom(ScanPeer peer) {
    return scan.refusedFrom(peer);
  }

  @Override
  public void setAlarm(Alarm alarm) {
    scan.setAlarm(alarm);
  }
}
