package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.ChainWork;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.chain.Checkpoints.Checkpoint;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.HeaderSource;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/** A machine takes headers that others in its process have, and checks them like a peer's. */
class KnownHeadersTest {

  private static final Headers CHAIN =
      SegmentsTest.mined(ChainParams.REGTEST.genesisHash(), 9_000, 0, 1);

  /** A wallet with the headers of a range of heights, which may end to answer. */
  private static final class Other implements HeaderSource {
    final Headers chain;
    final int base;
    final int sealed;
    int answers = Integer.MAX_VALUE;
    int given;

    Other(Headers chain, int base, int sealed) {
      this.chain = chain;
      this.base = base;
      this.sealed = sealed;
    }

    @Override
    public boolean has(int height) {
      return height > base && height <= sealed;
    }

    @Override
    public Headers after(int height, Hash256 block) {
      if (!has(height + 1) || answers-- <= 0) {
        return Headers.NONE;
      }
      int end = (height / ConsensusRules.PERIOD + 1) * ConsensusRules.PERIOD;
      Headers run = chain.slice(height, Math.min(sealed, end));
      given += run.previous(0).equals(block) ? run.count() : 0;
      return run.previous(0).equals(block) ? run : Headers.NONE;
    }
  }

  private final int[] served = new int[1];
  private final SimulatedWallet wallet = new SimulatedWallet(1);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);

  private NodeAddress peer(Headers chain) {
    SimulatedNode node = SegmentsTest.node(chain);
    node.headersServed =
        (ask, honest) -> {
          served[0] += honest.count();
          return honest;
        };
    return world.add(node);
  }

  private void sync(Checkpoints known) {
    world.run(
        SyncSettings.of(List.copyOf(world.nodes.keySet()), 1)
            .headersOnly(true)
            .limits(limits -> limits.mempoolWait(Duration.ZERO))
            .checkpoints(known));
  }

  private void assertHolds(Headers chain) {
    ByteWriter stored = new ByteWriter(chain.count() * Headers.HEADER_LENGTH);
    wallet.headers.forEach(stored::bytes);
    assertThat(Headers.ofStored(stored.toBytes())).isEqualTo(chain);
    assertThat(world.events.stream().anyMatch(SyncFact.Complete.class::isInstance)).isTrue();
    assertThat(world.events.stream().filter(SyncEvent.PeerLost.class::isInstance)).isEmpty();
  }

  @Test
  void peersSendOnlyWhatNobodyHas() {
    wallet.known = new Other(CHAIN, 0, 8_064);
    peer(CHAIN);
    sync(Checkpoints.NONE);
    assertHolds(CHAIN);
    assertThat(served[0]).isEqualTo(9_000 - 8_064);
  }

  @Test
  void theSameBetweenCheckpoints() {
    wallet.known = new Other(CHAIN, 0, 8_064);
    peer(CHAIN);
    peer(CHAIN);
    sync(SegmentsTest.every(CHAIN, 1_000));
    assertHolds(CHAIN);
    // Near the tip both peers are asked.
    assertThat(served[0]).isEqualTo(2 * (9_000 - 8_064));
  }

  /** The other wallet was born later. */
  @Test
  void peersSendWhatIsBelowItsFirstHeader() {
    Other later = new Other(CHAIN, 4_032, 8_064);
    wallet.known = later;
    peer(CHAIN);
    sync(Checkpoints.NONE);
    assertHolds(CHAIN);
    // Three full messages, and the rest above 8,064.
    assertThat(served[0]).isEqualTo(6_000 + 9_000 - 8_064);
    assertThat(later.given).isLessThanOrEqualTo(4_032);
  }

  @Test
  void theSameBelowACheckpoint() {
    Other later = new Other(CHAIN, 4_032, 8_064);
    wallet.known = later;
    peer(CHAIN);
    peer(CHAIN);
    sync(SegmentsTest.every(CHAIN, 1_000));
    assertHolds(CHAIN);
    assertThat(served[0]).isEqualTo(5_000 + 2 * (9_000 - 8_064));
    assertThat(later.given).isPositive();
  }

  @Test
  void itGoesOnInTheMiddleOfAPeriod() {
    for (int i = 0; i < 3_000; i++) {
      wallet.headers.add(CHAIN.header(i));
    }
    wallet.known = new Other(CHAIN, 0, 8_064);
    peer(CHAIN);
    sync(Checkpoints.NONE);
    assertHolds(CHAIN);
    assertThat(served[0]).isEqualTo(9_000 - 8_064);
  }

  /** Its last session ended on a branch that has lost since. */
  @Test
  void aTipOnALostBranchIsReplaced() {
    for (int i = 0; i < 2_990; i++) {
      wallet.headers.add(CHAIN.header(i));
    }
    Headers lost = SegmentsTest.mined(CHAIN.hash(2_989), 5, 2_990, 2);
    for (int i = 0; i < 5; i++) {
      wallet.headers.add(lost.header(i));
    }
    wallet.known = new Other(CHAIN, 0, 8_064);
    peer(CHAIN);
    sync(Checkpoints.NONE);
    assertHolds(CHAIN);
    assertThat(served[0]).isEqualTo(9_000 - 8_064);
  }

  /** The other wallet followed a branch that has less work than the peers' chain. */
  @Test
  void aBranchOfTheOtherWalletIsLeft() {
    Headers branch = SegmentsTest.mined(CHAIN.hash(7_999), 64, 8_000, 3);
    ByteWriter all = new ByteWriter();
    all.bytes(CHAIN.slice(0, 8_000).toStored()).bytes(branch.toStored());
    wallet.known = new Other(Headers.ofStored(all.toBytes()), 0, 8_064);
    peer(CHAIN);
    sync(Checkpoints.NONE);
    assertHolds(CHAIN);
    assertThat(served[0]).isLessThan(2_000);
  }

  /** What another wallet has is checked by all rules; nobody is blamed. */
  @Test
  void headersThatBreakARuleAreNotTaken() {
    byte[] bytes = CHAIN.toStored().toArray();
    bytes[5_000 * Headers.HEADER_LENGTH + 40] ^= 1;
    wallet.known = new Other(Headers.ofStored(Bytes.wrap(bytes)), 0, 8_064);
    peer(CHAIN);
    sync(Checkpoints.NONE);
    assertHolds(CHAIN);
    assertThat(served[0]).isEqualTo(9_000 - 4_032);
  }

  /** The peer is asked for this segment only. */
  @Test
  void theSameInASegment() {
    byte[] bytes = CHAIN.toStored().toArray();
    bytes[5_000 * Headers.HEADER_LENGTH + 40] ^= 1;
    wallet.known = new Other(Headers.ofStored(Bytes.wrap(bytes)), 0, 8_064);
    peer(CHAIN);
    sync(SegmentsTest.every(CHAIN, 1_000));
    assertHolds(CHAIN);
    assertThat(served[0]).isEqualTo(1_000 + 9_000 - 8_064);
  }

  /** It is closed meanwhile. */
  @Test
  void whatItDoesNotGiveAnyMoreComesFromPeers() {
    Other closing = new Other(CHAIN, 0, 8_064);
    closing.answers = 2;
    wallet.known = closing;
    peer(CHAIN);
    sync(Checkpoints.NONE);
    assertHolds(CHAIN);
    assertThat(served[0]).isEqualTo(9_000 - 4_032);
  }

  /** Killed at any commit, it goes on from there. */
  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void anyBeginningAnySourceAndAnyDeathGiveTheSameChain(@ForAll long seed) {
    Random random = new Random(seed);
    SimulatedWallet own = new SimulatedWallet(1);
    int have = random.nextInt(3) == 0 ? 0 : random.nextInt(7_000);
    for (int i = 0; i < have; i++) {
      own.headers.add(CHAIN.header(i));
    }
    List<Checkpoint> blocks = new ArrayList<>();
    for (int at = 500 + random.nextInt(3_000); at < 8_990; at += 1 + random.nextInt(4_000)) {
      blocks.add(new Checkpoint(at, CHAIN.hash(at - 1)));
    }
    Checkpoints known =
        random.nextBoolean() ? Checkpoints.NONE : Checkpoints.of(blocks, ChainWork.ZERO);
    for (int life = 0; life < 4; life++) {
      int base = ConsensusRules.PERIOD * random.nextInt(4);
      int sealed = Math.min(8_064, base + ConsensusRules.PERIOD * random.nextInt(4));
      Other other = new Other(CHAIN, base, sealed);
      other.answers = random.nextInt(3) == 0 ? random.nextInt(4) : Integer.MAX_VALUE;
      own.known = other;
      SimulatedWorld next = new SimulatedWorld(random.nextLong(), own);
      for (int i = 0; i <= random.nextInt(3); i++) {
        next.delays.put(next.add(SegmentsTest.node(CHAIN)), 1 + random.nextInt(200));
      }
      next.dieAtCommit = life < 3 ? random.nextInt(4) : -1;
      next.run(
          SyncSettings.of(List.copyOf(next.nodes.keySet()), 1)
              .headersOnly(true)
              .limits(limits -> limits.mempoolWait(Duration.ZERO))
              .checkpoints(known));
      assertThat(next.events.stream().filter(SyncEvent.PeerLost.class::isInstance))
          .as("seed %d", seed)
          .isEmpty();
    }
    ByteWriter stored = new ByteWriter(CHAIN.count() * Headers.HEADER_LENGTH);
    own.headers.forEach(stored::bytes);
    assertThat(Headers.ofStored(stored.toBytes())).as("seed %d", seed).isEqualTo(CHAIN);
  }
}
