package org.murmur.p2p.internal.headers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.machine.SimulatedNode;
import org.murmur.p2p.internal.machine.SimulatedWallet;
import org.murmur.p2p.internal.machine.SimulatedWorld;
import org.murmur.p2p.internal.machine.TestParts;
import org.murmur.p2p.internal.peers.Conduct;
import org.murmur.p2p.internal.peers.Question;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/** Headers, when the clock is wrong. */
class HeaderSyncTest {

  @Test
  void headersFromTheFutureAreReportedOnceAndDoNotComeForEver() {
    SimulatedNode node = new SimulatedNode();
    node.mine(List.of());
    TestParts parts =
        new TestParts()
            .at(Instant.ofEpochSecond(node.chain.timeAt(1) - ConsensusRules.FUTURE_SECONDS - 60));
    HeaderSync headers = parts.headers();
    HeaderPeer peer =
        new HeaderPeer(new Link(1, new NodeAddress("10.0.0.1", 1)), 7, parts.effects.now());
    int times = 0;
    while (!headers.received(peer, node.chain.headers(1, 2)).isRefusal()) {
      assertThat(times++).isLessThanOrEqualTo(Conduct.Ration.NOISE.most());
    }
    assertThat(times).isGreaterThan(10);
    assertThat(parts.effects.takeOutputs())
        .filteredOn(
            output ->
                output instanceof Output.Emit emit && emit.event() instanceof SyncEvent.Warning)
        .hasSize(1);
  }

  /**
   * One valid header from the future and junk after it, again and again: the sync does not wait for
   * that.
   */
  @Test
  void fullBatchesOfTheFutureDoNotKeepASyncFromItsEnd() {
    SimulatedNode node = new SimulatedNode();
    node.mine(List.of());
    long ahead = 1_700_000_000L + Duration.ofDays(1).toSeconds();
    SimulatedNode liar = node.twin();
    Bytes first = new SimulatedNode().mineDated(node.chain.tip(), ahead, List.of()).header();
    byte[] batch = new byte[Headers.MAX_PER_MESSAGE * BlockHeader.LENGTH];
    first.write(batch, 0);
    liar.headersServed = (ask, honest) -> Headers.ofStored(Bytes.wrap(batch));
    SimulatedWorld world = new SimulatedWorld(1, new SimulatedWallet(1));
    NodeAddress good = world.add(node);
    NodeAddress bad = world.add(liar);
    // Slow enough for every ration.
    world.delays.put(bad, 12_000);
    world.limit = Duration.ofMinutes(5);
    world.run(SyncSettings.of(List.of(good, bad), 1).headersOnly(true));
    assertThat(world.events).contains(new SyncFact.Complete(1, node.chain.tip()));
  }

  /** A machine whose clock is weeks behind refuses headers, but blames no peer for it. */
  @Test
  void blamesNoPeerForHeadersAheadOfItsClock() {
    SimulatedNode node = new SimulatedNode();
    for (int i = 0; i < 2100; i++) {
      node.mine(List.of());
    }
    TestParts parts =
        new TestParts()
            .at(Instant.ofEpochSecond(node.chain.timeAt(100) - ConsensusRules.FUTURE_SECONDS + 60));
    HeaderSync headers = parts.headers();
    HeaderPeer peer =
        new HeaderPeer(new Link(1, new NodeAddress("10.0.0.1", 1)), 7, parts.effects.now());
    Message request = new Message.GetHeaders(parts.chain.locator(), Hash256.ZERO);
    Question question = parts.effects.ask(peer, Question.Kind.HEADERS, 1, request);
    peer.headers().questions.asked(question, parts.chain.tip(), null);
    int most = Headers.MAX_PER_MESSAGE;
    assertThat(headers.received(peer, node.chain.headers(1, most + 1))).isEqualTo(Refusal.NONE);
    assertThat(parts.chain.height()).isBetween(99, 101);
    // The answer to the request that was sent before the batch was processed.
    assertThat(peer.headers().isAsked()).isTrue();
    assertThat(headers.received(peer, node.chain.headers(most + 1, 2101))).isEqualTo(Refusal.NONE);
    assertThat(peer.headers().isDone()).isTrue();
    assertThat(peer.headers().isAsked()).isFalse();
    assertThat(peer.headers().useless.orphans()).isZero();
  }
}
