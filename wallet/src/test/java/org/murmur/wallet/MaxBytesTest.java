package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.sync.Limits;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletWarning;

/** The wallet receives no more than the limit, and open requests count. */
@Timeout(120)
final class MaxBytesTest {

  private static final WalletRecipe RECIPE = Lives.recipe(OutputType.P2WPKH);
  private static final BuiltChain BUILT =
      ChainBuilder.ofSeed(21)
          .blocks(1_500)
          .transactionsPerBlock(5)
          .wallet(Lives.lively(RECIPE, 200))
          .build();

  @TempDir Path folder = Path.of("");

  @ParameterizedTest
  @ValueSource(longs = {1_000, 10_000, 130_000, 200_000})
  void neverMoreComesThanTheLimit(long limit) throws Exception {
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy());
        Meter meter = new Meter(node.address());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      SyncOptions options =
          SyncOptions.connect(meter.address())
              .limits(limits -> limits.mempoolWait(Duration.ZERO).bytes(limit));
      SyncReport report = wallet.sync(options, SyncListener.NONE);
      assertThat(report.bytesReceived()).isLessThanOrEqualTo(limit);
      assertThat(report.ending()).isEqualTo(SyncReport.Ending.MAX_BYTES);
      assertThat(report.complete()).isFalse();
      // 1,500 headers have 121,503 bytes.
      assertThat(report.warnings())
          .contains(
              limit < 121_503
                  ? new WalletWarning.LimitTooSmall(limit)
                  : new WalletWarning.BytesOver(limit, false));
      // All bytes on the wire, read or not.
      assertThat(meter.carried()).isLessThanOrEqualTo(limit + Meter.UNREAD);
      SyncReport rest =
          wallet.sync(options.limits(limits -> limits.bytes(Limits.UNLIMITED)), SyncListener.NONE);
      assertThat(rest.complete()).isTrue();
      Lives.assertTruth(wallet, node, RECIPE);
    }
  }
}
