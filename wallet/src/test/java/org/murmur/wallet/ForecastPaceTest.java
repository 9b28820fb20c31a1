package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.mockito.Mockito.CALLS_REAL_METHODS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.sync.Preset;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.node.Behaviour;
import org.murmur.wallet.internal.session.Environment;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.sync.SyncForecast;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.WalletEvent;

/** The pace of earlier syncs is that of their work. */
@Timeout(60)
final class ForecastPaceTest {

  @TempDir Path folder = Path.of("");

  @Test
  void aSessionThatStaysAndWaitsDoesNoWork() throws Exception {
    Path file = folder.resolve("w");
    SpvWallet.create(file, Lives.recipe(OutputType.P2WPKH)).close();
    AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    Clock clock = mock(Clock.class, CALLS_REAL_METHODS);
    when(clock.instant()).thenAnswer(call -> Instant.now().plus(ahead.get()));
    try (RegtestNode node =
            RegtestNode.start(ChainBuilder.ofSeed(5).blocks(232).build().chain().copy());
        SpvWallet wallet = SpvWallet.open(file, new Environment(clock, new SecureRandom()))) {
      SyncOptions options =
          SyncOptions.connect(node.address()).limits(limits -> limits.mempoolWait(Duration.ZERO));
      wallet.sync(
          options.follow(true),
          event -> {
            if (event instanceof WalletEvent.Complete) {
              ahead.set(Duration.ofMinutes(20));
              wallet.stop();
            }
          });
      // All blocks once more, by another peer.
      SyncForecast again =
          wallet.privacy().forecast(options.ifFast(fast -> fast.verify(2)), Universe.chosen(1e9));
      assertThat(again.blocks()).isGreaterThanOrEqualTo(232);
      assertThat(again.time().orElseThrow()).isLessThan(Duration.ofMinutes(5));
    }
  }

  private SpvWallet synced(String name, SyncOptions options) throws Exception {
    SpvWallet wallet = SpvWallet.create(folder.resolve(name), Lives.recipe(OutputType.P2WPKH));
    wallet.sync(options, SyncListener.NONE);
    return wallet;
  }

  /** The filters have their own estimate: with their bytes in that of blocks they counted twice. */
  @Test
  void filtersThatCheckedAreNotPartOfTheBlocks() throws Exception {
    Chain chain = ChainBuilder.ofSeed(6).blocks(200).transactionsPerBlock(9).build().chain();
    Behaviour both = Behaviour.honest().withCompactFilters();
    try (RegtestNode node = RegtestNode.start(chain.copy(), both)) {
      SyncOptions fast =
          SyncOptions.connect(node.address()).limits(limits -> limits.mempoolWait(Duration.ZERO));
      try (SpvWallet checked = synced("checked", fast.ifFast(with -> with.filterPeers(1)));
          SpvWallet plain = synced("plain", fast)) {
        SyncOptions again = fast.ifFast(with -> with.verify(2));
        SyncForecast expected = plain.privacy().forecast(again, Universe.chosen(1e9));
        SyncForecast actual = checked.privacy().forecast(again, Universe.chosen(1e9));
        assertThat(expected.blocks()).isEqualTo(200);
        assertThat(actual.blocks()).isEqualTo(200);
        assertThat(actual.bytesReceived()).isCloseTo(expected.bytesReceived(), withinPercentage(5));
        assertThat(checked.privacy().pastSyncs().get(0).blocks()).isEqualTo(200);
      }
    }
  }

  /** Each filter is fetched once, and several peers vouch for it. */
  @Test
  void aBlockWhoseFilterSeveralPeersVouchForCountsOnce() throws Exception {
    Chain chain = ChainBuilder.ofSeed(7).blocks(200).build().chain();
    Behaviour compact = Behaviour.honest().withoutBloom().withCompactFilters();
    try (RegtestNode one = RegtestNode.start(chain.copy(), compact);
        RegtestNode other = RegtestNode.start(chain.copy(), compact);
        SpvWallet wallet =
            synced(
                "w",
                SyncOptions.connect(one.address(), other.address()).preset(Preset.Kind.COMPACT))) {
      assertThat(wallet.privacy().pastSyncs().get(0).blocks()).isEqualTo(200);
    }
  }

  /** One peer saw each block, and two must agree on each filter. */
  @Test
  void filtersThatTooFewPeersVouchForCount() throws Exception {
    Chain chain = ChainBuilder.ofSeed(8).blocks(200).build().chain();
    try (RegtestNode node = RegtestNode.start(chain.copy());
        SpvWallet wallet = synced("w", SyncOptions.connect(node.address()))) {
      SyncOptions compact = SyncOptions.connect(node.address()).preset(Preset.Kind.COMPACT);
      Universe universe = Universe.chosen(1e9);
      assertThat(wallet.privacy().forecast(compact, universe).filters()).isZero();
      SyncOptions found = SyncOptions.discover().preset(Preset.Kind.COMPACT);
      assertThat(wallet.privacy().forecast(found, universe).filters()).isEqualTo(200);
    }
  }

  @Test
  void theChosenPresetIsEstimatedOnceAndForAll() throws Exception {
    try (SpvWallet wallet =
        SpvWallet.create(folder.resolve("w"), Lives.recipe(OutputType.P2WPKH))) {
      SyncOptions options = SyncOptions.connect("127.0.0.1:1");
      Universe universe = Universe.chosen(1e9);
      assertThat(wallet.privacy().forecasts(options, universe))
          .contains(wallet.privacy().forecast(options, universe));
    }
  }
}
