package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.PresetChoice;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.WalletWarning;

/** The preset belongs to the wallet: only an explicit option changes it from private to fast. */
@Timeout(120)
final class RememberedPresetTest {

  private static final Universe MANY = Universe.chosen(1e9);
  private static final WalletRecipe RECIPE = Lives.recipe(OutputType.P2WPKH);
  private static final BuiltChain BUILT =
      ChainBuilder.ofSeed(84).blocks(120).transactionsPerBlock(3).build();

  @TempDir Path folder = Path.of("");

  private static SyncOptions to(RegtestNode... nodes) {
    String[] addresses = List.of(nodes).stream().map(RegtestNode::address).toArray(String[]::new);
    return SyncOptions.connect(addresses)
        .limits(limits -> limits.mempoolWait(Duration.ZERO).time(Duration.ofSeconds(60)));
  }

  /** How many filters with everything in them were sent so far. */
  private static long exact(SpvWallet wallet) {
    return wallet.privacy().report(MANY).filters().stream()
        .filter(shown -> shown.role() == null)
        .count();
  }

  @Test
  void aPlainSyncAndRescanOfAPrivateWalletStayPrivate() throws Exception {
    Path file = folder.resolve("w");
    try (RegtestNode a = RegtestNode.start(BUILT.chain().copy());
        RegtestNode b = RegtestNode.start(BUILT.chain().copy())) {
      try (SpvWallet wallet = SpvWallet.create(file, RECIPE)) {
        wallet.sync(to(a, b).preset(Preset.Kind.PRIVATE), SyncListener.NONE);
      }
      try (SpvWallet wallet = SpvWallet.open(file)) {
        assertThat(wallet.privacy().forecast(to(a, b), MANY).next().filters())
            .isNotEmpty()
            .allMatch(next -> next.role() != null);
        assertThat(wallet.sync(to(a, b), SyncListener.NONE).complete()).isTrue();
        Birthday from = new Birthday.AtHeight(1);
        assertThat(wallet.rescan(from, to(a, b), SyncListener.NONE).complete()).isTrue();
        assertThat(exact(wallet)).isZero();
        assertThat(wallet.privacy().report(MANY).next().filters())
            .allMatch(next -> next.role() != null);
      }
    }
  }

  @Test
  void onlyAnOptionMakesItFastAndTheWarningComesFirst() throws Exception {
    try (RegtestNode a = RegtestNode.start(BUILT.chain().copy());
        RegtestNode b = RegtestNode.start(BUILT.chain().copy());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      wallet.sync(to(a, b).preset(Preset.Kind.PRIVATE), SyncListener.NONE);
      assertThat(wallet.privacy().preset(to(a)).exposes()).isFalse();
      assertThat(wallet.privacy().preset(to(a).preset(Preset.Kind.FAST)).exposes()).isTrue();
      assertThat(wallet.privacy().forecast(to(a).preset(Preset.Kind.FAST), MANY).warnings())
          .contains(new WalletWarning.WalletExposed());
      a.mine(1);
      List<SyncEvent> heard = new ArrayList<>();
      wallet.sync(to(a).preset(Preset.Kind.FAST), heard::add);
      assertThat(heard.get(0)).isEqualTo(new WalletWarning.WalletExposed());
      assertThat(exact(wallet)).isPositive();
      // From here on it is fast, as an option said.
      assertThat(wallet.privacy().preset(to(a)))
          .isEqualTo(new PresetChoice(Preset.Kind.FAST, PresetChoice.Reason.LAST, false, 1));
    }
  }

