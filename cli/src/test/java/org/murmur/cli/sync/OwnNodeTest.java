package org.murmur.cli.sync;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.cli.Ran;
import org.murmur.cli.demo.DemoWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.testbed.bitcoind.Bitcoind;

/** A real node of the user that is useless by its settings, and the messages about it. */
@Tag("real-node")
@Timeout(300)
class OwnNodeTest {

  @TempDir
  @SuppressWarnings("NullAway") // JUnit sets it
  Path datadir;

  private Ran murmur(String network, String... args) {
    return Ran.with().datadir(datadir).environment("MURMUR_NETWORK", network).murmur(args);
  }

  private void restore(String network, String... more) throws IOException {
    Path words = datadir.resolve("words.txt");
    Files.writeString(words, DemoWallet.WORDS);
    String[] args = new String[3 + more.length];
    args[0] = "restore";
    args[1] = "--mnemonic-file";
    args[2] = words.toString();
    System.arraycopy(more, 0, args, 3, more.length);
    murmur(network, args).exits(ExitCode.DONE);
  }

  private Ran sync(String network, Bitcoind node) {
    return murmur(network, "sync", "--mempool-wait", "0", "--connect", address(node), "--json");
  }

  private static String address(Bitcoind node) {
    return "127.0.0.1:" + node.p2pPort();
  }

  private static String error(Ran ran) {
    return ran.exits(ExitCode.NO_USABLE_PEER).json().get("error").get("message").asText();
  }

  /** The settings that the message warns of do not help, and its advice does. */
  @Test
  void withoutTheBit() throws IOException {
    restore("regtest");
    try (Bitcoind plain = Bitcoind.setup().withoutBloom().withoutPermissions().start()) {
      assertThat(error(sync("regtest", plain)))
          .contains(
              "NODE_BLOOM",
              "peerbloomfilters=1",
              "whitebind=noban,bloomfilter@",
              "whitelist has no effect");
    }
    try (Bitcoind listed =
        Bitcoind.setup()
            .withoutBloom()
            .withoutPermissions()
            .withOnePort()
            .arguments("-whitelist=bloomfilter@127.0.0.1")
            .start()) {
      assertThat(error(sync("regtest", listed))).contains("NODE_BLOOM");
    }
    try (Bitcoind configured = Bitcoind.setup().withoutPermissions().start()) {
      sync("regtest", configured).exits(ExitCode.DONE);
    }
    try (Bitcoind permitted =
        Bitcoind.setup().permissions("bloomfilter").arguments("-peerbloomfilters=0").start()) {
      sync("regtest", permitted).exits(ExitCode.DONE);
    }
  }

  /** The easiest target is always reached: a block for each ten minutes of the day is held back. */
  @Test
  void itsUploadTargetIsReached() throws IOException {
    restore("regtest");
    try (Bitcoind node =
        Bitcoind.setup().withoutPermissions().arguments("-maxuploadtarget=1").start()) {
      node.mine(20);
      assertThat(error(sync("regtest", node)))
          .contains("asked for blocks", "maxuploadtarget", "whitebind=download@");
    }
    try (Bitcoind node =
        Bitcoind.setup().permissions("download").arguments("-maxuploadtarget=1").start()) {
      node.mine(40); // more than on the other one's chain, which the wallet knows
      sync("regtest", node).exits(ExitCode.DONE);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "noban"})
  void aPrunedNode(String permissions) throws IOException {
    restore("regtest");
    restore("regtest", "-w", "young", "--birthday", "900");
    Bitcoind.Setup setup =
        permissions.isEmpty()
            ? Bitcoind.setup().withoutPermissions()
            : Bitcoind.setup().permissions(permissions);
    try (Bitcoind node = setup.arguments("-prune=1", "-fastprune").start()) {
      node.mine(1100);
      int pruned = node.rpc().call("pruneblockchain", 800).asInt();
      assertThat(pruned).isPositive();
      assertThat(error(sync("regtest", node))).contains("pruned node", "prune=0");
      // It still has the last two days.
      JsonNode young =
          murmur(
                  "regtest",
                  "-w",
                  "young",
                  "sync",
                  "--mempool-wait",
                  "0",
                  "--connect",
                  address(node),
                  "--json")
              .exits(ExitCode.DONE)
              .json();
      assertThat(young.get("complete").asBoolean()).isTrue();
      assertThat(young.get("height").asInt()).isEqualTo(1100);
    }
  }

  /** It announces that it keeps the last 288 blocks only, and has not pruned any yet. */
  @Test
  void aPrunedNodeThatServesAllToTrustedPeers() throws IOException {
    restore("regtest");
    try (Bitcoind node =
        Bitcoind.setup().arguments("-prune=1", "-fastprune").withoutPermissions().start()) {
      node.mine(400);
      assertThat(error(sync("regtest", node))).contains("pruned node", "prune=0", "noban");
    }
    try (Bitcoind node = Bitcoind.setup().arguments("-prune=1", "-fastprune").start()) {
      node.mine(450); // more than on the other one's chain, which the wallet knows
      assertThat(sync("regtest", node).exits(ExitCode.DONE).json().get("complete").asBoolean())
          .isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"regtest", "signet"})
  void aNodeOfAnotherNetwork(String spoken) throws IOException {
    restore("testnet4");
    try (Bitcoind node = Bitcoind.setup().network(spoken).start()) {
      assertThat(error(sync("testnet4", node)))
          .contains(
              address(node) + ":", "speaks " + spoken, "does not speak testnet4", "--network");
    }
  }

  /** It knows the genesis block only, and never looks for others. */
  @ParameterizedTest
  @ValueSource(strings = {"testnet4", "signet"})
  void aNodeThatIsNotSynced(String network) throws IOException {
    restore(network);
    for (boolean permitted : new boolean[] {true, false}) {
      Bitcoind.Setup setup = Bitcoind.setup().network(network);
      try (Bitcoind node = (permitted ? setup : setup.withoutPermissions()).start()) {
        assertThat(error(sync(network, node)))
            .contains("ends at height 0", "still syncing", "getblockchaininfo");
      }
    }
  }
}
