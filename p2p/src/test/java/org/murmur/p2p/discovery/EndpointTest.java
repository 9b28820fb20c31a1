package org.murmur.p2p.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.internal.discovery.DnsQuestion;
import org.murmur.p2p.internal.peers.ViewService;
import org.murmur.p2p.internal.wire.NetworkAddress;

/** Addresses as numbers, as text and back, and their groups. */
class EndpointTest {

  @ParameterizedTest
  @CsvSource({
    // RFC 5952, sections 4 and 5.
    "2001:0db8:0000:0000:0001:0000:0000:0001, 2001:db8::1:0:0:1",
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "2001:DB8::1, 2001:db8::1",
    "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
    "::, ::",
    "::1, ::1",
    "1::, 1::",
    "::ffff:192.0.2.1, 192.0.2.1",
    "64:ff9b::192.0.2.33, 64:ff9b::c000:221",
    "127.3.0.1, 127.3.0.1"
  })
  void hasOneForm(String text, String form) {
    assertThat(Endpoint.parse(text, 1).map(Endpoint::host)).contains(form);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "node.example",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.256",
        "01.2.3.4",
        "1.2.3.4 ",
        "",
        ":",
        ":::",
        "1::2::3",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8::",
        "g::1",
        "12345::",
        "::1.2.3",
        "fe80::1%2"
      })
  void aNameIsNoNumber(String text) {
    assertThat(Endpoint.parse(text, 1)).isEmpty();
  }

  @Property
  void readsItsOwnOutput(@ForAll @Size(16) byte[] bytes) {
    Endpoint endpoint = Endpoint.parse(text(bytes), 8333).orElseThrow();
    assertThat(Endpoint.parse(endpoint.host(), 8333)).contains(endpoint);
  }

  /** The system's reading of our text is the oracle. */
  @Property
  void meansTheSameAsToTheSystem(@ForAll @Size(16) byte[] bytes) throws UnknownHostException {
    Endpoint endpoint = Endpoint.parse(text(bytes), 1).orElseThrow();
    assertThat(InetAddress.getByName(endpoint.host()).getAddress())
        .isEqualTo(endpoint.address().toArray());
  }

  private static String text(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 16; i += 2) {
      text.append(i == 0 ? "" : ":").append(String.format("%02x%02x", bytes[i], bytes[i + 1]));
    }
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "1.2.3.4, 1.2.0.0/16",
    "127.3.0.1, 127.3.0.0/16",
    "2400:cb00:2049:1::1, 2400:cb00::/32",
    // Each tunnel of he.net has 48 bits of its own; 36 bits separate unrelated users.
    "2001:470:1234::1, 2001:470:1000::/36",
    // The vectors of Core's netbase_tests for RFC 3964, 4380, 6052 and 6145.
    "2002:102:304:9999:9999:9999:9999:9999, 1.2.0.0/16",
    "2001:0:9999:9999:9999:9999:FEFD:FCFB, 1.2.0.0/16",
    "64:FF9B::102:304, 1.2.0.0/16",
    "::FFFF:0:102:304, 1.2.0.0/16"
  })
  void isOfAGroup(String text, String group) {
    assertThat(NetGroup.of(Endpoint.parse(text, 1).orElseThrow()).name()).isEqualTo(group);
  }

  @Test
  void torAddressesAreGroupedByTheirFirstBits() {
    NetGroup one = NetGroup.of(new Endpoint(NetworkAddress.TORV3, Bytes.wrap(tor(0x1f)), 1));
    NetGroup same = NetGroup.of(new Endpoint(NetworkAddress.TORV3, Bytes.wrap(tor(0x10)), 1));
    NetGroup other = NetGroup.of(new Endpoint(NetworkAddress.TORV3, Bytes.wrap(tor(0x20)), 1));
    assertThat(one).isEqualTo(same).isNotEqualTo(other);
  }

  private static byte[] tor(int first) {
    byte[] address = new byte[32];
    address[0] = (byte) first;
    return address;
  }

  @ParameterizedTest
  @CsvSource({
    "1.2.3.4, true, false",
    "10.1.2.3, false, true",
    "127.9.0.1, false, true",
    "172.15.0.1, true, false",
    "172.16.0.1, false, true",
    "172.31.255.1, false, true",
    "172.32.0.1, true, false",
    "192.168.0.1, false, true",
    "169.254.1.1, false, true",
    "0.1.2.3, false, false",
    "100.64.0.1, false, false",
    "100.128.0.1, true, false",
    "198.18.0.1, false, false",
    "198.20.0.1, true, false",
    "192.0.2.1, false, false",
    "198.51.100.1, false, false",
    "203.0.113.1, false, false",
    "224.0.0.1, false, false",
    "255.255.255.255, false, false",
    "::1, false, true",
    "::2, false, false",
    "fe80::1, false, true",
    "fd00::1, false, true",
    "ff02::1, false, false",
    "2001:db8::1, false, false",
    "2001:10::1, false, false",
    "2001:20::1, false, false",
    "2001:30::1, true, false",
    "2a00::1, true, false"
  })
  void isRoutedOrLocalOrUnassigned(String text, boolean routed, boolean local) {
    Endpoint endpoint = Endpoint.parse(text, 8333).orElseThrow();
    assertThat(Scope.INTERNET.accepts(endpoint)).as("internet").isEqualTo(routed);
    assertThat(Scope.LOCAL.accepts(endpoint)).as("local").isEqualTo(local);
  }

  @Test
  void torIsReachedThroughAProxyOnly() {
    Endpoint tor = new Endpoint(NetworkAddress.TORV3, Bytes.wrap(tor(1)), 8333);
    assertThat(Scope.INTERNET.accepts(tor)).isFalse();
    assertThat(Scope.INTERNET.withOnion(true).accepts(tor)).isTrue();
    assertThat(Scope.LOCAL.accepts(tor)).isFalse();
    assertThat(Scope.LOCAL.withOnion(true).accepts(tor)).isTrue();
    Endpoint i2p = new Endpoint(NetworkAddress.I2P, Bytes.wrap(tor(1)), 8333);
    assertThat(Scope.INTERNET.withOnion(true).accepts(i2p)).isFalse();
  }

  @Test
  void seedsAreAskedForServices() {
    assertThat(ViewService.FILTERS.seedBits())
        .extracting(bits -> DnsQuestion.filtered("seed.example", bits))
        .containsExactly(
            new DnsQuestion("seed.example", "x5.seed.example", 5),
            new DnsQuestion("seed.example", "xd.seed.example", 13))
        .allMatch(DnsQuestion::isFiltered);
    DnsQuestion plain = DnsQuestion.plain("seed.example");
    assertThat(plain).isEqualTo(new DnsQuestion("seed.example", "seed.example", 1));
    assertThat(plain.isFiltered()).isFalse();
  }
}
