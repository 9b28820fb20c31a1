package org.murmur.cli.sync;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.cli.Ran;
import org.murmur.cli.RestoredWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.RegtestNode;
import org.murmur.testbed.proxy.SocksProxy;

/** {@code --proxy}: onion addresses, names that only the proxy knows, and failures. */
@Timeout(120)
class ProxyCommandTest extends RestoredWallet {

  private static final String ONION =
      "pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd.onion";

  private Ran sync(String proxy, String peer) {
    return here()
        .murmur("sync", "--mempool-wait", "0", "--proxy", proxy, "--connect", peer, "--json");
  }

  @Test
  void syncsFromAnOnionAddress() {
    try (RegtestNode node = node();
        SocksProxy proxy = SocksProxy.start(Map.of(ONION, node.port()))) {
      JsonNode sync = sync(proxy.address(), ONION).exits(ExitCode.DONE).json();
      assertThat(sync.get("complete").asBoolean()).isTrue();
      assertThat(sync.get("height").asInt()).isEqualTo(129);
      assertThat(sync.get("peers").get(0).get("address").asText()).isEqualTo(ONION + ":18444");
      assertThat(proxy.visits()).hasSize(1);
    }
  }

  @Test
  void theEnvironmentNamesItForEveryCommandThatConnects() throws IOException {
    try (RegtestNode node = node();
        SocksProxy proxy = SocksProxy.start(Map.of("node.example", node.port()))) {
      Ran.With here = here().environment("MURMUR_PROXY", proxy.address());
      here.murmur("sync", "--mempool-wait", "0", "--connect", "node.example").exits(ExitCode.DONE);
      here.murmur("rescan", "--from", "0", "--mempool-wait", "0", "--connect", "node.example")
          .exits(ExitCode.DONE);
      here.murmur("lab", "fp", "--small", "--connect", "node.example").exits(ExitCode.USAGE);
      assertThat(proxy.visits()).hasSize(2);
      // The option comes before it.
      here.murmur("sync", "--proxy", NOBODY, "--connect", "node.example")
          .exits(ExitCode.NO_USABLE_PEER);
      assertThat(proxy.visits()).hasSize(2);
    }
  }

  @Test
  void aProxyThatIsNotThere() throws IOException {
    try (RegtestNode node = node()) {
      Ran ran = sync(NOBODY, node.address()).exits(ExitCode.NO_USABLE_PEER);
      assertThat(ran.json().get("error").get("message").asText())
          .contains("the proxy " + NOBODY + " cannot be reached: connection refused")
          .contains("Nothing was sent without the proxy")
          .doesNotContain("-listen=1");
      assertThat(node.filtersShown()).isEmpty();
    }
  }

  /** A Bitcoin node is no proxy. */
  @Test
  void aProxyThatIsNone() throws IOException {
    try (RegtestNode node = node();
        ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Ran ran = sync(node.address(), "node.example").exits(ExitCode.NO_USABLE_PEER);
      assertThat(ran.json().get("error").get("message").asText())
          .contains("the proxy " + node.address())
          .contains("is it a SOCKS5 proxy?");
      // A silent server ends with the time limit, if that comes before the machine's.
      Ran waited =
          here()
              .murmur(
                  "sync",
                  "--timeout",
                  "1",
                  "--proxy",
                  "127.0.0.1:" + silent.getLocalPort(),
                  "--connect",
                  "node.example");
      waited.exits(ExitCode.NOT_SYNCED);
    }
  }

  @Test
  void addressesThatTheProxyDoesNotReach() {
    try (SocksProxy proxy = SocksProxy.start(Map.of())) {
      Ran ran = sync(proxy.address(), "10.1.2.3").exits(ExitCode.NO_USABLE_PEER);
      assertThat(ran.json().get("error").get("message").asText())
          .contains("10.1.2.3:18444: host unreachable, says the proxy")
          .contains("Tor leads to none of these")
          .contains("without --proxy");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--connect " + ONION + " | --proxy 127.0.0.1:9050",
        "--connect x.b32.i2p | --proxy 127.0.0.1:9050",
        "--proxy 127.0.0.1 --connect abc.onion | 3 characters before .onion",
        "--proxy tor.example --connect a.example | bypass it",
        "--proxy http://127.0.0.1:1 --connect a.example | expected a SOCKS5 proxy",
        "--proxy a:b@127.0.0.1:1 --connect a.example | random login",
      })
  void wrongUsage(String line, String expected) {
    for (String command : new String[] {"sync", "rescan --from 0"}) {
      String[] args = (command + " " + line.strip()).split(" +");
      assertThat(here().murmur(args).exits(ExitCode.USAGE).err()).contains(expected);
    }
  }

  @Test
  void aBroadcastNeedsItToo() {
    String tx = lived().chain().blockAt(1).tx(0).raw().toHex();
    assertThat(here().murmur("broadcast", tx, "--connect", ONION).exits(ExitCode.USAGE).err())
        .contains("--proxy 127.0.0.1:9050");
  }

  @Test
  void anInvalidEnvironmentIsAnError() {
    assertThat(
            here()
                .environment("MURMUR_PROXY", "tor.example")
                .murmur("sync", "--connect", "127.0.0.1")
                .exits(ExitCode.USAGE)
                .err())
        .contains("MURMUR_PROXY", "bypass it");
  }
}
