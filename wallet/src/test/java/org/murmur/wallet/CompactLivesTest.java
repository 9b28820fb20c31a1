package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.p2p.sync.Preset;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.ExpectedWallet;
import org.murmur.testbed.bitcoind.WalletLife;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/**
 * Random lives of a wallet on a real node that serves block filters (BIP-0157): restored from its
 * words, a session that uses them must report what the node's own wallet has in blocks. The
 * parameter is the seed.
 */
@Tag("real-node")
class CompactLivesTest {

  @TempDir Path folder = Path.of("");

  private Path file() {
    return folder.resolve("wallet.sqlite");
  }

  private static Bitcoind node() {
    return Bitcoind.setup().arguments("-blockfilterindex=1", "-peerblockfilters=1").start();
  }

  private SyncReport sync(Bitcoind node) throws Exception {
    return sync(node, Preset.Kind.COMPACT, 0);
  }

  private SyncReport sync(Bitcoind node, Preset.Kind preset, int filterPeers) throws Exception {
    SyncOptions options =
        Oracle.connect(node)
            .preset(preset)
            .ifFast(usual -> usual.filterPeers(filterPeers))
            .ifPrivate(usual -> usual.onePeer(true).filterPeers(filterPeers));
    try (SpvWallet wallet = SpvWallet.open(file())) {
      return wallet.sync(options, SyncListener.NONE);
    }
  }

  static long[] manySeeds() {
    return new Random(158).longs(30, 100, 1_000_000).toArray();
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("manySeeds")
  void reportsTheSameAfterManyLives(long seed) throws Exception {
    reportsTheSameAsTheNodesOwnWallet(seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void reportsTheSameAsTheNodesOwnWallet(long seed) throws Exception {
    System.out.println("random life with seed " + seed);
    try (Bitcoind node = node()) {
      WalletLife life = WalletLife.begin(node, WalletLife.Options.of(seed));
      life.live(120);
      WalletRecipe recipe = Oracle.recipe(life.words());
      SpvWallet.create(file(), seed % 2 == 0 ? recipe.withGap(20).withLookAhead(20) : recipe)
          .close();
      ExpectedWallet expected = life.settle();
      Oracle.assertSameConfirmed("seed " + seed, file(), sync(node), expected);
      life.live(40);
      expected = life.settle();
      Oracle.assertSameConfirmed("seed " + seed + ", later", file(), sync(node), expected);
      assertThat(sync(node).blocksScanned()).isZero();
    }
  }

  static long[] manyChanges() {
    return new Random(37).longs(30, 100, 1_000_000).toArray();
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("manyChanges")
  void reportsTheSameUnderManyChanges(long seed) throws Exception {
    reportsTheSameUnderChangingPresets(seed);
  }

  /**
   * Rows of one preset count under the others, new scripts uncover the blocks of all, and block
   * filters check some of them.
   */
  @ParameterizedTest
  @ValueSource(longs = {4, 5})
  void reportsTheSameUnderChangingPresets(long seed) throws Exception {
    System.out.println("random life with seed " + seed);
    Random dice = new Random(seed);
    List<Preset.Kind> presets = List.of(Preset.Kind.values());
    try (Bitcoind node = node()) {
      WalletLife life = WalletLife.begin(node, WalletLife.Options.of(seed));
      SpvWallet.create(file(), Oracle.recipe(life.words()).withGap(20).withLookAhead(20)).close();
      for (int i = 0; i < 6; i++) {
        life.live(40);
        ExpectedWallet expected = life.settle();
        Preset.Kind preset = presets.get(dice.nextInt(presets.size()));
        int filterPeers = dice.nextInt(2);
        SyncReport report = sync(node, preset, filterPeers);
        String step = "seed " + seed + ", sync " + i + ", " + preset + ", " + filterPeers;
        Oracle.assertSameConfirmed(step, file(), report, expected);
      }
    }
  }
}