  /** No peer was there to get anything, but the option named private. */
  @Test
  void theChosenPresetHoldsHoweverTheSessionEnds() throws Exception {
    try (SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      SyncOptions nobody = SyncOptions.connect("127.0.0.1:1", "127.0.0.1:2");
      assertThat(wallet.privacy().preset(nobody).preset()).isEqualTo(Preset.Kind.FAST);
      assertThatExceptionOfType(NoUsablePeerException.class)
          .isThrownBy(() -> wallet.sync(nobody.preset(Preset.Kind.PRIVATE), SyncListener.NONE));
      assertThat(wallet.privacy().preset(nobody).preset()).isEqualTo(Preset.Kind.PRIVATE);
      // Headers disclose nothing, so they decide nothing.
      assertThatExceptionOfType(NoUsablePeerException.class)
          .isThrownBy(
              () ->
                  wallet.sync(
                      nobody.preset(Preset.Kind.FAST).headersOnly(true), SyncListener.NONE));
      assertThat(wallet.privacy().preset(nobody).preset()).isEqualTo(Preset.Kind.PRIVATE);
    }
  }

  /** Said by mistake, or to a peer that was not there: no peer has a filter of it. */
  @Test
  void aFastSyncThatFailedDecidesNothing() throws Exception {
    try (RegtestNode a = RegtestNode.start(BUILT.chain().copy());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      SyncOptions nobody = SyncOptions.connect("127.0.0.1:1");
      assertThatExceptionOfType(NoUsablePeerException.class)
          .isThrownBy(() -> wallet.sync(nobody.preset(Preset.Kind.FAST), SyncListener.NONE));
      assertThat(wallet.privacy().preset(to(a)).reason()).isEqualTo(PresetChoice.Reason.RULE);
      wallet.sync(to(a).preset(Preset.Kind.FAST), SyncListener.NONE);
      assertThat(wallet.privacy().preset(to(a)).reason()).isEqualTo(PresetChoice.Reason.LAST);
    }
  }

  /** Without a second peer a private session cannot begin, and nothing was sent. */
  @Test
  void aRefusedPrivateStartKeepsTheEarlierPreset() throws Exception {
    try (RegtestNode a = RegtestNode.start(BUILT.chain().copy());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      SyncOptions alone = to(a).preset(Preset.Kind.PRIVATE);
      assertThatExceptionOfType(NoUsablePeerException.class)
          .isThrownBy(() -> wallet.sync(alone, SyncListener.NONE));
      // Nothing was sent before, so what was said holds.
      assertThat(wallet.privacy().preset(to(a)).preset()).isEqualTo(Preset.Kind.PRIVATE);
      wallet.sync(to(a).preset(Preset.Kind.FAST), SyncListener.NONE);
      a.mine(1);
      assertThatExceptionOfType(NoUsablePeerException.class)
          .isThrownBy(() -> wallet.sync(alone, SyncListener.NONE))
          .matches(refused -> refused.kind() == Obstacle.Kind.NO_GUARD);
      assertThat(wallet.privacy().preset(to(a)).preset()).isEqualTo(Preset.Kind.FAST);
      assertThat(wallet.sync(to(a), SyncListener.NONE).complete()).isTrue();
    }
  }

  @Test
  void peersOnMainnetGetNoSharpFilterWithoutTheOption() throws Exception {
    WalletRecipe recipe =
        WalletRecipe.ofMnemonic(
            ChainParams.MAINNET, Lives.WORDS, "", List.of(OutputType.P2WPKH), 0);
    List<SyncOptions> strangers =
        List.of(
            SyncOptions.discover(),
            SyncOptions.connect("a.example", "b.example"),
            SyncOptions.connect("127.0.0.1", "192.0.2.1"));
    try (SpvWallet wallet = SpvWallet.create(folder.resolve("main"), recipe)) {
      for (SyncOptions options : strangers) {
        assertThat(wallet.privacy().forecast(options, MANY).next().filters())
            .isNotEmpty()
            .allMatch(next -> next.role() != null);
      }
      assertThat(wallet.privacy().forecast(SyncOptions.connect("127.0.0.1"), MANY).next().filters())
          .isNotEmpty()
          .allMatch(next -> next.role() == null);
    }
  }
}
