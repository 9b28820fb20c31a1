package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.WalletPlan;
import org.murmur.wallet.keys.ScriptType;
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
    WalletRecipe recipe = Lives.recipe(ScriptType.P2WPKH);
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
              SyncOptions.connect(node.address()).mempoolWait(Duration.ZERO), SyncListener.NONE);
      assertThat(report.complete()).isTrue();
      // The blocks hold more than 30,000 transactions.
      assertThat(report.falsePositives()).isLessThan(100);
      assertThat(report.blocksScanned()).isGreaterThan(800);
      Lives.assertTruth(wallet, node, recipe);
    }
  }
}
