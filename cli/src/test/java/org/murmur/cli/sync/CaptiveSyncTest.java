package org.murmur.cli.sync;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.cli.Ran;
import org.murmur.cli.demo.DemoWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.Discovery;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.JsonRpc;
import org.murmur.testbed.proxy.MicroSocks;
import org.murmur.testbed.proxy.SocksProxy;

/**
 * Through a real SOCKS5 server from a real node: the same results, and no connection outside the
 * proxy, as counted by a kernel without any other route.
 *
 * <p>If a user may not make such a network (some containers) the test prints that on stderr and
 * uses weaker evidence: names that only the proxy can resolve, and its log.
 */
@Tag("real-node")
@Timeout(300)
class CaptiveSyncTest {

  private static final String REFUSED = Captive.refusal();

  @TempDir
  @SuppressWarnings("NullAway") // JUnit sets it
  Path folder;

  @BeforeEach
  void saySo() {
    if (!REFUSED.isEmpty()) {
      System.err.println(
          "WEAKER WITNESS: this machine lets its users make no network of their own, so it is not"
              + " shown here that nothing goes around the proxy ("
              + REFUSED
              + "). Install util-linux and iproute2 and allow user name spaces (sysctl"
              + " kernel.unprivileged_userns_clone=1,"
              + " kernel.apparmor_restrict_unprivileged_userns=0), or run as root");
    }
  }

  private Ran murmur(String... args) {
    return Ran.with().datadir(folder).environment("MURMUR_NETWORK", "regtest").murmur(args);
  }

  private void restore(String wallet) throws IOException {
    Path words = folder.resolve("words.txt");
    Files.writeString(words, DemoWallet.WORDS);
    murmur("-w", wallet, "restore", "--mnemonic-file", words.toString()).exits(ExitCode.DONE);
  }

  private String[] captive(String wallet, String... more) {
    List<String> line =
        new ArrayList<>(
            List.of("--network", "regtest", "--datadir", folder.toString(), "-w", wallet));
    line.addAll(List.of(more));
    return line.toArray(String[]::new);
  }

  @Test
  void sameResultsAndNothingOutsideTheProxy() throws IOException {
    restore("direct");
    restore("captive");
    try (Bitcoind node = Bitcoind.start();
        MicroSocks proxy = MicroSocks.start();
        Captive captive = new Captive(Files.createDirectory(folder.resolve("way")), proxy.port())) {
      pay(node);
      JsonNode direct =
          murmur("-w", "direct", "sync", "--connect", "127.0.0.1:" + node.p2pPort(), "--json")
              .exits(ExitCode.DONE)
              .json();

      // A name: inside the network nothing listens there, so only the proxy can have resolved it.
      String peer = "localhost:" + node.p2pPort();
      Ran ran;
      if (REFUSED.isEmpty()) {
        Captive.Outcome outcome =
            captive.murmur(
                captive(
                    "captive",
                    "sync",
                    "--proxy",
                    "127.0.0.1:" + Captive.PORT,
                    "--connect",
                    peer,
                    "--json"));
        ran = outcome.ran();
        assertThat(outcome.strayed()).as("tried beside the proxy: %s", ran.err()).isZero();
        assertThat(outcome.calls()).as("calls, of which all are the proxy's").isEqualTo(1);
      } else {
        ran =
            murmur(
                "-w", "captive", "sync", "--proxy", proxy.address(), "--connect", peer, "--json");
      }
      JsonNode through = ran.exits(ExitCode.DONE).json();
      assertThat(proxy.log()).contains("localhost:" + node.p2pPort());

      for (String field :
          new String[] {"complete", "height", "tip", "balance", "transactions", "blocks_scanned"}) {
        assertThat(through.get(field)).as(field).isNotNull().isEqualTo(direct.get(field));
      }
      assertThat(through.get("balance").get("confirmed_sat").asLong()).isEqualTo(150_000_000);
      assertThat(through.get("balance").get("unconfirmed_sat").asLong()).isEqualTo(25_000_000);
      for (String command : new String[] {"balance", "history", "coins"}) {
        assertThat(told("captive", command)).as(command).isEqualTo(told("direct", command));
      }
    }
  }

  /** The wallet's output, without the time at which it first saw pending transactions. */
  private String told(String wallet, String command) {
    String out = murmur("-w", wallet, command).exits(ExitCode.DONE).out();
    return out.replaceAll("\\S+(?= +pending )", "TIME");
  }

