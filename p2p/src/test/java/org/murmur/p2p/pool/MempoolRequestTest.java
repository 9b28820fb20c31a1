package org.murmur.p2p.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.sync.Link;
import org.murmur.p2p.sync.Output;
import org.murmur.p2p.wire.InventoryItem;
import org.murmur.p2p.wire.Message;

/** A request for the whole mempool between two pings, without a machine around. */
class MempoolRequestTest {

  private static final Hash256 TXID = Hash256.ZERO;

  private final Effects effects = new Effects(1);
  private final Peer peer = new Peer(new Link(1, new PeerAddress("10.0.0.1", 1)), 7, Instant.EPOCH);
  private final List<MempoolRequest> closed = new ArrayList<>();
  private final List<Long> pings = new ArrayList<>();
  private final MempoolRequest request = MempoolRequest.send(effects, peer, closed::add);

  @BeforeEach
  void readPings() {
    for (Output output : effects.takeOutputs()) {
      if (output instanceof Output.Send send && send.message() instanceof Message.Ping ping) {
        pings.add(ping.nonce());
      }
    }
  }

  private void pong(int ping) {
    peer.questions().close(Objects.requireNonNull(peer.questions().behind(pings.get(ping))));
  }

  private void announce() {
    request.received(new Message.Inv(List.of(new InventoryItem(InventoryItem.TX, TXID))));
  }

  @Test
  void isPromptIfTheAnswerComesBetweenThePongs() {
    pong(0);
    announce();
    assertThat(request.isPrompt()).isFalse();
    pong(1);
    assertThat(request.isPrompt()).isTrue();
    assertThat(request.announced()).containsExactly(TXID);
    assertThat(closed).containsExactly(request);
  }

  @Test
  void isNotPromptIfTheAnnouncementCameBefore() {
    announce();
    pong(0);
    pong(1);
    assertThat(request.isPrompt()).isFalse();
  }

  @Test
  void staysClosedIfThePongsComeInTheWrongOrder() {
    pong(1);
    pong(0);
    announce();
    assertThat(request.isClosed()).isTrue();
    assertThat(request.cameAtOnce()).isFalse();
    assertThat(request.isPrompt()).isFalse();
  }

  @Test
  void isPromptIfThePeerAnswersThatNothingMatches() {
    request.received(new Message.Inv(List.of()));
    pong(0);
    pong(1);
    assertThat(request.isPrompt()).isTrue();
    assertThat(request.cameAtOnce()).isFalse();
  }
}
