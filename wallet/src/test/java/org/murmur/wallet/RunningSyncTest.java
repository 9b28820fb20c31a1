package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.Mockito.atLeast;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.spend.PaymentOrder;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.p2p.net.HostNames;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.failure.WalletException.Kind;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.StopSignal;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;

/** A sync on a thread of its own. */
@Timeout(60)
final class RunningSyncTest {

  private static final Bytes THEIRS = Bytes.ofHex("0014751e76e8199196d454941c45d1b3a323f1433bd6");

  @TempDir Path folder = Path.of("");

  private final ExecutorService main = Executors.newSingleThreadExecutor(r -> new Thread(r, "app"));
  private final CountDownLatch complete = new CountDownLatch(1);
  private RegtestNode node;
  private SpvWallet wallet;

  @BeforeEach
  void start() throws Exception {
    node = RegtestNode.start(ChainBuilder.ofSeed(9).blocks(60).build().chain().copy());
    wallet = SpvWallet.create(folder.resolve("w"), Lives.recipe(OutputType.P2WPKH));
  }

  @AfterEach
  void stop() throws Exception {
    main.shutdownNow();
    wallet.close();
    node.close();
  }

  private void heard(SyncEvent event) {
    if (event instanceof WalletEvent.Complete) {
      complete.countDown();
    }
  }

  private SyncOptions options() {
    return SyncOptions.connect(node.address()).limits(limits -> limits.mempoolWait(Duration.ZERO));
  }

  @Test
  void listenersAreCalledInOrderOnTheirExecutors() throws Exception {
    List<String> threads = new CopyOnWriteArrayList<>();
    List<SyncEvent> events = new CopyOnWriteArrayList<>();
    CountDownLatch ended = new CountDownLatch(1);
    try (RunningSync sync =
        wallet.start(
            options(),
            main,
            event -> {
              threads.add(Thread.currentThread().getName());
              events.add(event);
            })) {
      sync.whenEnded(main, ended::countDown);
      assertThat(sync.await().complete()).isTrue();
      ended.await();
      assertThat(sync.isRunning()).isFalse();
      assertThat(sync.progress()).isPresent();
    }
    assertThat(threads).containsOnly("app");
    assertThat(events).hasAtLeastOneElementOfType(WalletEvent.Complete.class);
    assertThat(wallet.chain().height()).isEqualTo(60);
  }

