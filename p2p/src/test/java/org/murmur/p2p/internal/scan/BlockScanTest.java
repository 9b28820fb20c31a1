package org.murmur.p2p.internal.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.machine.TestParts;
import org.murmur.p2p.internal.peers.Question;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;

/** How long a peer may skip blocks. */
class BlockScanTest {

  private static final NodeAddress ADDRESS = new NodeAddress("10.0.0.1", 1);

  private final TestParts parts = new TestParts();
  private final BlockScan scan = parts.scan();
  private final ScanPeer peer = new ScanPeer(new Link(1, ADDRESS), 7, Instant.EPOCH);

  private void passesOver(int times) {
    for (int i = 0; i < times; i++) {
      peer.scan().passedOver.add(0, 0);
    }
  }

  @Test
  void aPeerThatKeepsSkippingBlocksIsUseless() {
    passesOver(5);
    assertThat(scan.patience(peer)).isEqualTo(Refusal.NONE);
    passesOver(1);
    assertThat(scan.patience(peer).reason()).isEqualTo(DisconnectReason.LACKS_BLOCKS);
    assertThat(scan.patience(peer).obstacle()).isEqualTo(Obstacle.LACKS_BLOCKS);
    peer.greeted(new Message.Version(70016, Services.BLOOM, 0, 5, "/pruned/", 0, true));
    assertThat(scan.patience(peer).reason()).isEqualTo(DisconnectReason.LACKS_BLOCKS);
    assertThat(scan.patience(peer).obstacle()).isEqualTo(Obstacle.PRUNED);
    parts.tips().claimed(peer, -1);
    assertThat(scan.patience(peer).obstacle()).isEqualTo(Obstacle.BEHIND);
    assertThat(scan.patience(peer).detail()).endsWith("its chain seems to end at height -1");
  }

  /** The skipped blocks were removed meanwhile: there is no block to name. */
  @Test
  void itIsNotBlamedWhenNoBlockIsSkippedAnyMore() {
    passesOver(6);
    peer.scan().passedOver.clear();
    assertThat(scan.patience(peer)).isEqualTo(Refusal.NONE);
  }

  // ---- pings ----

  /** Three blocks are requested, with a ping after them. */
  private Chunk chunk(int passed) {
    Hash256[] hashes = new Hash256[3];
    Arrays.fill(hashes, Hash256.ZERO);
    BloomFilter filter =
        BloomFilter.builder(FilterParameters.of(1, 0.01, 7, UpdateFlag.ALL, Rounding.CORE)).build();
    Question question =
        parts.effects.pingBehind(peer, Question.Kind.BLOCKS, 3, Question.Owner.NOBODY);
    Chunk chunk = new Chunk(new Load(1, ADDRESS, 0, filter, 0).view(), 1, hashes, question);
    chunk.pass(passed);
    peer.scan().chunks.add(chunk);
    return chunk;
  }

  @Test
  void blocksBehindAPingThatWasNotAnsweredGiveItAway() {
    Chunk first = chunk(0);
    chunk(1);
    peer.scan().chunks.remove(first);
    parts.effects.ping(peer);
    assertThat(BlockScan.pings(peer).reason()).isEqualTo(DisconnectReason.PING_TIMEOUT);
    peer.questions().close(first.question);
    assertThat(BlockScan.pings(peer).isRefusal()).isFalse();
  }

  @Test
  void thePingOfTheChunkBeforeMayBeOnItsWay() {
    parts.effects.ping(peer);
    assertThat(BlockScan.pings(peer).isRefusal()).isFalse();
    chunk(0);
    assertThat(BlockScan.pings(peer).isRefusal()).isFalse();
  }
}
