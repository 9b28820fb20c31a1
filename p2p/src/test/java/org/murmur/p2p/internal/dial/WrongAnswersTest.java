package org.murmur.p2p.internal.dial;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.discovery.Scope;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.machine.TestParts;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.sync.Discovery;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncFact;

/** The message when something that is no peer of this network answers. */
class WrongAnswersTest {

  private static final int PORT = 18444;

  private final TestParts parts =
      new TestParts(HeaderChain.ofGenesis(ChainParams.REGTEST), SyncSettings.of(List.of(), 1));
  private final List<Link> called = new ArrayList<>();
  private final PeerFinder finder =
      new PeerFinder(
          parts,
          null,
          new Discovery(
              Optional.of(List.of()),
              List.of(new NodeAddress("30.1.1.1", PORT), new NodeAddress("30.2.1.1", PORT)),
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

  @BeforeEach
  void begins() {
    parts.at(Instant.ofEpochSecond(1_700_000_000L));
    finder.call(false);
    assertThat(called).hasSize(2);
  }

  private void answers(int index, Obstacle obstacle) {
    Link link = called.get(index);
    finder.take(new Input.Connected(link));
    finder.take(new Input.Garbled(link, obstacle, "frame"));
  }

  private String end() {
    return finder
        .inTheWay(new SyncFact.NoUsablePeer(Obstacle.Kind.UNREACHABLE, Map.of(), ""))
        .detail();
  }

  @ParameterizedTest
  @CsvSource({"OTHER_NETWORK, another network, login page", "NO_NODE, login page, another network"})
  void aNodeOfAnotherNetworkIsNoLoginPage(Obstacle obstacle, String words, String others) {
    answers(0, obstacle);
    assertThat(finder.outage()).contains(words).doesNotContain(others);
    assertThat(end()).contains(words).doesNotContain(others);
  }

  /** A login page answers every call; a node of another network is one of many. */
  @Test
  void ofBothTheLoginPageIsReported() {
    answers(0, Obstacle.NO_NODE);
    answers(1, Obstacle.OTHER_NETWORK);
    assertThat(finder.outage()).contains("login page");
  }
}
