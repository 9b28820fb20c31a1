package org.murmur.p2p.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.machine.TestParts;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Refusal;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Link;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.wire.Message;
import org.murmur.p2p.wire.Services;

/** How long a peer may pass blocks over. */
class BlockScanTest {

  private static final PeerAddress ADDRESS = new PeerAddress("10.0.0.1", 1);

  private final TestParts parts = new TestParts();
  private final BlockScan scan = parts.scan();
  private final Peer peer = new Peer(new Link(1, ADDRESS), 7, Instant.EPOCH);

  @Test
  void whoPassesBlocksOverAgainAndAgainIsOfNoUse() {
    ScanLink.of(peer).refused.add(0, 0);
    ScanLink.of(peer).refusals = 5;
    assertThat(scan.patience(peer)).isEqualTo(Refusal.NONE);
    ScanLink.of(peer).refusals = 6;
    assertThat(scan.patience(peer).reason()).isEqualTo(DisconnectReason.LACKS_BLOCKS);
    assertThat(scan.patience(peer).obstacle()).isEqualTo(Obstacle.LACKS_BLOCKS);
    peer.greeted(new Message.Version(70016, Services.BLOOM, 0, 5, "/pruned/", 0, true));
    assertThat(scan.patience(peer).reason()).isEqualTo(DisconnectReason.LACKS_BLOCKS);
    assertThat(scan.patience(peer).obstacle()).isEqualTo(Obstacle.PRUNED);
    parts.tips().claimed(peer, -1);
    assertThat(scan.patience(peer).obstacle()).isEqualTo(Obstacle.BEHIND);
    assertThat(scan.patience(peer).detail()).endsWith("its chain seems to end at height -1");
  }

  /** What it passed over was struck out meanwhile: there is no block to name. */
  @Test
  void nothingIsHeldAgainstItWhenNothingIsPassedOverAnyMore() {
    ScanLink.of(peer).refusals = 6;
    assertThat(scan.patience(peer)).isEqualTo(Refusal.NONE);
  }
}
