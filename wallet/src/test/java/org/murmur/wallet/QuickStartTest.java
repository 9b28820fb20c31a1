package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.coins.keys.OutputType;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/** A sync that finds nothing new starts quickly, because it does not load what it does not need. */
@Timeout(120)
final class QuickStartTest {

  @TempDir Path folder = Path.of("");

  /** The program of the other process. */
  static final class Sync {

    private Sync() {}

    public static void main(String[] args) throws Exception {
      long began = System.nanoTime();
      try (SpvWallet wallet = SpvWallet.open(Path.of(args[0]))) {
        SyncReport report =
            wallet.sync(
                SyncOptions.connect(args[1]).limits(limits -> limits.mempoolWait(Duration.ZERO)),
                SyncListener.NONE);
        System.out.println(
            "complete=" + report.complete() + " transactions=" + report.transactions());
      }
      System.out.println("took " + (System.nanoTime() - began) / 1_000_000 + " ms");
    }
  }

  @Test
  void loadsNoKeysAndNoCurvesWhenNothingIsNew() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    BuiltChain built =
        ChainBuilder.ofSeed(5)
            .blocks(300)
            .transactionsPerBlock(3)
            .wallet(Lives.lively(recipe, 80))
            .build();
    Path file = folder.resolve("w");
    try (RegtestNode node = RegtestNode.start(built.chain())) {
      try (SpvWallet wallet = SpvWallet.create(file, recipe)) {
        assertThat(wallet.sync(SyncOptions.connect(node.address()), SyncListener.NONE).complete())
            .isTrue();
      }
      Path output = folder.resolve("classes");
      Process process =
          new ProcessBuilder(
                  List.of(
                      Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                      "-verbose:class",
                      "-cp",
                      System.getProperty("java.class.path"),
                      Sync.class.getName(),
                      file.toString(),
                      node.address()))
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(output)
          .content()
          .contains("complete=true transactions=" + built.truth().transactions().size());
      assertThat(output)
          .content()
          .doesNotContain("] org.bitcoinj.")
          .doesNotContain("] org.bouncycastle.")
          .doesNotContain("] org.murmur.coins.internal.crypto.Secp256k1")
          .contains("] org.murmur.wallet.SpvWallet");
    }
  }
}
