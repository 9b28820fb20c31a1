package org.murmur.testbed.bitcoind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("real-node")
class BitcoindTest {

  @Test
  void startsMinesAndLeavesNothingBehind() throws Exception {
    Bitcoind node = Bitcoind.start();
    ProcessHandle process = ProcessHandle.of(node.pid()).orElseThrow();
    try {
      List<String> hashes = node.mine(3);
      assertThat(node.rpc().call("getblockcount").asInt()).isEqualTo(3);
      assertThat(node.rpc().call("getbestblockhash").asText()).isEqualTo(hashes.get(2));
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.p2pPort())) {
        assertThat(socket.isConnected()).isTrue();
      }
    } finally {
      node.close();
    }
    process.onExit().get(10, TimeUnit.SECONDS);
    assertThat(process.isAlive()).isFalse();
    assertThat(node.dataDir()).doesNotExist();
  }

  @Test
  void servesBloomFiltersByDefault() {
    try (Bitcoind with = Bitcoind.start();
        Bitcoind without = Bitcoind.setup().withoutBloom().start();
        Bitcoind stranger = Bitcoind.setup().withoutPermissions().start()) {
      assertThat(services(with)).contains("BLOOM");
      assertThat(services(without)).doesNotContain("BLOOM");
      assertThat(services(stranger)).contains("BLOOM");
    }
  }

  private static List<String> services(Bitcoind node) {
    JsonNode names = node.rpc().call("getnetworkinfo").path("localservicesnames");
    return List.of(new ObjectMapper().convertValue(names, String[].class));
  }

  @Test
  void keepsItsChainAndPortsOverRestartAndKill(@TempDir Path folder) {
    try (Bitcoind node = Bitcoind.setup().dataDir(folder.resolve("node")).start()) {
      final int port = node.p2pPort();
      node.mine(5);
      node.restart();
      assertThat(node.rpc().call("getblockcount").asInt()).isEqualTo(5);
      node.kill();
      assertThatThrownBy(() -> node.rpc().call("getblockcount"))
          .isInstanceOf(UncheckedIOException.class);
      node.restart();
      assertThat(node.rpc().call("getblockcount").asInt()).isLessThanOrEqualTo(5);
      assertThat(node.p2pPort()).isEqualTo(port);
    }
    assertThat(Files.isDirectory(folder.resolve("node/regtest/blocks"))).isTrue();
  }

  @Test
  void reportsTheNodesMessageWhenItDoesNotStart() {
    assertThatThrownBy(() -> Bitcoind.setup().arguments("-nosuchargument=1").start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("nosuchargument");
  }

  @Test
  void callsAnswerInOrderAndErrorsNameTheCall() {
    try (Bitcoind node = Bitcoind.start()) {
      node.mine(3);
      List<JsonNode> answers =
          node.rpc()
              .batch(
                  List.of(
                      JsonRpc.Call.of("getblockhash", 2),
                      JsonRpc.Call.of("getblockcount"),
                      JsonRpc.Call.of("getblockhash", 3)));
      assertThat(answers.get(1).asInt()).isEqualTo(3);
      assertThat(answers.get(0).asText()).isEqualTo(node.rpc().call("getblockhash", 2).asText());
      assertThat(answers.get(2).asText()).isEqualTo(node.rpc().call("getbestblockhash").asText());

      assertThatThrownBy(() -> node.rpc().call("getblockhash", 99))
          .isInstanceOfSatisfying(RpcException.class, e -> assertThat(e.code()).isEqualTo(-8))
          .hasMessageContaining("getblockhash");
      assertThatThrownBy(
              () ->
                  node.rpc()
                      .batch(
                          List.of(JsonRpc.Call.of("getblockcount"), JsonRpc.Call.of("nosuchcall"))))
          .isInstanceOf(RpcException.class)
          .hasMessageContaining("nosuchcall");
    }
  }

  @Test
  void amountsAreExact() {
    try (Bitcoind node = Bitcoind.start()) {
      node.rpc().call("createwallet", "rich");
      JsonRpc wallet = node.rpc().wallet("rich");
      String address = wallet.call("getnewaddress").asText();
      node.rpc().call("generatetoaddress", 101, address);
      // 0.1 + 0.2 style trouble would show in the 15th digit of a double.
      wallet.call("sendtoaddress", address, new BigDecimal("20.99999999"));
      long total = JsonRpc.satoshi(wallet.call("getbalances").path("mine").path("trusted"));
      long fee = JsonRpc.satoshi(wallet.call("listtransactions", "*", 1).path(0).path("fee"));
      assertThat(total).isEqualTo(50_0000_0000L + fee);
      assertThat(JsonRpc.btc(2_099_999_999L)).isEqualByComparingTo("20.99999999");
    }
  }

  @Test
  void diesWithAVirtualMachineThatIsKilled() throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process child =
        new ProcessBuilder(
                java.toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Abandoned.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader said = child.inputReader()) {
      List<String> words = List.of(said.readLine().split(" ", -1));
      try (Socket peer =
          new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(words.get(0)))) {
        // The node itself ends a silent connection, but only after 60 seconds.
        peer.setSoTimeout(30_000);
        child.destroyForcibly();
        assertThat(ended(peer)).isTrue();
      }
      Folders.delete(Path.of(words.get(1)));
    } finally {
      child.destroyForcibly();
    }
  }

  /** The node's end of a connection ends with the node. */
  private static boolean ended(Socket peer) throws IOException {
    try {
      return peer.getInputStream().read() == -1;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException e) {
      return true; // reset: ended without a shutdown
    }
  }

  /** A program that starts a node and then waits to be killed. */
  static final class Abandoned {

    private Abandoned() {}

    public static void main(String[] arguments) throws Exception {
      try (Bitcoind node = Bitcoind.start()) {
        System.out.println(node.p2pPort() + " " + node.dataDir());
        Thread.currentThread().join(); // for ever
      }
    }
  }
}
