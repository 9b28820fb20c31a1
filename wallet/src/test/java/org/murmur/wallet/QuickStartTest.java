package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.sync.Encryption;
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
                SyncOptions.connect(args[1])
                    .peers(peers -> peers.encryption(Encryption.valueOf(args[2])))
                    .limits(limits -> limits.mempoolWait(Duration.ZERO)),
                SyncListener.NONE);
        System.out.println(
            "complete=" + report.complete() + " transactions=" + report.transactions());
      }
      System.out.println("took " + (System.nanoTime() - began) / 1_000_000 + " ms");
    }
  }

  /** A key of a connection is of the curve, too. */
  @ParameterizedTest
  @EnumSource
  void loadsNoKeysAndNoCurvesWhenNothingIsNew(Encryption encryption) throws Exception {
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
                      node.address(),
                      encryption.name()))
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
          .doesNotContain("] org.murmur.coins.internal.crypto.Secp256k1")
          .contains("] org.murmur.wallet.SpvWallet");
      assertThat(Files.readString(output).contains("] org.bouncycastle."))
          .isEqualTo(encryption != Encryption.OFF);
    }
  }
}
