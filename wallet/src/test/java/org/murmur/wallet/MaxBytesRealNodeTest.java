package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.keys.OutputType;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/** A limit of bytes against a real node: it holds, and one sync continues where another ended. */
@Tag("real-node")
@Timeout(300)
final class MaxBytesRealNodeTest {

  private static final long LIMIT = 200_000;

  /** This many more than one limit can pay for: headers alone are a quarter of a million bytes. */
  private static final int BLOCKS = 3_000;

  private static final int PAYMENTS = 12;

  @TempDir Path folder = Path.of("");

  @Test
  void severalSyncsOfLittleComeToTheRightBalance() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    List<Bytes> scripts = Lives.scripts(recipe, 0, PAYMENTS);
    try (Bitcoind node = Bitcoind.start();
        Meter meter = new Meter("127.0.0.1:" + node.p2pPort());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      for (Bytes script : scripts) {
        node.rpc().call("generatetodescriptor", 1, "raw(" + script + ")");
        node.mine(BLOCKS / PAYMENTS - 1);
      }
      SyncOptions options =
          SyncOptions.connect(meter.address())
              .limits(limits -> limits.mempoolWait(Duration.ZERO).bytes(LIMIT));
      int syncs = 0;
      boolean complete = false;
      while (!complete) {
        assertThat(++syncs).isLessThan(20);
        long before = meter.carried();
        SyncReport report = wallet.sync(options, SyncListener.NONE);
        assertThat(report.bytesReceived()).isLessThanOrEqualTo(LIMIT);
        assertThat(meter.carried() - before).isLessThanOrEqualTo(LIMIT + Meter.UNREAD);
        complete = report.complete();
        assertThat(report.ending())
            .isEqualTo(complete ? SyncReport.Ending.DONE : SyncReport.Ending.MAX_BYTES);
      }
      assertThat(syncs).isGreaterThan(2);
      assertThat(wallet.balance().total()).isEqualTo(unspent(node, scripts)).isPositive();
    }
  }

  /** What the node's own coins database has for these scripts, in satoshi. */
  private static long unspent(Bitcoind node, List<Bytes> scripts) throws Exception {
    List<String> descriptors = scripts.stream().map(script -> "raw(" + script + ")").toList();
    return node.rpc()
        .call("scantxoutset", "start", descriptors)
        .get("total_amount")
        .decimalValue()
        .movePointRight(8)
        .setScale(0)
        .longValueExact();
  }
}
