package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.ExpectedWallet;
import org.murmur.testbed.bitcoind.WalletLife;
import org.murmur.wallet.sync.SyncReport;

/**
 * Random lives of a wallet on a real node; restored from its words, Murmur must report exactly what
 * the node's own wallet does. The parameter is the seed.
 */
@Tag("real-node")
class RandomLivesTest {

  @TempDir Path folder = Path.of("");

  private Path file() {
    return folder.resolve("wallet.sqlite");
  }

  private static WalletLife begin(Bitcoind node, long seed) {
    System.out.println("random life with seed " + seed);
    return WalletLife.begin(node, WalletLife.Options.of(seed));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void reportsTheSameAsTheNodesOwnWallet(long seed) throws Exception {
    restoreAfter(seed, 150);
  }

  static long[] manySeeds() {
    return new Random(20).longs(20, 100, 1_000_000).toArray();
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("manySeeds")
  void reportsTheSameAfterLongLives(long seed) throws Exception {
    restoreAfter(seed, 300);
  }

  private void restoreAfter(long seed, int blocks) throws Exception {
    try (Bitcoind node = Bitcoind.start()) {
      WalletLife life = begin(node, seed);
      life.live(blocks);
      ExpectedWallet expected = life.settle();
      SyncReport report = Oracle.restoreAndSync(file(), Oracle.recipe(life.words()), node);
      Oracle.assertSame("seed " + seed + " " + life.happened(), file(), report, expected);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12})
  void growsALookAheadThatIsFarTooSmall(long seed) throws Exception {
    try (Bitcoind node = Bitcoind.start()) {
      WalletLife life = begin(node, seed);
      life.live(100);
      ExpectedWallet expected = life.settle();
      WalletRecipe recipe = Oracle.recipe(life.words()).withGap(20).withLookAhead(20);
      SyncReport report = Oracle.restoreAndSync(file(), recipe, node);
      Oracle.assertSame("seed " + seed, file(), report, expected);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22})
  void survivesReorganisationsWhileAway(long seed) throws Exception {
    try (Bitcoind node = Bitcoind.start()) {
      WalletLife life = begin(node, seed);
      life.live(60);
      ExpectedWallet before = life.settle();
      SyncReport report = Oracle.restoreAndSync(file(), Oracle.recipe(life.words()), node);
      Oracle.assertSame("seed " + seed + " before", file(), report, before);
      for (int round = 1; round <= 4; round++) {
        life.reorg(1 + (round * 7) % 11);
        life.live(5);
        ExpectedWallet expected = life.settle();
        Oracle.assertSame(
            "seed " + seed + " round " + round, file(), Oracle.sync(file(), node), expected);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {31})
  void looksTheSameFromAnyBeginning(long seed) throws Exception {
    try (Bitcoind node = Bitcoind.start()) {
      WalletLife life = begin(node, seed);
      Path early = folder.resolve("early.sqlite");
      Oracle.restoreAndSync(early, Oracle.recipe(life.words()), node);
      for (int round = 1; round <= 5; round++) {
        life.live(12);
        ExpectedWallet expected = life.settle();
        Oracle.assertSame("early, round " + round, early, Oracle.sync(early, node), expected);
      }
      SyncReport late = Oracle.restoreAndSync(file(), Oracle.recipe(life.words()), node);
      Oracle.assertSame("late", file(), late, life.expected());
      assertThat(late.falsePositives()).isLessThan(5);
    }
  }
}
