package org.murmur.p2p.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProxyTest {

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, 127.0.0.1, 9050",
    "127.0.0.1:9150, 127.0.0.1, 9150",
    "localhost:1080, localhost, 1080",
    "socks5://10.0.0.7:1, 10.0.0.7, 1",
    "SOCKS5H://127.0.0.1:9050, 127.0.0.1, 9050",
    "[::1]:9050, ::1, 9050",
    "[fe80::2], fe80::2, 9050"
  })
  void acceptsCommonSpellings(String text, String host, int port) {
    assertThat(Proxy.parse(text)).isEqualTo(new Proxy(host, port));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tor.example:9050 | bypass it",
        "pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd.onion | bypass it",
        "http://127.0.0.1:8080 | SOCKS5",
        "socks4://127.0.0.1:8080 | SOCKS5",
        "me:secret@127.0.0.1:9050 | random login",
        "127.0.0.1:0 | port 0",
        "127.0.0.1:x | 'x' is no port",
        "127.0.0.1:65536 | port 65536",
        "[1:2:3]:9050 | no IPv6",
        "1.2.3 | no IPv4 address of four decimal numbers",
        "'' | empty"
      })
  void refusesTheRestWithAReason(String text, String expected) {
    assertThatThrownBy(() -> Proxy.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(expected);
  }

  @Test
  void theRefusalNamesThePortThatWasGiven() {
    assertThatThrownBy(() -> new Proxy("127.0.0.1", 0)).hasMessage("port 0, expected 1 to 65535");
  }

  @Test
  void noPeerIsAskedIfItIsConfirmed() throws Exception {
    assertThat(new Proxy("LocalHost", 1).addresses())
        .extracting(InetAddress::getHostAddress)
        .containsExactly("127.0.0.1", "0:0:0:0:0:0:0:1");
    assertThat(new Proxy("10.1.2.3", 1).addresses())
        .containsExactly(InetAddress.getByAddress(new byte[] {10, 1, 2, 3}));
  }

  @Test
  void writesItselfAsItIsTyped() {
    assertThat(new Proxy("::1", 9050)).hasToString("[::1]:9050");
    assertThat(new Proxy("127.0.0.1", 9050)).hasToString("127.0.0.1:9050");
  }
}
