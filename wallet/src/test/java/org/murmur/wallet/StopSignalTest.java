package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.coins.keys.OutputType;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.session.Environment;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.StopSignal;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/** A stop ends its session, whenever it comes. */
@Timeout(60)
final class StopSignalTest {

  @TempDir Path folder = Path.of("");

  private Path file() {
    return folder.resolve("w");
  }

  @BeforeEach
  void create() throws Exception {
    SpvWallet.create(file(), Lives.recipe(OutputType.P2WPKH)).close();
  }

  private static RegtestNode node() {
    return RegtestNode.start(ChainBuilder.ofSeed(9).blocks(60).build().chain().copy());
  }

  private static SyncOptions to(RegtestNode node) {
    return SyncOptions.connect(node.address()).limits(limits -> limits.mempoolWait(Duration.ZERO));
  }

  @Test
  void aSignalGivenBeforeTheSessionEndsItAndNoOther() throws Exception {
    try (RegtestNode node = node();
        SpvWallet wallet = SpvWallet.open(file())) {
      StopSignal signal = new StopSignal();
      signal.stop();
      SyncReport stopped = wallet.sync(to(node).stoppedBy(signal), SyncListener.NONE);
      assertThat(stopped.ending()).isEqualTo(SyncReport.Ending.STOPPED);
      assertThat(stopped.complete()).isFalse();
      assertThat(wallet.sync(to(node), SyncListener.NONE).complete()).isTrue();
    }
  }

  /** The dice are used after the session took its turn and before it runs. */
  @Test
  void aStopThatComesWhileTheSessionStartsEndsIt() throws Exception {
    CountDownLatch starting = new CountDownLatch(1);
    CountDownLatch stopped = new CountDownLatch(1);
    SecureRandom dice =
        new SecureRandom() {
          @Override
          public long nextLong() {
            starting.countDown();
            try {
              stopped.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
            return super.nextLong();
          }
        };
    try (RegtestNode node = node();
        SpvWallet wallet = SpvWallet.open(file(), new Environment(Clock.systemUTC(), dice))) {
      @Nullable SyncReport[] report = new SyncReport[1];
      Thread syncing =
          new Thread(
              () -> {
                try {
                  report[0] = wallet.sync(to(node).follow(true), SyncListener.NONE);
                } catch (WalletException | NoUsablePeerException e) {
                  throw new AssertionError(e);
                }
              });
      syncing.start();
      starting.await();
      wallet.stop();
      stopped.countDown();
      syncing.join();
      SyncReport ended = report[0];
      assertThat(ended).isNotNull();
      assertThat(ended.ending()).isEqualTo(SyncReport.Ending.STOPPED);
    }
  }
}
