package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.stubbing.Answer;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.label.Label;
import org.murmur.coins.label.LabelRef;
import org.murmur.coins.spend.PaymentOrder;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.p2p.internal.chain.HeaderArchive;
import org.murmur.p2p.net.HostNames;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.failure.WalletException.Kind;
import org.murmur.wallet.internal.session.Environment;
import org.murmur.wallet.internal.sqlite.SqliteStore;
import org.murmur.wallet.internal.store.WalletStore;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.overview.ChainState;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;
import org.murmur.wallet.sync.WalletWarning;

/** One collaborator fails at its n-th call, for each n. The books are right, before and after. */
@Timeout(120)
final class FailureOnDemandTest {

  private static final Bytes THEIRS = Bytes.ofHex("0014751e76e8199196d454941c45d1b3a323f1433bd6");
  private static final WalletRecipe RECIPE = Lives.recipe(OutputType.P2WPKH).withLookAhead(20);
  private static final BuiltChain BUILT =
      ChainBuilder.ofSeed(77).blocks(120).wallet(Lives.lively(RECIPE, 8)).build();

  /** The store's calls that write to the file. */
  private static final Set<String> WRITES =
      Set.of(
          "write",
          "restart",
          "note",
          "putLabels",
          "give",
          "handOut",
          "changeSecret",
          "keepFilterKey",
          "keepPreset");

  @TempDir Path folder = Path.of("");

  private RegtestNode node;

