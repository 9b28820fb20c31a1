package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.sync.Preset;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/** The private preset over real connections to embedded nodes. */
@Timeout(120)
final class PrivatePresetTest {

  @TempDir Path folder = Path.of("");

  private static SyncOptions to(RegtestNode... nodes) {
    String[] addresses = List.of(nodes).stream().map(RegtestNode::address).toArray(String[]::new);
    return SyncOptions.connect(addresses)
        .limits(limits -> limits.mempoolWait(Duration.ofSeconds(2)).time(Duration.ofSeconds(60)))
        .preset(Preset.Kind.PRIVATE);
  }

  private static BuiltChain chain(long seed, WalletRecipe recipe, int blocks, int transactions) {
    return ChainBuilder.ofSeed(seed)
        .blocks(blocks)
        .transactionsPerBlock(5)
        .wallet(Lives.lively(recipe, transactions))
        .build();
  }

  @ParameterizedTest
  @EnumSource(OutputType.class)
  void findsALivelyWalletOfEveryScriptType(OutputType type) throws Exception {
    WalletRecipe recipe = Lives.recipe(type);
    BuiltChain built = chain(type.purpose(), recipe, 400, 120);
    try (RegtestNode a = RegtestNode.start(built.chain());
        RegtestNode b = RegtestNode.start(built.chain());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      SyncReport report = wallet.sync(to(a, b), SyncListener.NONE);
      assertThat(report.complete()).isTrue();
      assertThat(report.height()).isEqualTo(400);
      Lives.assertTruth(wallet, a, recipe);
      assertThat(wallet.sync(to(a, b), SyncListener.NONE).complete()).isTrue();
      Lives.assertTruth(wallet, a, recipe);
    }
  }
}