  /** The session waits for its listener, so the listener cannot wait for the session. */
  @Test
  void closingInAListenerOfASyncStopsItAndSaysWhereToClose() throws Exception {
    List<WalletException> refused = new CopyOnWriteArrayList<>();
    SyncReport report =
        wallet.sync(
            options().follow(true),
            event -> {
              if (event instanceof WalletEvent.Complete) {
                try {
                  wallet.close();
                } catch (WalletException e) {
                  refused.add(e);
                }
              }
            });
    assertThat(report.ending()).isEqualTo(SyncReport.Ending.STOPPED);
    assertThat(refused)
        .singleElement()
        .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.WRONG_THREAD));
    assertThat(wallet.chain().height()).isEqualTo(60);
  }

  /** A direct executor calls on the thread whose end the sync waits for. */
  @Test
  void aListenerThatTheSyncWaitsForMayEndItButNotWait() throws Exception {
    List<WalletException> refused = new CopyOnWriteArrayList<>();
    CompletableFuture<RunningSync> started = new CompletableFuture<>();
    SyncListener listener =
        event -> {
          if (event instanceof WalletEvent.Complete) {
            for (ThrowingCallable waits :
                List.<ThrowingCallable>of(started.join()::await, started.join()::close)) {
              refused.add(catchThrowableOfType(WalletException.class, waits));
            }
          } else if (event instanceof WalletEvent.Ended) {
            // Now there is nothing to wait for.
            assertThatCode(started.join()::await).doesNotThrowAnyException();
          }
        };
    started.complete(wallet.start(options().follow(true), Runnable::run, listener));
    assertThat(started.join().await().ending()).isEqualTo(SyncReport.Ending.STOPPED);
    assertThat(refused).hasSize(2).allMatch(e -> e.kind() == Kind.WRONG_THREAD);
  }

  /** Whoever listens needs no thread that waits. */
  @Test
  void theLastEventIsTheEnd() throws Exception {
    BlockingQueue<SyncEvent> events = new LinkedBlockingQueue<>();
    RunningSync sync = wallet.start(options(), main, events::add);
    SyncReport report = sync.await();
    WalletEvent.Ended ended = new WalletEvent.Ended(Optional.of(report), Optional.empty());
    SyncEvent last = events.take();
    while (!(last instanceof WalletEvent.Ended)) {
      last = events.take();
    }
    assertThat(last).isEqualTo(ended);
    assertThat(events).isEmpty();
    List<SyncEvent> late = new ArrayList<>();
    sync.listen(Runnable::run, late::add);
    assertThat(late).containsExactly(ended);
  }

  @Test
  void aStartThatFailsIsHeard() throws Exception {
    try (RunningSync first = wallet.start(options().follow(true), main, this::heard)) {
      complete.await();
      BlockingQueue<SyncEvent> events = new LinkedBlockingQueue<>();
      RunningSync second = wallet.start(options(), Runnable::run, events::add);
      assertThat(events.take())
          .isInstanceOfSatisfying(
              WalletEvent.Ended.class,
              ended ->
                  assertThat(ended.failure())
                      .containsInstanceOf(WalletException.class)
                      .hasValueSatisfying(
                          e -> assertThat(((WalletException) e).kind()).isEqualTo(Kind.SYNCING)));
      assertThatThrownBy(second::await).isInstanceOf(WalletException.class);
      assertThat(first.isRunning()).isTrue();
    }
  }

  @Test
  void theEndOfASyncWithoutPeersHasItsReport() throws Exception {
    node.close();
    List<SyncEvent> events = new CopyOnWriteArrayList<>();
    RunningSync sync = wallet.start(options(), Runnable::run, events::add);
    assertThatThrownBy(sync::await).isInstanceOf(NoUsablePeerException.class);
    List<SyncEvent> late = new ArrayList<>();
    sync.listen(Runnable::run, late::add);
    assertThat(late)
        .singleElement()
        .isInstanceOfSatisfying(
            WalletEvent.Ended.class,
            ended -> {
              assertThat(ended.report())
                  .hasValueSatisfying(r -> assertThat(r.complete()).isFalse());
              assertThat(ended.failure()).containsInstanceOf(NoUsablePeerException.class);
            });
  }

  @Test
  void whoWasForgottenHearsNoEnd() throws Exception {
    List<SyncEvent> events = new CopyOnWriteArrayList<>();
    SyncListener listener =
        event -> {
          heard(event);
          events.add(event);
        };
    try (RunningSync sync = wallet.start(options().follow(true), Runnable::run, listener)) {
      complete.await();
      sync.forget(listener);
    }
    assertThat(events).noneMatch(WalletEvent.Ended.class::isInstance);
  }

  @Test
  void retryNowPingsThePeers() throws Exception {
    CountDownLatch pinged = new CountDownLatch(1);
    SyncListener listener =
        event -> {
          heard(event);
          if (event instanceof SyncEvent.Note note
              && note.text().equals("pinged: this machine may have another network")) {
            pinged.countDown();
          }
        };
    RunningSync sync = wallet.start(options().follow(true), Runnable::run, listener);
    complete.await();
    sync.retryNow();
    pinged.await();
    sync.close();
    sync.retryNow();
    assertThat(sync.isRunning()).isFalse();
  }

  /** A phone in a tunnel: the session knows it, so the payer need not wait half a minute. */
  @Test
  void whoPaysWhileNobodyIsThereLearnsItAtOnce() throws Exception {
    CountDownLatch outage = new CountDownLatch(1);
    // Coins of one script are spent together.
    for (Bytes script : Lives.scripts(Lives.recipe(OutputType.P2WPKH), 0, 2)) {
      node.mineTo(script, 1);
    }
    node.mine(100);
    assertThat(wallet.start(options(), main, this::heard).await().complete()).isTrue();
    node.close();
    SyncOptions patient = options().limits(limits -> limits.broadcastWait(Duration.ofDays(1)));
    SyncListener listener =
        event -> {
          if (event instanceof SyncEvent.Warning) {
            outage.countDown();
          }
        };
    try (RunningSync sync = wallet.start(options().follow(true), Runnable::run, listener)) {
      // Before the session is sure of it, too.
      BroadcastReport early =
          wallet
              .payments()
              .pay(
                  wallet
                      .payments()
                      .plan(
                          PaymentOrder.of(List.of(Payees.of(THEIRS, 50_000)), FeeRate.satPerVb(2))),
                  options().limits(limits -> limits.broadcastWait(Duration.ofSeconds(1))));
      assertThat(early.unsent()).isPresent();
      outage.await();
      assertThat(sync.isOffline()).isTrue();
      PaymentOrder order = PaymentOrder.of(List.of(Payees.of(THEIRS, 70_000)), FeeRate.satPerVb(2));
      BroadcastReport report = wallet.payments().pay(wallet.payments().plan(order), patient);
      assertThat(report.unsent())
          .hasValueSatisfying(why -> assertThat(why.text()).contains("127.0.0.1"));
      assertThat(report.isUnanswered()).isTrue();
    }
  }

  @Test
  void aClosedWalletSaysSo() throws Exception {
    wallet.close();
    for (ThrowingCallable use :
        List.<ThrowingCallable>of(
            wallet::balance,
            wallet.receive()::fresh,
            wallet::info,
            () -> wallet.sync(options(), SyncListener.NONE),
            () -> wallet.start(options(), main, this::heard).await())) {
      assertThatThrownBy(use)
          .isInstanceOfSatisfying(
              WalletException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CLOSED))
          .hasMessageEndingWith("was closed by this program: open it again");
    }
    wallet.close();
    try (SpvWallet again = SpvWallet.open(folder.resolve("w"))) {
      assertThat(again.start(options(), main, this::heard).await().complete()).isTrue();
    }
  }

  @Test
  void aListenerThatHangsDoesNotHoldUpTheSync() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    SyncListener hangs =
        event -> {
          try {
            released.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    assertThat(wallet.start(options(), main, hangs).await().complete()).isTrue();
    released.countDown();
  }

  @Test
  void anExecutorThatWasShutDownEndsNothing() throws Exception {
    main.shutdownNow();
    assertThat(wallet.start(options(), main, this::heard).await().complete()).isTrue();
  }

  @Test
  void followsUntilItIsCancelled() throws Exception {
    RunningSync sync = wallet.start(options().follow(true), main, this::heard);
    complete.await();
    assertThat(sync.isRunning()).isTrue();
    sync.stop();
    assertThat(sync.await().ending()).isEqualTo(SyncReport.Ending.STOPPED);
  }

  @Test
  void theSignalOfTheOptionsEndsItToo() throws Exception {
    StopSignal signal = new StopSignal();
    SyncOptions follow = options().follow(true).stoppedBy(signal);
    RunningSync sync = wallet.start(follow, main, this::heard);
    complete.await();
    signal.stop();
    assertThat(sync.await().ending()).isEqualTo(SyncReport.Ending.STOPPED);
  }

  @Test
  void aForgottenListenerHearsNoMore() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    SyncListener listener = event -> first.countDown();
    RunningSync sync = wallet.start(options().follow(true), main, listener);
    sync.listen(main, this::heard);
    first.await();
    complete.await();
    sync.forget(listener);
    AtomicInteger late = new AtomicInteger();
    sync.listen(main, event -> late.incrementAndGet());
    sync.close();
    assertThat(sync.isRunning()).isFalse();
  }

  /** The network is gone at first: its name cannot be resolved. */
  @Test
  void whoFollowsTriesAgainUntilThereIsANetwork() throws Exception {
    HostNames names = mock(HostNames.class);
    when(names.lookUp("node.example"))
        .thenThrow(new UnknownHostException("on demand"), new UnknownHostException("again"))
        .thenReturn(new InetAddress[] {InetAddress.getLoopbackAddress()});
    SyncOptions named =
        SyncOptions.connect("node.example:" + node.port())
            .limits(limits -> limits.mempoolWait(Duration.ZERO))
            .hostNames(names);
    assertThatThrownBy(() -> wallet.start(named, main, this::heard).await())
        .isInstanceOf(NoUsablePeerException.class);
    try (RunningSync sync = wallet.start(named.follow(true), main, this::heard)) {
      complete.await();
      verify(names, atLeast(3)).lookUp("node.example");
      assertThat(sync.isRunning()).isTrue();
    }
  }

  /** The names resolve as soon as the user was warned. */
  @Test
  void aReportDoesNotSayWhatIsOver() throws Exception {
    List<SyncEvent> warned = new CopyOnWriteArrayList<>();
    SyncOptions named =
        SyncOptions.connect("node.example:" + node.port())
            .limits(limits -> limits.mempoolWait(Duration.ZERO))
            .hostNames(
                name -> {
                  if (warned.isEmpty()) {
                    throw new UnknownHostException(name);
                  }
                  return new InetAddress[] {InetAddress.getLoopbackAddress()};
                });
    SyncListener listener =
        event -> {
          if (event instanceof SyncEvent.Warning) {
            warned.add(event);
          }
          heard(event);
        };
    try (RunningSync sync = wallet.start(named.follow(true), Runnable::run, listener)) {
      complete.await();
      sync.stop();
      assertThat(sync.await().warnings()).isEmpty();
      assertThat(warned).hasSize(1);
    }
  }
}