  /** The other commands that connect, and a follow, from the same network. */
  @Test
  void rescanAndBroadcastAreCaptiveToo() throws IOException {
    restore("captive");
    try (Bitcoind node = Bitcoind.start();
        MicroSocks proxy = MicroSocks.start();
        Captive captive = new Captive(Files.createDirectory(folder.resolve("way")), proxy.port())) {
      JsonRpc payer = pay(node);
      JsonNode raw =
          payer.call(
              "createrawtransaction",
              List.of(),
              List.of(Map.of(payer.call("getnewaddress").asText(), "0.3")));
      String signed =
          payer
              .call(
                  "signrawtransactionwithwallet",
                  payer.call("fundrawtransaction", raw.asText()).get("hex").asText())
              .get("hex")
              .asText();
      String peer = "localhost:" + node.p2pPort();
      String[][] commands = {
        {"rescan", "--from", "0"}, {"broadcast", signed}, {"sync", "--follow", "--timeout", "2"}
      };
      for (String[] command : commands) {
        List<String> line = new ArrayList<>(List.of(command));
        line.addAll(List.of("--connect", peer, "--proxy"));
        if (REFUSED.isEmpty()) {
          line.add("127.0.0.1:" + Captive.PORT);
          Captive.Outcome outcome = captive.murmur(captive("captive", line.toArray(String[]::new)));
          assertThat(outcome.ran().code()).as(outcome.ran().err()).isZero();
          assertThat(outcome.strayed()).as(command[0]).isZero();
          assertThat(outcome.calls()).as(command[0]).isEqualTo(1);
        } else {
          line.addAll(0, List.of("-w", "captive"));
          line.add(proxy.address());
          murmur(line.toArray(String[]::new)).exits(ExitCode.DONE);
        }
      }
      assertThat(node.rpc().call("getrawmempool")).hasSize(2);
    }
  }

  /**
   * Without --connect the seeds are called by their names, through a proxy that knows none: nothing
   * leaves this machine.
   */
  @Test
  void findingPeersIsCaptiveToo() throws IOException {
    Path words = Files.writeString(folder.resolve("words.txt"), DemoWallet.WORDS);
    Ran.with()
        .datadir(folder)
        .murmur("--network", "testnet4", "restore", "--mnemonic-file", words.toString())
        .exits(ExitCode.DONE);
    try (SocksProxy proxy = SocksProxy.start(Map.of());
        Captive captive = new Captive(Files.createDirectory(folder.resolve("way")), proxy.port())) {
      List<String> line =
          new ArrayList<>(List.of("--network", "testnet4", "--datadir", folder.toString()));
      line.addAll(List.of("sync", "--timeout", "60", "--proxy"));
      if (REFUSED.isEmpty()) {
        line.add("127.0.0.1:" + Captive.PORT);
        Captive.Outcome outcome = captive.murmur(line.toArray(String[]::new));
        outcome.ran().exits(ExitCode.NO_USABLE_PEER);
        assertThat(outcome.strayed()).as("tried beside the proxy").isZero();
        assertThat(outcome.calls()).isEqualTo(proxy.visits().size());
      } else {
        line.add(proxy.address());
        Ran.with().murmur(line.toArray(String[]::new)).exits(ExitCode.NO_USABLE_PEER);
      }
      List<String> builtIn =
          Discovery.USUAL.at(ChainParams.TESTNET4, true).entries().stream()
              .map(NodeAddress::host)
              .toList();
      assertThat(proxy.visits())
          .isNotEmpty()
          .allMatch(
              visit ->
                  ChainParams.TESTNET4.dnsSeeds().stream().anyMatch(visit.host()::endsWith)
                      || builtIn.contains(visit.host()));
    }
  }

  /** Evidence must be able to fail: without the proxy there are attempts to see. */
  @Test
  void theEvidenceShowsConnectionsWithoutTheProxy() throws IOException {
    if (!REFUSED.isEmpty()) {
      return; // printed on stderr
    }
    restore("captive");
    try (Captive captive = new Captive(Files.createDirectory(folder.resolve("way")), 1)) {
      for (String peer : new String[] {"node.invalid", "192.0.2.1", "[2001:db8::1]"}) {
        Captive.Outcome outcome = captive.murmur(captive("captive", "sync", "--connect", peer));
        outcome.ran().exits(ExitCode.NO_USABLE_PEER);
        assertThat(outcome.strayed() + outcome.calls()).as(peer).isPositive();
      }
    }
  }

  /** A real server's refusals, each of which must be understood. */
  @Test
  void refusalsOfARealServer() throws IOException {
    restore("captive");
    try (MicroSocks proxy = MicroSocks.start();
        MicroSocks strict = MicroSocks.start("-u", "somebody", "-P", "secret")) {
      assertThat(refusal(proxy, "127.0.0.1:1")).contains("connection refused, says the proxy");
      assertThat(refusal(proxy, "node.invalid")).contains("node.invalid:18444: ", "the proxy");
      assertThat(refusal(strict, "127.0.0.1:1"))
          .contains("the proxy " + strict.address() + " ")
          .contains("user name");
    }
  }

  private String refusal(MicroSocks proxy, String peer) {
    return murmur("-w", "captive", "sync", "--proxy", proxy.address(), "--connect", peer, "--json")
        .exits(ExitCode.NO_USABLE_PEER)
        .json()
        .get("error")
        .get("message")
        .asText();
  }

  /** A confirmed payment of 1.5 and an unconfirmed one of 0.25. */
  private JsonRpc pay(Bitcoind node) {
    node.rpc().call("createwallet", "payer");
    JsonRpc payer = node.rpc().wallet("payer");
    payer.call("generatetoaddress", 101, payer.call("getnewaddress").asText());
    String address = murmur("-w", "captive", "address").exits(ExitCode.DONE).out().strip();
    payer.call("sendtoaddress", address, "1.5");
    node.mine(1);
    payer.call("sendtoaddress", address, "0.25");
    return payer;
  }
}
