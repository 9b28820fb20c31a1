package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.keys.ScriptType;

/** The whole way: words to balance, from an embedded node over TCP. */
@Timeout(120)
final class SpvWalletTest {

  @TempDir Path folder = Path.of("");

  private static SyncOptions to(RegtestNode node) {
    return SyncOptions.connect(node.address()).mempoolWait(Duration.ofSeconds(2));
  }

  private static BuiltChain chain(long seed, WalletRecipe recipe, int blocks, int transactions) {
    return ChainBuilder.ofSeed(seed)
        .blocks(blocks)
        .transactionsPerBlock(5)
        .wallet(Lives.lively(recipe, transactions))
        .build();
  }

  @ParameterizedTest
  @EnumSource(ScriptType.class)
  void findsALivelyWalletOfEveryScriptType(ScriptType type) throws Exception {
    WalletRecipe recipe = Lives.recipe(type);
    BuiltChain built = chain(type.ordinal(), recipe, 400, 120);
    try (RegtestNode node = RegtestNode.start(built.chain());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      SyncReport report = wallet.sync(to(node), SyncListener.NONE);
      assertThat(report.complete()).isTrue();
      assertThat(report.height()).isEqualTo(400);
      Lives.assertTruth(wallet, node, recipe);
      assertThat(report.balance()).isEqualTo(wallet.balance());
      assertThat(report.transactions()).isEqualTo(wallet.history().size());
    }
    try (SpvWallet again = SpvWallet.open(folder.resolve("w"))) {
      assertThat(again.balance()).isEqualTo(Lives.balance(built.truth()));
      assertThat(again.chain().complete()).isTrue();
    }
  }

  @Test
  void asksForNothingWhenNothingIsNew() throws Exception {
    WalletRecipe recipe = Lives.recipe(ScriptType.P2WPKH);
    BuiltChain built = chain(11, recipe, 300, 60);
    try (RegtestNode node = RegtestNode.start(built.chain());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      assertThat(wallet.sync(to(node), SyncListener.NONE).complete()).isTrue();
      SyncReport second = wallet.sync(to(node), SyncListener.NONE);
      assertThat(second.complete()).isTrue();
      assertThat(second.blocksScanned()).isZero();
      node.mine(1);
      SyncReport third = wallet.sync(to(node), SyncListener.NONE);
      assertThat(third.complete()).isTrue();
      assertThat(third.blocksScanned()).isEqualTo(1);
      Lives.assertTruth(wallet, node, recipe);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void growsASmallLookAheadInFlight(int seed) throws Exception {
    WalletRecipe recipe = Lives.recipe(ScriptType.P2WPKH).withLookAhead(20);
    BuiltChain built = chain(seed, recipe, 400, 200);
    try (RegtestNode node = RegtestNode.start(built.chain());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      assertThat(wallet.sync(to(node), SyncListener.NONE).complete()).isTrue();
      Lives.assertTruth(wallet, node, recipe);
    }
  }

  @Test
  void followsAReorganisationWhileAway() throws Exception {
    WalletRecipe recipe = Lives.recipe(ScriptType.P2WPKH);
    BuiltChain built = chain(21, recipe, 300, 150);
    try (RegtestNode node = RegtestNode.start(built.chain());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      wallet.sync(to(node), SyncListener.NONE);
      node.reorg(12, 13, RegtestNode.Orphaned.TO_MEMPOOL);
      List<WalletEvent> events = new ArrayList<>();
      assertThat(wallet.sync(to(node), events::add).complete()).isTrue();
      Lives.assertTruth(wallet, node, recipe);
      assertThat(events).contains(new WalletEvent.Reorganised(288, 300));
    }
  }

  @Test
  void goesOnWhereItWasCutOff() throws Exception {
    WalletRecipe recipe = Lives.recipe(ScriptType.P2TR);
    BuiltChain built = chain(31, recipe, 1500, 300);
    Path file = folder.resolve("w");
    SpvWallet.create(file, recipe).close();
    try (RegtestNode node = RegtestNode.start(built.chain())) {
      boolean complete = false;
      int sessions = 0;
      while (!complete && sessions < 60) {
        try (SpvWallet wallet = SpvWallet.open(file)) {
          complete = wallet.sync(to(node).maxBytes(60_000), SyncListener.NONE).complete();
          sessions++;
          if (complete) {
            Lives.assertTruth(wallet, node, recipe);
          }
        }
      }
      assertThat(complete).isTrue();
      assertThat(sessions).isGreaterThan(1);
    }
  }
}
