package org.murmur.p2p.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NodeAddressTest {

  /** Every spelling of this machine is one peer, and none of them is on the internet. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "localhost",
        "LOCALHOST",
        "localhost.",
        "127.1.2.3",
        "[::1]",
        "[0:0:0:0:0:0:0:1]",
        "[::0001]",
        "[::ffff:127.0.0.1]",
        "[::FFFF:7f00:1]"
      })
  void oneMachineIsOnePeer(String spelling) {
    NodeAddress peer = NodeAddress.parse(spelling, 8333);
    assertThat(peer.canonical()).isEqualTo(new NodeAddress("127.0.0.1", 8333));
    assertThat(peer.isLocal()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "Node.Example., node.example, false",
    "::ffff:192.0.2.7, 192.0.2.7, false",
    "::ffff:192.168.1.7, 192.168.1.7, true",
    "2001:DB8:0:0::1, 2001:db8::1, false",
    "FD00:0::1, fd00::1, true",
    "fc::1, fc::1, false",
    "febf::1, febf::1, true",
    "fec0::1, fec0::1, false",
    "fe80::1%eth0, fe80::1%eth0, true",
    "192.0.2.7, 192.0.2.7, false"
  })
  void anAddressHasOneForm(String host, String one, boolean local) {
    NodeAddress peer = new NodeAddress(host, 8333);
    assertThat(peer.canonical()).isEqualTo(new NodeAddress(one, 8333));
    assertThat(peer.isLocal()).isEqualTo(local);
  }

  @Test
  void twoPortsAreTwoPeers() {
    assertThat(new NodeAddress("localhost", 1).canonical())
        .isNotEqualTo(new NodeAddress("127.0.0.1", 2).canonical());
  }
}
