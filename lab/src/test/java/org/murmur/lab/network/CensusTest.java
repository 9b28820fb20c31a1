package org.murmur.lab.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.network.NodeRecord.Answer;
import org.murmur.lab.network.NodeRecord.Greeting;
import org.murmur.lab.network.NodeRecord.Outcome;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.discovery.Scope;
import org.murmur.p2p.internal.wire.NetworkAddress;

/** Counting, and who is called next. */
class CensusTest {

  private static NodeRecord node(String host, String userAgent, int height, Answer bloom) {
    long services = 1 | (bloom.isClaimed() ? 4 : 0) | 1L << 25;
    return new NodeRecord(
        new NodeAddress(host, 8333),
        Outcome.REACHED,
        new Greeting(70016, services, userAgent, height, 1_000L * height),
        5L,
        null,
        bloom,
        Answer.NOT_CLAIMED);
  }

  private static final List<NodeRecord> RECORDS =
      List.of(
          node("20.1.0.1", "/a/", 100, Answer.SERVED),
          node("20.1.0.2", "/a/", 101, Answer.NONE),
          node("20.2.0.1", "/only one/", 99, Answer.WRONG),
          node("20.3.0.1", "/at 20.3.0.1/", 7, Answer.NOT_CLAIMED),
          node("20.4.0.1", "/at 20.3.0.1/", 100, Answer.NOT_TRIED),
          NodeRecord.notReached(new NodeAddress("20.5.0.1", 8333), Outcome.TIMEOUT));

  @Test
  void countsNodesReached() {
    Census census = new Census(RECORDS);
    assertThat(census.called()).isEqualTo(6);
    assertThat(census.reached()).isEqualTo(5);
    assertThat(census.outcomes()).isEqualTo(Map.of(Outcome.REACHED, 5, Outcome.TIMEOUT, 1));
    assertThat(census.services()).isEqualTo(Map.of("NETWORK", 5, "BLOOM", 4, "0x2000000", 5));
    assertThat(Census.claimed(census.bloom())).isEqualTo(4);
    assertThat(census.bloom()).containsEntry(Answer.SERVED, 1).containsEntry(Answer.NONE, 1);
    assertThat(census.medianHeight()).hasValue(100);
    assertThat(census.nearMedian()).isEqualTo(4);
    assertThat(census.versionMicros()).hasValue(100_000);
    assertThat(census.groups().entrySet().iterator().next().toString()).isEqualTo("20.1.0.0/16=2");
    assertThat(census.groupSizes()).isEqualTo(Map.of("1", 3, "2", 1));
    assertThat(new Census(List.of()).medianHeight()).isEmpty();
  }

  @Test
  void sharesNoNameThatTellsOfANode() {
    Census census = new Census(RECORDS);
    assertThat(census.shareable(census.userAgents())).isEqualTo(Map.of("/a/", 2, "other", 3));
  }

  private static NetworkAddress told(String host, int port) {
    Endpoint at = Endpoint.parse(host, 1).orElseThrow();
    return new NetworkAddress(1, 1, at.network(), at.address(), port);
  }

  @Test
  void callsEachAddressOnceAndNamedOnesFirst() {
    Candidates candidates = new Candidates(Scope.INTERNET, 4, new Random(1));
    candidates.addAll(
        List.of(told("20.1.0.1", 8333), told("20.2.0.1", 8333), told("20.3.0.1", 8333)));
    // Twice, without a port, of this machine, and of a network that is not called.
    candidates.addAll(
        List.of(told("20.1.0.1", 8333), told("20.9.0.1", 0), told("127.0.0.1", 8333)));
    candidates.addAll(
        List.of(new NetworkAddress(1, 1, NetworkAddress.I2P, Bytes.wrap(new byte[32]), 1)));
    NodeAddress named = new NodeAddress("192.168.0.1", 8333);
    candidates.name(List.of(named, named));
    assertThat(candidates.known()).isEqualTo(4);
    assertThat(candidates.next()).hasValue(named);
    assertThat(List.of(candidates.next(), candidates.next(), candidates.next()))
        .containsExactlyInAnyOrder(
            Optional.of(new NodeAddress("20.1.0.1", 8333)),
            Optional.of(new NodeAddress("20.2.0.1", 8333)),
            Optional.of(new NodeAddress("20.3.0.1", 8333)));
    candidates.addAll(List.of(told("20.4.0.1", 8333)));
    assertThat(candidates.next()).as("enough").isEmpty();
  }
}
