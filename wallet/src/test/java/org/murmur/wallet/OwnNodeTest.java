package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.net.Proxy;
import org.murmur.p2p.sync.Encryption;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.regtest.RegtestNode;
import org.murmur.testbed.proxy.SocksProxy;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;

/** The messages about your own node when it is of no use. */
@Timeout(120)
final class OwnNodeTest {

  @TempDir Path folder = Path.of("");

  private SpvWallet wallet(ChainParams network) {
    return SpvWallet.create(
        folder.resolve(network.name()),
        WalletRecipe.ofMnemonic(network, Lives.WORDS, "", List.of(OutputType.P2WPKH), 0));
  }

  /** It disconnects at a version message of another network; then we find out which it speaks. */
  /** In the clear it hangs up, and is asked for its network; a key of another network shows it. */
  @ParameterizedTest
  @EnumSource
  void aNodeOfAnotherNetworkIsNamed(Encryption encryption) throws Exception {
    try (RegtestNode node = RegtestNode.start();
        SpvWallet wallet = wallet(ChainParams.SIGNET)) {
      NoUsablePeerException failure =
          catchThrowableOfType(
              NoUsablePeerException.class,
              () ->
                  wallet.sync(
                      SyncOptions.connect(node.address())
                          .peers(peers -> peers.encryption(encryption)),
                      SyncListener.NONE));
      assertThat(failure.kind()).isEqualTo(Obstacle.Kind.WRONG_NETWORK);
      assertThat(failure).hasMessageContaining(" speaks regtest");
    }
  }

  @Test
  void aPeerThatDisconnectsAllIsNotNamed() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        SpvWallet wallet = wallet(ChainParams.SIGNET)) {
      Thread rude = new Thread(() -> hangUp(server));
      rude.setDaemon(true);
      rude.start();
      String address = "127.0.0.1:" + server.getLocalPort();
      NoUsablePeerException failure =
          catchThrowableOfType(
              NoUsablePeerException.class,
              () -> wallet.sync(SyncOptions.connect(address), SyncListener.NONE));
      assertThat(failure.kind()).isEqualTo(Obstacle.Kind.WRONG_NETWORK);
      assertThat(failure.getMessage()).startsWith(address).doesNotContain("speaks");
    }
  }

  private static void hangUp(ServerSocket server) {
    while (!server.isClosed()) {
      try (Socket caller = server.accept();
          InputStream in = caller.getInputStream()) {
        in.readNBytes(1);
      } catch (IOException e) {
        // Closed, which ends the loop, or a caller that was gone already.
      }
    }
  }

  /** The probes take the same way as the sync. */
  @Test
  void withAProxyThereAreNoOtherConnections() throws Exception {
    try (RegtestNode node = RegtestNode.start();
        SocksProxy proxy = SocksProxy.start(Map.of("node.example", node.port()));
        SpvWallet wallet = wallet(ChainParams.SIGNET)) {
      SyncOptions options =
          SyncOptions.connect("node.example")
              .peers(peers -> peers.encryption(Encryption.OFF))
              .proxy(new Proxy("127.0.0.1", proxy.port()));
      NoUsablePeerException failure =
          catchThrowableOfType(
              NoUsablePeerException.class, () -> wallet.sync(options, SyncListener.NONE));
      assertThat(failure)
          .hasMessageContaining("before its version message")
          .hasMessageEndingWith("; node.example:38333 speaks regtest");
      assertThat(proxy.visits()).allMatch(visit -> visit.host().equals("node.example"));
    }
  }
}
