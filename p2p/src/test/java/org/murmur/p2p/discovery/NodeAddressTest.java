package org.murmur.p2p.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
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

  /** Resolvers read each of them as this machine's address, and some as another one than we. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.1",
        "127.0.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0X7F.0.0.0x1",
        "017700000001",
        "0177.0.0.1",
        "127.0.0.01",
        "127.0.0.1.",
        "127.0.0.256",
        "1.2.3.4.5",
        "\uff11\uff12\uff17.0.0.1",
        "127.0.0.\uff11",
        "0",
        "0.0.0.0",
        "[::]",
        "[0:0::0]",
        "[::ffff:0.0.0.0]",
        "[::ffff:0:0]",
        "[::0.0.0.0]"
      })
  void aNumberInAnotherFormIsRefused(String spelling) {
    for (String text : List.of(spelling, spelling + ":8333")) {
      assertThatThrownBy(() -> NodeAddress.parse(text, 8333))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + text + "'");
    }
    // An app may make one without a parser.
    if (spelling.matches("(?!0\\.0\\.0\\.0)[^\\[]*")) {
      assertThatThrownBy(() -> new NodeAddress(spelling, 8333))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("' is no IPv4 address");
    }
  }

  @Test
  void aHostWithAColonIsAnIpv6Address() {
    for (String host : List.of("a:b", "1:2", "::g", "[::1]", "fe80::1::2")) {
      assertThatThrownBy(() -> new NodeAddress(host, 8333))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + host + "' is no IPv6 address");
    }
    assertThat(new NodeAddress("fe80::1%eth0", 8333).host()).isEqualTo("fe80::1%eth0");
  }

  /** What we take for an IPv4 address is the one that the resolver connects to. */
  @Property
  void theResolverReadsWhatWeRead(
      @ForAll @Size(min = 1, max = 4) List<@IntRange(max = 511) Integer> parts,
      @ForAll @Size(4) List<@IntRange(max = 3) Integer> styles)
      throws UnknownHostException {
    List<String> written = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      String form = List.of("%d", "%d", "0%o", "0x%x").get(styles.get(i));
      written.add(String.format(form, parts.get(i)));
    }
    String host = String.join(".", written);
    NodeAddress read;
    try {
      read = NodeAddress.parse(host, 8333);
    } catch (IllegalArgumentException e) {
      return;
    }
    // No look-up: it is an address of four decimal numbers.
    assertThat(InetAddress.getByName(host).getHostAddress()).isEqualTo(read.host());
  }

  @ParameterizedTest
  @ValueSource(strings = {"node7", "7.example", "seed.0xdeadbeef.example", "10.0.0.7", "1a", "x0"})
  void aNameWithDigitsIsAName(String name) {
    assertThat(NodeAddress.parse(name, 8333).host()).isEqualTo(name);
  }
}
