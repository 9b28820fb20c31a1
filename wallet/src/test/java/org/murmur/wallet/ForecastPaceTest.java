package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
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
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.internal.session.Environment;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.sync.SyncForecast;
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
}
