package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;

/** Several sessions of one wallet, one after the other. */
@Timeout(120)
@SuppressWarnings({"NullAway", "DataFlowIssue"}) // start() runs before each test; some pass null
final class SessionsInTurnTest {

  @TempDir Path folder = Path.of("");

  private final BlockingQueue<SyncEvent> events = new LinkedBlockingQueue<>();
  private RegtestNode node;
  private SpvWallet wallet;

  @BeforeEach
  void start() throws Exception {
    node = RegtestNode.start(ChainBuilder.ofSeed(9).blocks(60).build().chain().copy());
    wallet = SpvWallet.create(folder.resolve("w"), Lives.recipe(OutputType.P2WPKH));
  }

  @AfterEach
  void stop() throws Exception {
    wallet.close();
    node.close();
  }

  private SyncOptions options() {
    return SyncOptions.connect(node.address()).limits(limits -> limits.mempoolWait(Duration.ZERO));
  }

  private RunningSync follow() {
    return wallet.start(options().follow(true), Runnable::run, events::add);
  }

  private SyncEvent await(Predicate<SyncEvent> wanted) throws InterruptedException {
    SyncEvent event = events.take();
    while (!wanted.test(event)) {
      event = events.take();
    }
    return event;
  }

  private static Predicate<SyncEvent> completeAt(int height) {
    return event -> event instanceof WalletEvent.Complete e && e.height() == height;
  }

  @Test
  void aStopAfterAStartIsNeverLost() throws Exception {
    for (int round = 0; round < 10; round++) {
      RunningSync sync = follow();
      wallet.stop();
      assertThat(sync.await().ending()).isEqualTo(SyncReport.Ending.STOPPED);
    }
  }

  /** The first one cannot end: its listener holds it up until the second one has been started. */
  @Test
  void aStartAfterACancelWaitsForItsTurn() throws Exception {
    CountDownLatch heard = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    RunningSync first =
        wallet.start(
            options().follow(true),
            Runnable::run,
            event -> {
              heard.countDown();
              awaitQuietly(released);
            });
    heard.await();
    first.stop();
    RunningSync second = follow();
    RunningSync third = follow();
    released.countDown();
    assertThat(first.await().ending()).isEqualTo(SyncReport.Ending.STOPPED);
    await(completeAt(60));
    assertThatThrownBy(third::await)
        .isInstanceOfSatisfying(
            WalletException.class,
            e -> assertThat(e.kind()).isEqualTo(WalletException.Kind.SYNCING));
    wallet.stop();
    assertThat(second.await().ending()).isEqualTo(SyncReport.Ending.STOPPED);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aSyncThatFollowsMakesWayForOthersAndGoesOn() throws Exception {
    RunningSync sync = follow();
    await(completeAt(60));
    assertThat(wallet.payments().estimateFee(2, options(), SyncListener.NONE)).isPresent();
    SyncReport rescan = wallet.rescan(new Birthday.AtHeight(1), options(), SyncListener.NONE);
    assertThat(rescan.complete()).isTrue();
    assertThat(rescan.blocksScanned()).isEqualTo(60);
    node.mine(1);
    await(completeAt(61));
    assertThat(sync.isRunning()).isTrue();
    sync.stop();
    assertThat(sync.await().ending()).isEqualTo(SyncReport.Ending.STOPPED);
    assertThat(wallet.chain().height()).isEqualTo(61);
  }

  /** Its limits are those of all its sessions together: what is left is enough here. */
  @Test
  void aSyncWithLimitsGoesOnToo() throws Exception {
    SyncOptions limited =
        options().follow(true).limits(limits -> limits.time(Duration.ofHours(1)).bytes(200_000));
    RunningSync sync = wallet.start(limited, Runnable::run, events::add);
    await(completeAt(60));
    assertThat(wallet.payments().estimateFee(1, options(), SyncListener.NONE)).isPresent();
    assertThat(sync.isRunning()).isTrue();
    wallet.stop();
    assertThat(sync.await().ending()).isEqualTo(SyncReport.Ending.STOPPED);
  }

  @Test
  void whoStopsWhileItMakesWayStopsIt() throws Exception {
    CountDownLatch estimating = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    RunningSync sync = follow();
    await(completeAt(60));
    SyncListener held =
        event -> {
          estimating.countDown();
          awaitQuietly(released);
        };
    Thread errand =
        new Thread(
            () -> {
              try {
                Optional<?> unused = wallet.payments().estimateFee(1, options(), held);
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    errand.start();
    estimating.await();
    sync.stop();
    released.countDown();
    assertThat(sync.await().ending()).isEqualTo(SyncReport.Ending.STOPPED);
    errand.join();
  }

  /** It hears of the first event until another session has read that everything is on disk. */
  @Test
  void aSlowListenerHoldsUpNoSession() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    SyncListener slow =
        event -> {
          begun.countDown();
          awaitQuietly(released);
          events.add(event);
        };
    Thread syncing =
        new Thread(
            () -> {
              try {
                SyncReport unused = wallet.sync(options(), slow);
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    syncing.start();
    begun.await();
    // Waits for the end of the first session, which its listener does not delay.
    assertThat(wallet.payments().estimateFee(1, options(), SyncListener.NONE)).isPresent();
    assertThat(wallet.chain().scannedTo()).hasValue(60);
    assertThat(events).isEmpty();
    released.countDown();
    syncing.join();
    assertThat(events).anyMatch(completeAt(60));
  }

  @Test
  void nothingIsLeftBehindByArgumentsThatAreNull() throws Exception {
    assertThatThrownBy(() -> wallet.sync(null, SyncListener.NONE))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> wallet.sync(options(), null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> wallet.rescan(null, options(), SyncListener.NONE))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> wallet.start(null, Runnable::run, SyncListener.NONE))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> wallet.start(options(), null, SyncListener.NONE))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> wallet.start(options(), Runnable::run, null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> wallet.payments().estimateFee(1, null, SyncListener.NONE))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> wallet.payments().estimateFee(1, options(), null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> wallet.payments().catchUp(null, SyncListener.NONE))
        .isInstanceOf(NullPointerException.class);
    assertThat(wallet.sync(options(), SyncListener.NONE).complete()).isTrue();
  }
}
