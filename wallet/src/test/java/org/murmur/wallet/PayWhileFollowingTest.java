package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.spend.FeePolicy;
import org.murmur.coins.spend.PaymentOrder;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.lies.EndsMempool;
import org.murmur.regtest.node.Behaviour;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.pay.Proposal;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.PaymentState;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;
import org.murmur.wallet.sync.WalletEvent.Payment.Change;

/** One thread follows the embedded node, another one pays with the same wallet. */
@Timeout(120)
@SuppressWarnings("NullAway.Init") // start() runs before each test
final class PayWhileFollowingTest {

  private static final Bytes THEIRS = Bytes.ofHex("0014751e76e8199196d454941c45d1b3a323f1433bd6");

  @TempDir Path folder = Path.of("");

  private final BlockingQueue<SyncEvent> events = new LinkedBlockingQueue<>();
  private RegtestNode node;
  private SpvWallet wallet;
  private CompletableFuture<SyncReport> following;

  @BeforeEach
  void start() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    node = RegtestNode.start();
    node.mineTo(Lives.scripts(recipe, 0, 1).get(0), 2);
    node.mine(100);
    wallet = SpvWallet.create(folder.resolve("w"), recipe);
    following = CompletableFuture.supplyAsync(() -> follow(events::add));
    await(event -> event instanceof WalletEvent.Complete);
  }

  @AfterEach
  void stop() throws Exception {
    wallet.close();
    node.close();
    following.get(60, TimeUnit.SECONDS);
  }

  private SyncReport follow(SyncListener listener) {
    return follow(options(), listener);
  }

  private SyncReport follow(SyncOptions options, SyncListener listener) {
    try {
      return wallet.sync(options.follow(true), listener);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private SyncOptions options() {
    return SyncOptions.connect(node.address());
  }

  private SyncEvent await(Predicate<SyncEvent> wanted) throws InterruptedException {
    while (true) {
      SyncEvent event = events.take();
      if (wanted.test(event)) {
        return event;
      }
    }
  }

  private static PaymentOrder order(long amount) {
    return PaymentOrder.of(List.of(Payees.of(THEIRS, amount)), FeeRate.satPerVb(5));
  }

  private Tx sign(Proposal proposal) throws Exception {
    return wallet.payments().sign(proposal, Credentials.NONE, SyncListener.NONE);
  }

  @Test
  void paysOverTheConnectionThatItHas() throws Exception {
    Proposal proposal = wallet.payments().plan(order(1_000_000));
    List<SyncEvent> heard = new ArrayList<>();
    BroadcastReport report =
        wallet.payments().pay(proposal, Credentials.NONE, options(), heard::add);
    assertThat(report.isAccepted()).as(report.toString()).isTrue();
    assertThat(report.fetchedBy()).hasSize(1);
    Hash256 txid = report.txid();
    assertThat(node.mempool().transaction(txid)).isNotNull();
    assertThat(node.connections()).isEqualTo(1);
    assertThat(heard)
        .anyMatch(event -> event instanceof WalletEvent.Payment e && e.change() == Change.SEEN);
    await(
        event ->
            event instanceof WalletEvent.Payment e
                && e.change() == Change.SEEN
                && e.entry().heard());

    node.mine(1);
    await(
        event ->
            event instanceof WalletEvent.Payment e
                && e.change() == Change.CONFIRMED
                && e.entry().txid().equals(txid));
    assertThat(wallet.balance().total())
        .isEqualTo(2 * 5_000_000_000L - 1_000_000 - proposal.plan().fee());
  }

  @Test
  void tellsTheStatesInOrder() throws Exception {
    BroadcastReport report =
        wallet
            .payments()
            .pay(
                wallet.payments().plan(order(1_000_000)),
                Credentials.NONE,
                options(),
                SyncListener.NONE);
    assertThat(PaymentState.of(report).stage()).isEqualTo(PaymentState.Stage.RELAYED);
    assertThat(PaymentState.of(report).fetchedBy()).isEqualTo(report.fetchedBy());
    List<PaymentState> states = states(report.txid(), PaymentState.Stage.RELAYED);
    assertThat(state(report.txid())).isEqualTo(PaymentState.Stage.RELAYED);
    node.mine(1);
    states.addAll(states(report.txid(), PaymentState.Stage.CONFIRMED));
    assertThat(states.stream().map(PaymentState::stage).distinct())
        .containsExactly(
            PaymentState.Stage.BUILT,
            PaymentState.Stage.SENT,
            PaymentState.Stage.RELAYED,
            PaymentState.Stage.CONFIRMED);
    assertThat(states.get(states.size() - 2).relayedBy()).isEqualTo(report.acceptedBy());
    assertThat(state(report.txid())).isEqualTo(PaymentState.Stage.CONFIRMED);
  }

  /** A screen that shows the last state shows neither of the two twice, or in between as unsent. */
  @Test
  void aBumpReplacesThePaymentOnce() throws Exception {
    BroadcastReport first =
        wallet
            .payments()
            .pay(
                wallet.payments().plan(order(1_000_000)),
                Credentials.NONE,
                options(),
                SyncListener.NONE);
    List<PaymentState> sent = states(first.txid(), PaymentState.Stage.RELAYED);
    assertThat(sent)
        .filteredOn(state -> state.stage() != PaymentState.Stage.BUILT)
        .allMatch(PaymentState::ordered);
    Proposal bump = wallet.payments().planBump(first.txid(), FeePolicy.of(FeeRate.satPerVb(20)));
    BroadcastReport second =
        wallet.payments().pay(bump, Credentials.NONE, options(), SyncListener.NONE);
    assertThat(second.isAccepted()).isTrue();
    node.mine(1);
    List<String> states = new ArrayList<>();
    await(
        event -> {
          if (event instanceof WalletEvent.PaymentStateChanged e) {
            states.add((e.txid().equals(first.txid()) ? "first " : "second ") + e.state().stage());
          }
          return states.contains("second CONFIRMED") && states.contains("first CONFLICTED");
        });
    assertThat(states)
        .filteredOn(state -> state.startsWith("first"))
        .containsExactly("first REPLACED", "first CONFLICTED");
  }

  /** The states of a payment until it has reached a stage. */
  private List<PaymentState> states(Hash256 txid, PaymentState.Stage last)
      throws InterruptedException {
    List<PaymentState> states = new ArrayList<>();
    while (states.isEmpty() || states.get(states.size() - 1).stage() != last) {
      SyncEvent event = await(WalletEvent.PaymentStateChanged.class::isInstance);
      WalletEvent.PaymentStateChanged changed = (WalletEvent.PaymentStateChanged) event;
      assertThat(changed.txid()).isEqualTo(txid);
      states.add(changed.state());
    }
    return states;
  }

  private PaymentState.Stage state(Hash256 txid) {
    PaymentState inDetail =
        wallet.history().transaction(txid).orElseThrow().entry().state().orElseThrow();
    assertThat(wallet.history().list())
        .filteredOn(entry -> entry.txid().equals(txid))
        .singleElement()
        .satisfies(entry -> assertThat(entry.state()).contains(inDetail));
    return inDetail.stage();
  }

  /** The one that takes it is still connecting when the other one has refused it by its rate. */
  @Test
  void onePeerRefusesAndALaterOneTakesIt() throws Exception {
    wallet.stop();
    following.get(60, TimeUnit.SECONDS);
    Behaviour slow =
        Behaviour.honest()
            .with(new EndsMempool())
            .relayingAnything()
            .withRoundTrip(Duration.ofMillis(500));
    try (RegtestNode later = RegtestNode.start(node.chain(), slow)) {
      NodeAddress refuses = new NodeAddress("127.0.0.1", node.port());
      NodeAddress takes = new NodeAddress("127.0.0.1", later.port());
      SyncOptions both = SyncOptions.connect(node.address(), later.address());
      following = CompletableFuture.supplyAsync(() -> follow(both, events::add));
      await(event -> event instanceof SyncEvent.PeerReady e && e.address().equals(refuses));
      PaymentOrder cheap =
          PaymentOrder.of(List.of(Payees.of(THEIRS, 1_000_000)), FeeRate.satPerKvb(200));
      SyncOptions patient = both.limits(limits -> limits.broadcastWait(Duration.ofDays(1)));
      BroadcastReport report =
          wallet
              .payments()
              .pay(wallet.payments().plan(cheap), Credentials.NONE, patient, SyncListener.NONE);
      assertThat(report.refusedBy()).containsOnlyKeys(refuses);
      assertThat(report.refusedBy().get(refuses)).contains("relays nothing below 1.00 sat/vB");
      assertThat(report.acceptedBy()).containsExactly(takes);
      assertThat(later.mempool().transaction(report.txid())).isNotNull();
      assertThat(node.mempool().transaction(report.txid())).isNull();
      List<PaymentState> states = states(report.txid(), PaymentState.Stage.RELAYED);
      PaymentState last = states.get(states.size() - 1);
      assertThat(last.refusedBy()).isEqualTo(report.refusedBy());
      assertThat(last.relayedBy()).containsExactly(takes);
      assertThat(wallet.balance().unheard()).isZero();
      wallet.stop();
      following.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void twoThreadsDoNotSpendOneCoinTwice() throws Exception {
    Proposal one = wallet.payments().plan(PaymentOrder.of(List.of(Payees.all(THEIRS)), rate()));
    CompletableFuture<Object> first = CompletableFuture.supplyAsync(() -> outcome(one));
    CompletableFuture<Object> second = CompletableFuture.supplyAsync(() -> outcome(one));
    List<Object> outcomes = List.of(first.get(), second.get());
    assertThat(outcomes).hasAtLeastOneElementOfType(Tx.class);
    assertThat(outcomes).hasAtLeastOneElementOfType(PaymentRefusedException.class);
  }

  private static FeeRate rate() {
    return FeeRate.satPerVb(5);
  }

  private Object outcome(Proposal proposal) {
    try {
      return sign(proposal);
    } catch (Exception e) {
      return e;
    }
  }

  @Test
  void abandonsWhileItFollows() throws Exception {
    Tx tx = sign(wallet.payments().plan(PaymentOrder.of(List.of(Payees.all(THEIRS)), rate())));
    await(event -> event instanceof WalletEvent.Payment e && e.change() == Change.SEEN);
    assertThat(wallet.coins().list()).isEmpty();
    wallet.payments().abandon(tx.txid());
    SyncEvent gone =
        await(event -> event instanceof WalletEvent.Payment e && e.change() == Change.GONE);
    assertThat(((WalletEvent.Payment) gone).entry().status()).isEqualTo(TxStatus.ABANDONED);
    assertThat(wallet.coins().list()).hasSize(2);
    assertThat(node.mempool().transaction(tx.txid())).isNull();
    // The session works with what it has learnt: the same coins again, in another payment.
    Proposal other = wallet.payments().plan(order(6_000_000_000L));
    assertThat(
            wallet
                .payments()
                .pay(other, Credentials.NONE, options(), SyncListener.NONE)
                .isAccepted())
        .isTrue();
    node.mine(1);
    await(event -> event instanceof WalletEvent.Payment e && e.change() == Change.CONFIRMED);
    assertThat(wallet.balance().unconfirmed()).isZero();
  }

  /** The session waits for its listener: a payment there would wait for itself. */
  @Test
  void refusesToPayOnTheListenersThread() throws Exception {
    Proposal proposal = wallet.payments().plan(order(1_000_000));
    wallet.stop();
    following.get(60, TimeUnit.SECONDS);
    List<Object> outcomes = new ArrayList<>();
    SyncListener paying =
        event -> {
          if (event instanceof WalletEvent.Complete) {
            outcomes.add(outcome(proposal));
            wallet.stop();
          }
        };
    following = CompletableFuture.supplyAsync(() -> follow(paying));
    following.get(60, TimeUnit.SECONDS);
    assertThat(outcomes)
        .singleElement()
        .isInstanceOfSatisfying(
            WalletException.class,
            e -> assertThat(e.kind()).isEqualTo(WalletException.Kind.WRONG_THREAD));
    assertThatThrownBy(() -> wallet.payments().abandon(Hash256.ZERO))
        .isInstanceOfSatisfying(
            WalletException.class,
            e -> assertThat(e.kind()).isEqualTo(WalletException.Kind.NOT_FOUND));
  }

  @Test
  void aPaymentAsksTheSessionThatIsEnding() throws Exception {
    Proposal proposal = wallet.payments().plan(order(1_000_000));
    CompletableFuture<Object> paying = CompletableFuture.supplyAsync(() -> outcome(proposal));
    wallet.stop();
    assertThat(paying.get(60, TimeUnit.SECONDS)).isInstanceOf(Tx.class);
    assertThat(wallet.history().list()).anyMatch(entry -> entry.status() == TxStatus.PENDING);
  }
}
