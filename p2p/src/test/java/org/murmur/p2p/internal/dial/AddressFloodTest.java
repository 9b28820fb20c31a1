package org.murmur.p2p.internal.dial;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.discovery.Scope;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.machine.TestParts;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Conduct.Ration;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.Discovery;

/** Addresses without end: their sender does not decide how often all of them are scanned. */
class AddressFloodTest {

  private static final int PORT = 18444;
  private static final int MANY = 1_000;

  private final TestParts parts =
      new TestParts(
          HeaderChain.ofGenesis(ChainParams.REGTEST),
          SyncSettings.of(List.of(), 1).peers(who -> who.connections(3)));
  private final List<Link> called = new ArrayList<>();
  private final PeerFinder finder =
      new PeerFinder(
          parts,
          null,
          new Discovery(
              Optional.of(List.of()),
              List.of(new NodeAddress("30.1.1.1", PORT)),
              Optional.of(Scope.INTERNET),
              PORT,
              Optional.empty()),
          List.of(),
          new Contacts(parts, this::link),
          new Redial(parts),
          this::link);

  private Link link(NodeAddress address) {
    Link link = new Link(called.size() + 1, address);
    called.add(link);
    return link;
  }

  private static NetworkAddress madeUp(int number) {
    return ofNobody("40." + number / 250 + "." + number % 250 + ".1");
  }

  private static NetworkAddress ofNobody(String host) {
    Endpoint endpoint = new NodeAddress(host, PORT).endpoint().orElseThrow();
    return new NetworkAddress(
        1_700_000_000L,
        Services.NETWORK | Services.BLOOM,
        endpoint.network(),
        endpoint.address(),
        endpoint.port());
  }

  @BeforeEach
  void begins() {
    parts.at(Instant.ofEpochSecond(1_700_000_000L));
    finder.call(false);
    assertThat(called).hasSize(1);
  }

  @Test
  void aPeerThatAnnouncesOneByOneCausesNoSearchForEach() {
    Peer peer =
        parts.roster.add(
            new Link(1_000, new NodeAddress("30.1.1.2", PORT)), 7, parts.effects.now());
    peer.greeted(new Message.Version(70016, Services.NETWORK, 0, 1, "/flood/", 5_000, true));
    finder.ready(peer);
    long before = finder.looks();

    for (int i = 0; i < MANY; i++) {
      finder.announced(peer, List.of(madeUp(i)));
      finder.call(false);
    }
    assertThat(finder.looks()).isEqualTo(before);
    assertThat(called).hasSize(1);

    // None of it is lost.
    assertThat(finder.hasMore()).isTrue();
    Alarm alarm = new Alarm(parts.effects.now());
    finder.setAlarm(alarm);
    assertThat(alarm.next()).isEqualTo(parts.effects.now().plus(Duration.ofSeconds(1)));
    parts.at(parts.effects.now().plus(Duration.ofSeconds(1)));
    finder.call(false);
    assertThat(called).hasSizeGreaterThan(1);
    assertThat(finder.looks()).isEqualTo(before + 1);
  }

  @Test
  void theAnswerToTheRequestIsProcessedAtOnce() {
    Peer peer =
        parts.roster.add(
            new Link(1_000, new NodeAddress("30.1.1.2", PORT)), 7, parts.effects.now());
    peer.greeted(new Message.Version(70016, Services.NETWORK, 0, 1, "/honest/", 5_000, true));
    finder.ready(peer);

    finder.announced(peer, List.of(madeUp(1), madeUp(2)));
    finder.call(false);
    assertThat(called).hasSizeGreaterThan(1);

    // Once: later ones were not requested.
    int soFar = called.size();
    long looks = finder.looks();
    finder.announced(peer, List.of(madeUp(1_001), madeUp(1_002)));
    finder.call(false);
    assertThat(called).hasSize(soFar);
    assertThat(finder.looks()).isEqualTo(looks);
  }

  @Test
  void feelersDoNotKeepTheMachineBusyEither() {
    Link feeler = called.get(0);
    assertThat(finder.take(new Input.Connected(feeler))).isTrue();
    Message.Version version =
        new Message.Version(70016, Services.NETWORK, 0, 1, "/flood/", 5_000, true);
    assertThat(finder.take(new Input.Received(feeler, version, 100))).isTrue();
    finder.call(false);
    long before = finder.looks();

    for (int i = 0; i < Ration.PINGS.most(); i++) {
      finder.take(new Input.Received(feeler, new Message.Addr(List.of(madeUp(i))), 60));
      finder.take(new Input.Received(feeler, new Message.Ping(i), 32));
      finder.call(false);
    }
    assertThat(finder.looks()).isEqualTo(before);

    // The next one is a flood: the end of the feeler causes one search, what follows causes none.
    for (int i = 0; i < MANY; i++) {
      finder.take(new Input.Received(feeler, new Message.Ping(i), 32));
      finder.call(false);
    }
    assertThat(finder.looks()).isEqualTo(before + 1);
    assertThat(called).hasSizeGreaterThan(1);
  }
}
