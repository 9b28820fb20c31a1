package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.coins.keys.OutputType;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.WalletPlan;
import org.murmur.wallet.privacy.NextFilter;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.sync.SyncForecast;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/** A wallet with more coins and scripts than the largest filter holds. */
@Timeout(120)
final class ManyPaymentsTest {

  @TempDir Path folder = Path.of("");

  /** Nothing happens in 200 blocks. Then payments are so frequent that they fill filters. */
  @Test
  void severalFiltersFindThemAndNothingElse() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH).withLookAhead(2_000);
    WalletPlan saving = Lives.lively(recipe, 9_000).with(WalletPlan.Habits.SAVING);
    BuiltChain built =
        ChainBuilder.ofSeed(31)
            .blocks(800)
            .transactionsPerBlock(40)
            .wallet(saving.startingAfter(0.25))
            .build();
    try (RegtestNode node = RegtestNode.start(built.chain());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      SyncReport report =
          wallet.sync(
              SyncOptions.connect(node.address())
                  .limits(limits -> limits.mempoolWait(Duration.ZERO)),
              SyncListener.NONE);
      assertThat(report.complete()).isTrue();
      // The blocks hold more than 30,000 transactions.
      assertThat(report.falsePositives()).isLessThan(100);
      assertThat(report.blocksScanned()).isGreaterThan(800);
      Lives.assertTruth(wallet, node, recipe);
      assertForecast(wallet, SyncOptions.connect(node.address()));
    }
  }

  /**
   * A second peer is asked for everything from the start: two passes at least, and no filter is too
   * full.
   */
  private static void assertForecast(SpvWallet wallet, SyncOptions options) throws Exception {
    SyncForecast nothing = wallet.privacy().forecast(options, Universe.chosen(1e9));
    assertThat(nothing.blocks()).isZero();
    assertThat(nothing.passes()).isEqualTo(1);
    SyncForecast all =
        wallet.privacy().forecast(options.ifFast(fast -> fast.verify(2)), Universe.chosen(1e9));
    int filters = all.next().filters().size();
    assertThat(filters).isBetween(2, 3);
    assertThat(all.passes()).isEqualTo(2 * filters);
    assertThat(all.blocks()).isGreaterThan(800);
    assertThat(all.next().filters())
        .allSatisfy(each -> assertThat(each.scripts() + each.outPoints()).isBetween(1, 10_015));
    assertThat(all.next().filters().stream().mapToInt(NextFilter::outPoints).sum())
        .isGreaterThanOrEqualTo(9_000);
  }
}
