package org.murmur.p2p.internal.headers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.ChainWork;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.chain.Checkpoints.Checkpoint;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.machine.SegmentsTest;
import org.murmur.p2p.internal.machine.SimulatedNode;
import org.murmur.p2p.internal.machine.SimulatedWallet;
import org.murmur.p2p.internal.machine.SimulatedWorld;
import org.murmur.p2p.internal.machine.TestParts;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.SyncEvent;

/** Headers that cost nothing to make, without end: each kind of flood ends soon. */
class HeaderFloodTest {

  private static final int FULL = Headers.MAX_PER_MESSAGE;
  private static final Headers CHAIN =
      SegmentsTest.mined(ChainParams.REGTEST.genesisHash(), 5_000, 0, 1);

  private final TestParts parts = parts(Checkpoints.NONE);
  private final HeaderSync headers = parts.headers();

  private static TestParts parts(Checkpoints known) {
    HeaderChain chain = HeaderChain.ofGenesis(ChainParams.REGTEST);
    chain.connect(CHAIN, 2_000_000_000L);
    return new TestParts(chain, TestParts.SETTINGS.checkpoints(known))
        .at(Instant.ofEpochSecond(1_700_000_000L));
  }

  private HeaderPeer peer(int id) {
    HeaderPeer peer =
        parts.roster.add(new Link(id, new NodeAddress("10.0.0." + id, 1)), 7, parts.effects.now());
    peer.greeted(new Message.Version(70016, Services.NETWORK, 0, 1, "/liar/", 5_000, true));
    return peer;
  }

  /** How many messages it takes until a peer is dropped; requests go out at any time. */
  private int endures(HeaderPeer peer, IntFunction<Headers> flood) {
    for (int i = 0; i < 1_000; i++) {
      headers.plan();
      Refusal refusal = headers.received(peer, flood.apply(i));
      if (refusal.isRefusal()) {
        assertThat(refusal.reason()).isEqualTo(DisconnectReason.BAD_HEADERS);
        return i;
      }
    }
    throw new AssertionError("a thousand messages, and no end");
  }

  @Test
  void theSameKnownBatchAgainAndAgain() {
    assertThat(endures(peer(1), i -> CHAIN.slice(0, FULL))).isLessThan(10);
  }

  /** Known headers may come once from front to end: an honest peer may have no better locator. */
  @Test
  void theWholeKnownChainFromGenesisIsNoFlood() {
    HeaderPeer peer = peer(1);
    for (int from = 0; from < CHAIN.count(); from += FULL) {
      headers.plan();
      int to = Math.min(CHAIN.count(), from + FULL);
      assertThat(headers.received(peer, CHAIN.slice(from, to))).isEqualTo(Refusal.NONE);
    }
    assertThat(peer.headers().useless.fruitless()).isLessThan(20);
  }

  @Test
  void theWholeKnownChainAgainAndAgainIs() {
    assertThat(
            endures(
                peer(1),
                i -> {
                  int from = i % 3 * FULL;
                  return CHAIN.slice(from, Math.min(CHAIN.count(), from + FULL));
                }))
        .isLessThan(60);
  }

  @Test
  void validBranchesWithoutEndThatNeverHaveMoreWork() {
    int endured =
        endures(
            peer(1), i -> SegmentsTest.mined(ChainParams.REGTEST.genesisHash(), FULL, 0, 100 + i));
    assertThat(endured).isLessThanOrEqualTo(HeaderChain.SIDE_LIMIT / FULL);
    assertThat(parts.chain.height()).isEqualTo(5_000);
  }

  /** Only as many as of all other useless headers. */
  @Test
  void messagesWithoutHeadersThatAnswerNothing() {
    HeaderPeer peer = peer(1);
    headers.plan();
    assertThat(headers.received(peer, Headers.NONE)).isEqualTo(Refusal.NONE);
    Refusal refusal = Refusal.NONE;
    int endured = 0;
    while (!refusal.isRefusal() && endured < 2_000) {
      refusal = headers.received(peer, Headers.NONE);
      endured++;
    }
    assertThat(endured).isLessThan(1_100);
    assertThat(refusal.reason()).isEqualTo(DisconnectReason.FLOODING);
  }

  /** A side branch, header by header: it never ends, but never gets ahead. */
  @Test
  void manySmallBranches() {
    Headers one = SegmentsTest.mined(ChainParams.REGTEST.genesisHash(), 1, 0, 9);
    assertThat(endures(peer(1), i -> one)).isLessThan(100);
  }

