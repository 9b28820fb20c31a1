package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.keys.ScriptType;

/** No more comes than the limit, and what was asked for counts. */
@Timeout(120)
final class MaxBytesTest {

  private static final WalletRecipe RECIPE = Lives.recipe(ScriptType.P2WPKH);
  private static final BuiltChain BUILT =
      ChainBuilder.ofSeed(21)
          .blocks(1_500)
          .transactionsPerBlock(5)
          .wallet(Lives.lively(RECIPE, 200))
          .build();

  /** A handshake, what a node says unasked, and what was asked for at the edge. */
  private static final long ONE_MESSAGE = 2_000;

  @TempDir Path folder = Path.of("");

  @ParameterizedTest
  @ValueSource(longs = {1_000, 10_000, 130_000, 200_000})
  void neverMoreComesThanTheLimit(long limit) throws Exception {
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy());
        Meter meter = new Meter(node.address());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      SyncOptions options =
          SyncOptions.connect(meter.address()).mempoolWait(Duration.ZERO).maxBytes(limit);
      SyncReport report = wallet.sync(options, SyncListener.NONE);
      assertThat(report.bytesReceived()).isLessThanOrEqualTo(limit);
      assertThat(report.ending()).isEqualTo(SyncReport.Ending.MAX_BYTES);
      assertThat(report.complete()).isFalse();
      assertThat(report.warnings()).anyMatch(text -> text.contains("limit of " + limit + " bytes"));
      // What the line carried, read or not.
      assertThat(meter.carried()).isLessThanOrEqualTo(limit + ONE_MESSAGE);
      SyncReport rest = wallet.sync(options.maxBytes(0), SyncListener.NONE);
      assertThat(rest.complete()).isTrue();
      Lives.assertTruth(wallet, node, RECIPE);
    }
  }

  /** Stands between wallet and node and counts what the node sends, whether it is read or not. */
  private static final class Meter implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    private final AtomicLong carried = new AtomicLong();
    private final String node;

    Meter(String node) throws IOException {
      this.node = node;
      start(
          () -> {
            while (true) {
              Socket client = server.accept();
              int colon = this.node.lastIndexOf(':');
              Socket peer =
                  new Socket(
                      this.node.substring(0, colon),
                      Integer.parseInt(this.node.substring(colon + 1)));
              start(() -> pump(client, peer, new AtomicLong()));
              start(() -> pump(peer, client, carried));
            }
          });
    }

    private interface Work {
      void run() throws IOException;
    }

    private static void start(Work work) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  work.run();
                } catch (IOException e) {
                  // Closed by either side: the test is over, or the session is.
                }
              });
      thread.setDaemon(true);
      thread.start();
    }

    private static void pump(Socket from, Socket to, AtomicLong count) throws IOException {
      try (from;
          to) {
        byte[] buffer = new byte[4_096];
        for (int n = from.getInputStream().read(buffer);
            n >= 0;
            n = from.getInputStream().read(buffer)) {
          count.addAndGet(n);
          to.getOutputStream().write(buffer, 0, n);
        }
      }
    }

    String address() {
      return "127.0.0.1:" + server.getLocalPort();
    }

    long carried() {
      return carried.get();
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }
}