  @BeforeEach
  void start() {
    node = RegtestNode.start(BUILT.chain().copy());
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private SyncOptions options() {
    return SyncOptions.connect(node.address()).limits(limits -> limits.mempoolWait(Duration.ZERO));
  }

  /** The call that fails, from 0, and whether what it was asked is done before. */
  private record Trap(int at, boolean late, AtomicInteger calls) {

    Trap(int at, boolean late) {
      this(at, late, new AtomicInteger());
    }

    <T> T in(Class<T> type, T real, Set<String> methods, Throwable failure) {
      Answer<Object> does = delegatesTo(real);
      return mock(
          type,
          withSettings()
              .stubOnly()
              .defaultAnswer(
                  call -> {
                    boolean fails =
                        methods.contains(call.getMethod().getName())
                            && calls.getAndIncrement() == at;
                    if (fails && !late) {
                      throw failure;
                    }
                    Object result = does.answer(call);
                    if (fails) {
                      throw failure;
                    }
                    return result;
                  }));
    }

    SpvWallet wallet(Path file) {
      WalletException full = WalletException.about(file, Kind.DISK_FULL, ": on demand");
      WalletStore store = in(WalletStore.class, SqliteStore.open(file), WRITES, full);
      return new SpvWallet(file, store, Environment.REAL);
    }

    /** Whether there was such a call. */
    boolean sprung() {
      return calls.get() > at;
    }
  }

  /** What a wallet says of itself. */
  private record Standing(
      ChainState chain,
      Balance balance,
      List<Hash256> history,
      List<WalletCoin> coins,
      List<Label> labels,
      List<String> addresses) {

    static Standing of(SpvWallet wallet) {
      return new Standing(
          wallet.chain(),
          wallet.balance(),
          wallet.history().list().stream().map(HistoryEntry::txid).collect(Collectors.toList()),
          wallet.coins().list(),
          wallet.labels().list(),
          wallet.receive().list().stream()
              .map(address -> address.address() + " " + address.handedOut())
              .collect(Collectors.toList()));
    }
  }

  private Path synced() throws Exception {
    Path file = folder.resolve("synced");
    try (SpvWallet wallet = SpvWallet.create(file, RECIPE)) {
      assertThat(wallet.sync(options(), SyncListener.NONE).complete()).isTrue();
    }
    return file;
  }

  private Path copy(Path file, int number) throws Exception {
    return Files.copy(file, folder.resolve("copy" + number));
  }

  private interface Work {
    void run(SpvWallet wallet) throws Exception;
  }

  /** Does something to a wallet; its handle and its file agree afterwards, however it ended. */
  private static Throwable doing(SpvWallet open, Path file, Work work) {
    Throwable thrown;
    try (SpvWallet wallet = open) {
      thrown = catchThrowable(() -> work.run(wallet));
      try (SpvWallet reopened = SpvWallet.open(file)) {
        assertThat(Standing.of(wallet)).isEqualTo(Standing.of(reopened));
      }
    }
    return thrown;
  }

  private static void isTheFailure(Throwable thrown) {
    assertThat(thrown)
        .isInstanceOfSatisfying(
            WalletException.class, full -> assertThat(full.kind()).isEqualTo(Kind.DISK_FULL));
  }

  private void completes(Path file) throws Exception {
    try (SpvWallet wallet = SpvWallet.open(file)) {
      assertThat(wallet.sync(options(), SyncListener.NONE).complete()).isTrue();
      Lives.assertTruth(wallet, node, RECIPE);
    }
    StoredCoins.assertFollow(file);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWriteOfASync(boolean late) throws Exception {
    int failures = 0;
    Trap trap;
    int at = 0;
    do {
      Path file = folder.resolve("w" + at);
      trap = new Trap(at++, late);
      SpvWallet.create(file, RECIPE).close();
      List<SyncReport> reports = new ArrayList<>();
      Throwable thrown =
          doing(
              trap.wallet(file),
              file,
              wallet -> reports.add(wallet.sync(options(), SyncListener.NONE)));
      if (thrown != null) {
        isTheFailure(thrown);
        failures++;
      } else if (trap.sprung()) {
        assertThat(reports.get(0).warnings())
            .hasAtLeastOneElementOfType(WalletWarning.CostNotKept.class);
      }
      completes(file);
    } while (trap.sprung());
    assertThat(failures).isGreaterThan(2);
  }

  /** Nothing left after a failure, unless it is in the books; and what is in them leaves. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWriteOfAPayment(boolean late) throws Exception {
    Path synced = synced();
    int refused = 0;
    int unsure = 0;
    Trap trap;
    int at = 0;
    do {
      Path file = copy(synced, at);
      trap = new Trap(at++, late);
      node.close();
      node = RegtestNode.start(BUILT.chain().copy());
      Set<Hash256> before = pool();
      Throwable thrown =
          doing(
              trap.wallet(file),
              file,
              wallet -> wallet.payments().pay(wallet.payments().plan(order()), sending()));
      try (SpvWallet wallet = SpvWallet.open(file)) {
        long booked = pending(wallet);
        if (thrown == null) {
          assertThat(booked).isEqualTo(1);
        } else {
          isTheFailure(thrown);
          assertThat(booked).isEqualTo(late ? booked : 0);
          assertThat(pool()).isEqualTo(before);
          assertThat(wallet.payments().plan(order()).earlier().isPresent()).isEqualTo(booked == 1);
          refused++;
          unsure += booked == 1 ? 1 : 0;
        }
        wallet.sync(sending(), SyncListener.NONE);
        assertThat(pool()).hasSize((int) booked + before.size());
        if (booked == 0) {
          assertThat(wallet.payments().pay(wallet.payments().plan(order()), sending()).isAccepted())
              .isTrue();
        }
      }
      completes(file);
    } while (trap.sprung());
    assertThat(refused).isPositive();
    assertThat(unsure).isEqualTo(late ? 1 : 0);
  }

  private SyncOptions sending() {
    return SyncOptions.connect(node.address());
  }

  private static PaymentOrder order() {
    return PaymentOrder.of(List.of(Payees.of(THEIRS, 20_000)), FeeRate.satPerVb(2));
  }

  private static long pending(SpvWallet wallet) {
    return wallet.history().list().stream().filter(entry -> entry.height().isEmpty()).count();
  }

  private Set<Hash256> pool() {
    return node.mempool().transactions().stream().map(Tx::txid).collect(Collectors.toSet());
  }

  private static OutPoint coin(SpvWallet wallet) {
    return wallet.coins().list().get(0).outPoint();
  }

  private static final Map<String, Work> SMALL =
      Map.of(
          "freeze", wallet -> wallet.coins().freeze(coin(wallet)),
          "label", wallet -> wallet.labels().set(LabelRef.of(coin(wallet)), "rent"),
          "address", wallet -> wallet.receive().fresh(),
          "password",
              wallet -> wallet.keys().changePassword(Credentials.NONE, "right".toCharArray()),
          "export", wallet -> wallet.psbts().export(wallet.payments().plan(order())));

  @ParameterizedTest
  @ValueSource(strings = {"freeze", "label", "address", "password", "export"})
  void aSmallWrite(String name) throws Exception {
    Work work = Objects.requireNonNull(SMALL.get(name));
    Path synced = synced();
    Standing before;
    try (SpvWallet wallet = SpvWallet.open(synced)) {
      before = Standing.of(wallet);
    }
    Path early = copy(synced, 1);
    isTheFailure(doing(new Trap(0, false).wallet(early), early, work));
    Path late = copy(synced, 2);
    isTheFailure(doing(new Trap(0, true).wallet(late), late, work));
    assertThat(doing(SpvWallet.open(synced), synced, work)).isNull();
    try (SpvWallet unchanged = SpvWallet.open(early);
        SpvWallet changed = SpvWallet.open(late);
        SpvWallet done = SpvWallet.open(synced)) {
      assertThat(Standing.of(unchanged)).isEqualTo(before);
      assertThat(Standing.of(changed)).isEqualTo(Standing.of(done));
      assertThat(unchanged.info().encrypted()).isFalse();
      assertThat(changed.info().encrypted()).isEqualTo(done.info().encrypted());
    }
  }

  /** The reason is that it was closed, not what the store says then. */
  @Test
  void aReadDuringWhichItIsClosed() throws Exception {
    Path file = synced();
    SqliteStore real = SqliteStore.open(file);
    AtomicReference<SpvWallet> open = new AtomicReference<>();
    HeaderArchive closing =
        (from, to) -> {
          Objects.requireNonNull(open.get()).close();
          throw WalletException.about(file, Kind.IO, ": cannot be read");
        };
    Answer<Object> does = delegatesTo(real);
    WalletStore store =
        mock(
            WalletStore.class,
            withSettings()
                .stubOnly()
                .defaultAnswer(
                    call ->
                        call.getMethod().getName().equals("headers")
                            ? closing
                            : does.answer(call)));
    SpvWallet wallet = new SpvWallet(file, store, Environment.REAL);
    open.set(wallet);
    assertThat(catchThrowable(() -> wallet.heightOf(Hash256.ZERO)))
        .isInstanceOfSatisfying(
            WalletException.class, closed -> assertThat(closed.kind()).isEqualTo(Kind.CLOSED));
  }

  @Test
  void aListener() throws Exception {
    Path file = folder.resolve("w");
    SpvWallet.create(file, RECIPE).close();
    IllegalStateException gone = new IllegalStateException("the screen is gone");
    Trap trap;
    int at = 0;
    do {
      trap = new Trap(at++, true);
      SyncListener listener = trap.in(SyncListener.class, e -> {}, Set.of("onEvent"), gone);
      Throwable thrown =
          doing(SpvWallet.open(file), file, wallet -> wallet.sync(options(), listener));
      assertThat(thrown).isSameAs(trap.sprung() ? gone : null);
      assertThat(trap.calls.get()).isLessThanOrEqualTo(at);
    } while (trap.sprung());
    assertThat(at).isGreaterThan(5);
    completes(file);
  }

  /** An executor that was shut down; one with a fault; and one that runs a listener with one. */
  @ParameterizedTest
  @ValueSource(classes = {RejectedExecutionException.class, IllegalStateException.class})
  void anExecutor(Class<? extends RuntimeException> type) throws Exception {
    RuntimeException failure = type.getConstructor(String.class).newInstance("on demand");
    int failures = 0;
    Trap trap;
    int at = 0;
    do {
      Path file = folder.resolve("w" + at);
      trap = new Trap(at++, false);
      Executor failing = trap.in(Executor.class, Runnable::run, Set.of("execute"), failure);
      BlockingQueue<WalletEvent.Ended> ends = new LinkedBlockingQueue<>();
      SyncListener other =
          event -> {
            if (event instanceof WalletEvent.Ended end) {
              ends.add(end);
            }
          };
      try (SpvWallet wallet = SpvWallet.create(file, RECIPE);
          RunningSync sync = wallet.start(options(), failing, SyncListener.NONE)) {
        sync.listen(Runnable::run, other);
        WalletEvent.Ended end = ends.take();
        failures += end.failure().isPresent() ? 1 : 0;
      }
      completes(file);
    } while (trap.sprung());
    assertThat(at).isGreaterThan(5);
    assertThat(failures > 5).isEqualTo(failure instanceof IllegalStateException);
  }

  /** Android throws a SecurityException in an app that may not use the network. */
  @ParameterizedTest
  @ValueSource(classes = {UnknownHostException.class, SecurityException.class})
  void aResolver(Class<? extends Exception> type) throws Exception {
    HostNames names = mock(HostNames.class);
    when(names.lookUp(any()))
        .thenThrow(type.getConstructor(String.class).newInstance("on demand"))
        .thenReturn(new InetAddress[] {InetAddress.getLoopbackAddress()});
    SyncOptions named =
        SyncOptions.connect("node.example:" + node.port())
            .limits(limits -> limits.mempoolWait(Duration.ZERO))
            .hostNames(names);
    Path file = folder.resolve("w");
    Throwable thrown =
        doing(
            SpvWallet.create(file, RECIPE), file, wallet -> wallet.sync(named, SyncListener.NONE));
    assertThat(thrown)
        .isInstanceOfSatisfying(
            NoUsablePeerException.class,
            nobody -> assertThat(nobody).hasMessageContaining("cannot be resolved"));
    try (SpvWallet wallet = SpvWallet.open(file)) {
      assertThat(wallet.sync(named, SyncListener.NONE).complete()).isTrue();
    }
    completes(file);
  }
}
