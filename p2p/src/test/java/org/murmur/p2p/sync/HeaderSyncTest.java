package org.murmur.p2p.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.chain.HeaderChain;
import org.murmur.p2p.chain.Network;
import org.murmur.p2p.wire.Headers;

/** Headers, when the clock is wrong. */
class HeaderSyncTest {

  @Test
  void headersOfTheFutureAreToldOfOnceAndDoNotComeForEver() {
    SimulatedNode node = new SimulatedNode();
    node.mine(List.of());
    Session session = session();
    session.now = Instant.ofEpochSecond(node.chain.timeAt(1) - ConsensusRules.FUTURE_SECONDS - 60);
    HeaderSync headers = new HeaderSync(session);
    Peer peer = new Peer(new Link(1, new PeerAddress("10.0.0.1", 1)), 7, session.now);
    int times = 0;
    while (!headers.received(peer, node.chain.headers(1, 2)).isRefusal()) {
      assertThat(times++).isLessThan(100);
    }
    assertThat(times).isGreaterThan(10);
    assertThat(session.takeOutputs())
        .filteredOn(
            output ->
                output instanceof Output.Emit emit && emit.event() instanceof SyncEvent.Warning)
        .hasSize(1);
  }

  private static Session session() {
    return new Session(
        new SyncStart(
            Network.REGTEST,
            HeaderChain.ofGenesis(Network.REGTEST),
            new Birthday.AtHeight(0),
            OptionalInt.empty(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            1,
            1),
        SyncSettings.of(List.of(new PeerAddress("10.0.0.1", 1)), 1));
  }

  /** A machine whose clock stands still by weeks leaves headers out, but blames nobody for it. */
  @Test
  void blamesNobodyForHeadersAheadOfItsClock() {
    SimulatedNode node = new SimulatedNode();
    for (int i = 0; i < 2100; i++) {
      node.mine(List.of());
    }
    Session session = session();
    session.now =
        Instant.ofEpochSecond(node.chain.timeAt(100) - ConsensusRules.FUTURE_SECONDS + 60);
    HeaderSync headers = new HeaderSync(session);
    Peer peer = new Peer(new Link(1, new PeerAddress("10.0.0.1", 1)), 7, session.now);
    peer.talk.asked(session.chain.tip(), null, session.now);
    int most = Headers.MAX_PER_MESSAGE;
    assertThat(headers.received(peer, node.chain.headers(1, most + 1))).isEqualTo(Refusal.NONE);
    assertThat(session.chain.height()).isBetween(99, 101);
    // The answer to the question that left before the batch was looked at.
    assertThat(peer.headersAsked).isTrue();
    assertThat(headers.received(peer, node.chain.headers(most + 1, 2101))).isEqualTo(Refusal.NONE);
    assertThat(peer.headersDone).isTrue();
    assertThat(peer.headersAsked).isFalse();
    assertThat(peer.orphans).isZero();
  }
}