  @Test
  void headersThatConnectToNothing() {
    Headers other = SegmentsTest.mined(ChainParams.REGTEST.genesisHash(), FULL, 0, 8);
    assertThat(endures(peer(1), i -> other.slice(i + 1, i + 3))).isLessThan(20);
  }

  /** An honest peer that is always a little later than another one is forgiven, block by block. */
  @Test
  void aPeerThatIsAlwaysSecondIsNoFlood() {
    HeaderPeer first = peer(1);
    HeaderPeer second = peer(2);
    Headers more = SegmentsTest.mined(CHAIN.hash(4_999), 500, 5_000, 1);
    for (int i = 0; i < more.count(); i++) {
      assertThat(headers.received(first, more.slice(i, i + 1))).isEqualTo(Refusal.NONE);
      assertThat(headers.received(second, more.slice(i, i + 1))).isEqualTo(Refusal.NONE);
    }
    assertThat(parts.chain.height()).isEqualTo(5_500);
  }

  /** Before the known blocks are reached nothing else is kept, and only a little is processed. */
  @Test
  void announcementsBelowTheKnownBlocks() {
    Headers rest = SegmentsTest.mined(CHAIN.hash(4_999), 3_000, 5_000, 1);
    List<Checkpoint> known = new ArrayList<>();
    known.add(new Checkpoint(4_000, CHAIN.hash(3_999)));
    known.add(new Checkpoint(7_000, rest.hash(1_999)));
    TestParts below = parts(Checkpoints.of(known, ChainWork.ZERO));
    HeaderSync sync = below.headers();
    HeaderPeer peer =
        new HeaderPeer(new Link(1, new NodeAddress("10.0.0.1", 1)), 7, below.effects.now());
    int heard = 0;
    while (!sync.received(peer, rest.slice(0, 8)).isRefusal() && heard < 1_000) {
      heard++;
    }
    assertThat(heard).isBetween(20, 100);
    assertThat(below.chain.height()).as("not kept, though it fits").isEqualTo(5_000);
  }

  /**
   * The same through the whole machine: the liar is dropped, the honest peer's chain is accepted.
   */
  @Test
  void theMachineEndsAFloodAndContinues() {
    SimulatedWorld world = new SimulatedWorld(1, new SimulatedWallet(1));
    SimulatedNode liar = SegmentsTest.node(CHAIN);
    int[] served = new int[1];
    liar.headersServed =
        (ask, honest) -> {
          served[0]++;
          return CHAIN.slice(0, FULL);
        };
    SimulatedNode honest = SegmentsTest.node(CHAIN);
    NodeAddress bad = world.add(liar);
    NodeAddress good = world.add(honest);
    world.run(
        SyncSettings.of(List.of(bad, good), 1)
            .headersOnly(true)
            .limits(limits -> limits.mempoolWait(Duration.ZERO)));
    assertThat(world.wallet.headers).hasSize(5_000);
    assertThat(served[0]).isLessThan(20);
    assertThat(world.events)
        .anyMatch(
            event ->
                event instanceof SyncEvent.PeerLost lost
                    && lost.address().equals(bad)
                    && lost.reason() == DisconnectReason.BAD_HEADERS);
  }

  /** Blocks are scanned while headers still come: the first request for one is an early one. */
  @Test
  void blocksAreScannedWhileHeadersCome() {
    SimulatedNode node = new SimulatedNode();
    for (int i = 0; i < 6_500; i++) {
      node.mine(List.of());
    }
    SimulatedWorld world = new SimulatedWorld(1, new SimulatedWallet(10));
    NodeAddress address = world.add(node);
    world.delays.put(address, 50);
    world.run(SyncSettings.of(List.of(address), 1));
    int lastForHeaders = -1;
    int firstForBlocks = -1;
    int asked = 0;
    int before = 0;
    for (Message message : world.sent) {
      if (message instanceof Message.GetHeaders) {
        lastForHeaders = asked;
        before += firstForBlocks < 0 ? 1 : 0;
      } else if (message instanceof Message.GetData && firstForBlocks < 0) {
        firstForBlocks = asked;
      }
      asked++;
    }
    assertThat(firstForBlocks).isBetween(0, lastForHeaders);
    assertThat(before).as("of four questions for headers").isLessThanOrEqualTo(3);
    assertThat(world.wallet.rows).isNotEmpty();
  }
}
