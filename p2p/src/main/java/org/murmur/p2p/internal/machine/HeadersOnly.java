package org.murmur.p2p.internal.machine;

import java.util.OptionalInt;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.scan.BlockScan;
import org.murmur.p2p.internal.scan.FilteredPlan;
import org.murmur.p2p.internal.scan.ScanPeer;

/** Scans nothing: the session syncs headers only. */
final class HeadersOnly extends FilteredPlan {

  private final HeaderChain chain;

  HeadersOnly(BlockScan scan, HeaderChain chain) {
    super(scan);
    this.chain = chain;
  }

  @Override
  public void plan() {}

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
  protected long unasked() {
    return 0;
  }

  @Override
  public boolean wasUseful(ScanPeer peer) {
    return peer.headers().served() > 0;
  }
}
