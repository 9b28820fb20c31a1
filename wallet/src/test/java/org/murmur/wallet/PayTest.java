package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.CALLS_REAL_METHODS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.Notice;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.spend.FeePolicy;
import org.murmur.coins.spend.PaymentOrder;
import org.murmur.coins.spend.PaymentPlan;
import org.murmur.coins.spend.Recipient;
import org.murmur.coins.spend.SpendOutcome;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncEvent.MempoolAnswered;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.regtest.node.Behaviour;
import org.murmur.wallet.internal.session.Environment;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.pay.CatchUp;
import org.murmur.wallet.pay.EarlierPayment;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.pay.PaymentTrace;
import org.murmur.wallet.pay.PaymentWarning;
import org.murmur.wallet.pay.Proposal;
import org.murmur.wallet.pay.Refusal;
import org.murmur.wallet.pay.Refusal.Plain;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.PaymentState;
import org.murmur.wallet.sync.StopSignal;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;
import org.murmur.wallet.sync.WalletWarning;

/** What a wallet must not do with money, with the embedded node as the only peer. */
@Timeout(120)
final class PayTest {

  private static final Bytes THEIRS = Bytes.ofHex("0014751e76e8199196d454941c45d1b3a323f1433bd6");
  private static final long COIN = 1_000_000;

  private final WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
  private final List<Bytes> scripts = Lives.scripts(recipe, 0, 20);

  @TempDir Path folder = Path.of("");

  private RegtestNode node;
  private SpvWallet wallet;
  private int spent;

  @BeforeEach
  void start() {
    node = RegtestNode.start();
    node.mine(120);
    wallet = SpvWallet.create(folder.resolve("w"), recipe);
  }

  @AfterEach
  void stop() {
    wallet.close();
    node.close();
  }

  private SyncOptions options() {
    return SyncOptions.connect(node.address());
  }

  private void sync() throws Exception {
    assertThat(wallet.sync(options(), SyncListener.NONE).complete()).isTrue();
  }

  /** Pays the wallet from a coinbase that is anyone's. */
  private Tx receive(int script, long satoshi) {
    spent++;
    OutPoint coin = new OutPoint(node.blockAt(spent).tx(0).txid(), 0);
    Tx payment = new TxBuilder().spend(coin).pay(satoshi, scripts.get(script)).build();
    node.broadcast(payment);
    return payment;
  }

  private void confirm(int coins) throws Exception {
    for (int i = 0; i < coins; i++) {
      receive(i, COIN);
    }
    node.mine(1);
    sync();
    assertThat(wallet.balance().confirmed()).isEqualTo(coins * COIN);
  }

  private static PaymentOrder order(long amount, int satPerVb) {
    return PaymentOrder.of(List.of(Payees.of(THEIRS, amount)), FeeRate.satPerVb(satPerVb));
  }

  private static FeePolicy rate(int satPerVb) {
    return FeePolicy.of(FeeRate.satPerVb(satPerVb));
  }

  private Tx send(Proposal proposal) throws Exception {
    Tx tx = wallet.payments().sign(proposal, Credentials.NONE, SyncListener.NONE);
    assertThat(wallet.payments().broadcast(tx, options(), SyncListener.NONE).isAccepted()).isTrue();
    return tx;
  }

  private static void refuses(Refusal reason, ThrowingCallable attempt) {
    assertThatThrownBy(attempt)
        .isInstanceOfSatisfying(
            PaymentRefusedException.class,
            refused -> assertThat(refused.reason()).isEqualTo(reason));
  }

  private static void refuses(Class<? extends Refusal> reason, ThrowingCallable attempt) {
    assertThatThrownBy(attempt)
        .isInstanceOfSatisfying(
            PaymentRefusedException.class,
            refused -> assertThat(refused.reason()).isInstanceOf(reason));
  }

  private static void hasNoPlan(
      Class<? extends SpendOutcome.Refused> why, ThrowingCallable attempt) {
    assertThatThrownBy(attempt)
        .isInstanceOfSatisfying(
            PaymentRefusedException.class,
            refused ->
                assertThat(refused.reason())
                    .isInstanceOfSatisfying(
                        Refusal.NoPlan.class, none -> assertThat(none.why()).isInstanceOf(why)));
  }

  /** An invoice of an exact amount stays paid in full. */
  /** Whoever has the keys named the payees, and perhaps that was not the user of this wallet. */
  @Test
  void aPaymentOfAnotherCopyIsReplacedOnlyAfterItsPayeesWereSeen() throws Exception {
    confirm(2);
    Tx payment = send(wallet.payments().plan(order(300_000, 1)));
    try (SpvWallet copy = SpvWallet.create(folder.resolve("copy"), recipe)) {
      copy.sync(options(), SyncListener.NONE);
      HistoryEntry entry = copy.history().list().get(copy.history().list().size() - 1);
      assertThat(entry.txid()).isEqualTo(payment.txid());
      assertThat(entry.state().map(PaymentState::elsewhere)).contains(true);
      assertThat(wallet.history().list().get(2).state().map(PaymentState::elsewhere))
          .contains(false);

      Proposal bump = copy.payments().planBump(payment.txid(), rate(9));
      assertThat(bump.warnings()).contains(new PaymentWarning.MadeElsewhere(payment.txid()));
      refuses(
          Refusal.PayeeNotNamed.class,
          () -> copy.payments().sign(bump, Credentials.NONE, SyncListener.NONE));
      Tx signed = copy.payments().sign(bump.acceptingPayees(), Credentials.NONE, SyncListener.NONE);
      assertThat(signed.outputs()).anyMatch(output -> output.script().equals(THEIRS));
    }
  }

  @Test
  void aCancellationOfAnotherCopysPaymentPaysNobodyElse() throws Exception {
    confirm(2);
    Tx payment = send(wallet.payments().plan(order(300_000, 1)));
    try (SpvWallet copy = SpvWallet.create(folder.resolve("copy"), recipe)) {
      copy.sync(options(), SyncListener.NONE);
      Proposal cancel = copy.payments().planCancel(payment.txid(), rate(9));
      assertThat(cancel.warnings()).contains(new PaymentWarning.MadeElsewhere(payment.txid()));
      Tx signed = copy.payments().sign(cancel, Credentials.NONE, SyncListener.NONE);
      assertThat(signed.outputs()).noneMatch(output -> output.script().equals(THEIRS));
    }
  }

  @Test
  void aBumpPaysThePayeeNoLessWhereThePaymentHasNoChange() throws Exception {
    confirm(2);
    // What is left of this coin is less than change costs.
    List<OutPoint> one = List.of(wallet.coins().list().get(0).outPoint());
    Proposal exact = wallet.payments().plan(order(COIN - 300, 2).spendingOnly(one));
    assertThat(exact.plan().change()).isEmpty();
    Tx slow = send(exact);
    Proposal faster = wallet.payments().planBump(slow.txid(), rate(20));
    assertThat(faster.paid()).isEqualTo(COIN - 300);
    Tx fast = send(faster);
    assertThat(node.mempool().transactions()).containsExactly(fast);
  }

  @Test
  void aBumpOfASweepTakesTheFeeFromTheSum() throws Exception {
    confirm(2);
    Tx slow =
        send(
            wallet
                .payments()
                .plan(PaymentOrder.of(List.of(Payees.all(THEIRS)), FeeRate.satPerVb(2))));
    Proposal faster = wallet.payments().planBump(slow.txid(), rate(20));
    assertThat(faster.paid()).isEqualTo(2 * COIN - faster.plan().fee());
    assertThat(faster.warnings())
        .contains(new PaymentWarning.PayeeGetsLess(slow.outputs().get(0).value(), faster.paid()));
    send(faster);
  }

  /** Nobody tells an SPV wallet what a stranger's inputs are worth. */
  @Test
  void aChildSaysThatTheFeeOfItsParentIsUnknown() throws Exception {
    confirm(1);
    Tx incoming = receive(5, COIN);
    sync();
    assertThat(wallet.payments().planBump(incoming.txid(), rate(20)).warnings())
        .contains(new PaymentWarning.ParentFeeUnknown(FeeRate.satPerVb(20)));
  }

  /** The parent spends what the wallet paid, so its fee of 1,000 sat is known. */
  @Test
  void aChildCountsWhatItsParentPays() throws Exception {
    confirm(1);
    Tx paid = send(wallet.payments().plan(order(COIN / 2, 2)));
    node.mine(1);
    sync();
    int at = paid.outputs().get(0).script().equals(THEIRS) ? 0 : 1;
    Tx back =
        new TxBuilder()
            .spend(new OutPoint(paid.txid(), at))
            .pay(COIN / 2 - 1_000, scripts.get(7))
            .build();
    node.broadcast(back);
    sync();
    Proposal child = wallet.payments().planBump(back.txid(), rate(20));
    assertThat(child.warnings()).isEmpty();
    assertThat(child.plan().ancestorFee())
        .isEqualTo(FeeRate.satPerVb(20).feeOf(back.virtualSize()) - 1_000);
  }

  @Test
  void eachAccountReceivesAndPays() throws Exception {
    for (int account : new int[] {1, 999_999_999, 1_000_000_000, Integer.MAX_VALUE}) {
      WalletRecipe other =
          WalletRecipe.ofMnemonic(
              ChainParams.REGTEST, Lives.WORDS, "", List.of(OutputType.P2WPKH), account);
      Bytes script = Lives.scripts(other, 0, 1).get(0);
      spent++;
      OutPoint coin = new OutPoint(node.blockAt(spent).tx(0).txid(), 0);
      node.broadcast(new TxBuilder().spend(coin).pay(COIN, script).build());
      node.mine(1);
      try (SpvWallet theirs = SpvWallet.create(folder.resolve("account" + account), other)) {
        assertThat(theirs.sync(options(), SyncListener.NONE).complete()).isTrue();
        assertThat(theirs.balance().confirmed()).isEqualTo(COIN);
        Tx tx =
            theirs
                .payments()
                .sign(
                    theirs.payments().plan(order(COIN / 2, 2)),
                    Credentials.NONE,
                    SyncListener.NONE);
        assertThat(tx.inputs()).hasSize(1);
      }
    }
  }

  /** Whoever sent the parent can replace it, and the change of its child vanishes with it. */
  @Test
  void changeOfAChildOfAForeignPendingPaymentIsNotSpent() throws Exception {
    confirm(1);
    Tx incoming = receive(5, COIN);
    sync();
    Tx child = send(wallet.payments().planBump(incoming.txid(), rate(20)));
    assertThat(wallet.coins().list())
        .extracting(coin -> coin.outPoint().txid())
        .contains(child.txid());
    hasNoPlan(
        SpendOutcome.InsufficientFunds.class,
        () -> wallet.payments().plan(order(COIN + COIN / 2, 2)));
    node.mine(1);
    sync();
    wallet.payments().plan(order(COIN + COIN / 2, 2));
  }

  @Test
  void aChildOfAForeignPendingPaymentCanBeBumpedAgain() throws Exception {
    confirm(1);
    Tx incoming = receive(5, COIN);
    sync();
    Tx child = send(wallet.payments().planBump(incoming.txid(), rate(20)));
    Proposal faster = wallet.payments().planBump(child.txid(), rate(40));
    Tx fast = send(faster);
    assertThat(faster.coins()).contains(child.inputs().get(0).outPoint());
    assertThat(node.mempool().transactions()).containsExactlyInAnyOrder(incoming, fast);
  }

  @Test
  void changeOfAnOwnPendingPaymentIsSpent() throws Exception {
    confirm(1);
    send(wallet.payments().plan(order(COIN / 4, 2)));
    send(wallet.payments().plan(order(COIN / 5, 2)));
    assertThat(node.mempool().transactions()).hasSize(2);
  }

  /** It is in the list of coins, so it is not unknown. */
  @Test
  void namedChangeThatNoPeerHasIsNotSpendable() throws Exception {
    confirm(1);
    Tx unsent =
        wallet
            .payments()
            .sign(wallet.payments().plan(order(COIN / 4, 2)), Credentials.NONE, SyncListener.NONE);
    OutPoint change = wallet.coins().list().get(0).outPoint();
    assertThat(change.txid()).isEqualTo(unsent.txid());
    hasNoPlan(
        SpendOutcome.CoinNotSpendable.class,
        () -> wallet.payments().plan(order(COIN / 5, 2).spendingOnly(List.of(change))));
  }

  @Test
  void ofTwoProcessesWithAPlanEachOnlyOneSigns() throws Exception {
    confirm(1);
    Proposal mine = wallet.payments().plan(order(COIN / 2, 2));
    try (SpvWallet other = SpvWallet.open(folder.resolve("w"))) {
      Proposal theirs = other.payments().plan(order(COIN / 4, 2));
      other.payments().sign(theirs, Credentials.NONE, SyncListener.NONE);
    }
    refuses(
        Plain.OUTDATED, () -> wallet.payments().sign(mine, Credentials.NONE, SyncListener.NONE));
    assertThat(wallet.history().list().stream().filter(tx -> !tx.height().isPresent())).hasSize(1);
  }

  /** Neither coins nor a change address are common; asked for one payment, both would make it. */
  @Test
  void ofTwoPlansWithoutChangeAndWithOtherCoinsOnlyOneIsSigned() throws Exception {
    confirm(2);
    List<OutPoint> coins = wallet.coins().list().stream().map(WalletCoin::outPoint).toList();
    Proposal one = wallet.payments().plan(order(COIN - 300, 2).spendingOnly(List.of(coins.get(0))));
    Proposal two = wallet.payments().plan(order(COIN - 300, 2).spendingOnly(List.of(coins.get(1))));
    send(one);
    refuses(
        Refusal.PaidAlready.class,
        () -> wallet.payments().sign(two, Credentials.NONE, SyncListener.NONE));
    node.mine(1);
    sync();
    refuses(
        Refusal.PaidAlready.class,
        () -> wallet.payments().sign(two, Credentials.NONE, SyncListener.NONE));
    send(
        wallet
            .payments()
            .plan(order(COIN - 300, 2).spendingOnly(List.of(coins.get(1))).again(true)));
  }

  @Test
  void onePlanIsSignedOnce() throws Exception {
    confirm(2);
    Proposal plan = wallet.payments().plan(order(COIN / 2, 2));
    wallet.payments().sign(plan, Credentials.NONE, SyncListener.NONE);
    refuses(
        Refusal.PaidAlready.class,
        () -> wallet.payments().sign(plan, Credentials.NONE, SyncListener.NONE));
  }

  @Test
  void theSameIsPaidAgainOnlyIfThatIsOrdered() throws Exception {
    confirm(2);
    Tx first = send(wallet.payments().plan(order(COIN / 2, 2)));
    Proposal second = wallet.payments().plan(order(COIN / 2, 3));
    EarlierPayment earlier = second.earlier().orElseThrow();
    assertThat(earlier.txid()).isEqualTo(first.txid());
    assertThat(earlier.isPending()).isTrue();
    assertThat(earlier.heard()).isTrue();
    refuses(
        Refusal.PaidAlready.class,
        () -> wallet.payments().sign(second, Credentials.NONE, SyncListener.NONE));
    Proposal again = wallet.payments().plan(order(COIN / 2, 3).again(true));
    assertThat(again.earlier()).isEmpty();
    send(again);
    assertThat(node.mempool().transactions()).hasSize(2);
    node.mine(1);
    sync();
    assertThat(wallet.payments().plan(order(COIN / 10, 3)).earlier()).isEmpty();
  }

  /** A backup knows nothing of the payments since; the peer has them in its pool or in a block. */
  @Test
  void afterAnOlderCopyOfTheFileIsPutBackTheSameIsNotPaidAgain() throws Exception {
    confirm(3);
    Path backup = folder.resolve("backup");
    wallet.close();
    Files.copy(folder.resolve("w"), backup);
    wallet = SpvWallet.open(folder.resolve("w"));
    Tx first = send(wallet.payments().plan(order(COIN / 2, 2)));
    putBack(backup);
    assertThat(wallet.payments().plan(order(COIN / 2, 2)).earlier()).isEmpty();
    assertThat(wallet.payments().catchUp(options(), SyncListener.NONE)).isPresent();
    assertThat(wallet.chain().complete()).isTrue();
    Proposal inPool = wallet.payments().plan(order(COIN / 2, 2));
    assertThat(inPool.earlier())
        .hasValueSatisfying(
            earlier -> {
              assertThat(earlier.txid()).isEqualTo(first.txid());
              assertThat(earlier.status()).isEqualTo(TxStatus.PENDING);
            });
    refuses(
        Refusal.PaidAlready.class,
        () -> wallet.payments().sign(inPool, Credentials.NONE, SyncListener.NONE));
    putBack(backup);
    node.mine(1);
    assertThat(wallet.payments().catchUp(options(), SyncListener.NONE)).isPresent();
    assertThat(wallet.chain().complete()).isTrue();
    Proposal inBlock = wallet.payments().plan(order(COIN / 2, 2));
    assertThat(inBlock.earlier())
        .hasValueSatisfying(
            earlier -> {
              assertThat(earlier.txid()).isEqualTo(first.txid());
              assertThat(earlier.status()).isEqualTo(TxStatus.CONFIRMED);
            });
    refuses(
        Refusal.PaidAlready.class,
        () -> wallet.payments().sign(inBlock, Credentials.NONE, SyncListener.NONE));
    assertThat(node.mempool().transactions()).isEmpty();
    send(wallet.payments().plan(order(COIN / 2, 2).again(true)));
    // Another amount is another payment, and of everything there is nothing left to pay twice.
    assertThat(wallet.payments().plan(order(COIN / 2 + 1, 2)).earlier()).isEmpty();
  }

  /** Most nodes announce their pools after random pauses: the time limit ends the wait. */
  @Test
  void thePoolOfAPeerThatTakesItsTimeCountsToo() throws Exception {
    node.close();
    node =
        RegtestNode.start(
            node.chain(), Behaviour.honest().spreadingAnnouncements(Duration.ofMillis(50)));
    spent = 120;
    node.mine(120);
    confirm(2);
    Path backup = folder.resolve("backup");
    wallet.close();
    Files.copy(folder.resolve("w"), backup);
    wallet = SpvWallet.open(folder.resolve("w"));
    Tx first = send(wallet.payments().plan(order(COIN / 2, 2)));
    putBack(backup);
    SyncOptions patient =
        options()
            .limits(
                limits -> limits.mempoolWait(Duration.ofMinutes(1)).time(Duration.ofSeconds(3)));
    assertThat(wallet.payments().catchUp(patient, SyncListener.NONE)).isPresent();
    assertThat(wallet.chain().complete()).isTrue();
    assertThat(wallet.payments().plan(order(COIN / 2, 2)).earlier())
        .hasValueSatisfying(earlier -> assertThat(earlier.txid()).isEqualTo(first.txid()));
  }

  /** It is complete long before the peer has announced its pool. */
  @Test
  void aSyncThatRunsKnowsThePoolOnlyAfterItWasTold() throws Exception {
    node.close();
    node =
        RegtestNode.start(
            node.chain(), Behaviour.honest().spreadingAnnouncements(Duration.ofMillis(200)));
    spent = 120;
    node.mine(120);
    confirm(2);
    Path backup = folder.resolve("backup");
    wallet.close();
    Files.copy(folder.resolve("w"), backup);
    wallet = SpvWallet.open(folder.resolve("w"));
    Tx first = send(wallet.payments().plan(order(COIN / 2, 2)));
    putBack(backup);
    CountDownLatch complete = new CountDownLatch(1);
    SyncListener listener =
        event -> {
          if (event instanceof WalletEvent.Complete) {
            complete.countDown();
          }
        };
    RunningSync sync = wallet.start(options().follow(true), Runnable::run, listener);
    complete.await();
    CatchUp caught =
        wallet
            .payments()
            .catchUp(
                options().limits(limits -> limits.mempoolWait(Duration.ofSeconds(4))),
                SyncListener.NONE)
            .orElseThrow();
    assertThat(wallet.payments().plan(order(COIN / 2, 2)).earlier())
        .hasValueSatisfying(earlier -> assertThat(earlier.txid()).isEqualTo(first.txid()));
    // What its peers relay is known, too.
    assertThat(caught.least()).isEqualTo(FeeRate.satPerKvb(1_000));
    assertThat(sync.isRunning()).isTrue();
    sync.close();
  }

  /** What was announced hours ago says nothing about now. */
  @Test
  void thePoolIsKnownSinceItWasToldAndNotSinceTheSessionEnded() throws Exception {
    confirm(1);
    AtomicReference<Duration> passed = new AtomicReference<>(Duration.ZERO);
    Clock clock = mock(Clock.class, CALLS_REAL_METHODS);
    when(clock.instant()).thenAnswer(call -> Instant.now().plus(passed.get()));
    wallet.close();
    wallet = SpvWallet.open(folder.resolve("w"), new Environment(clock, new SecureRandom()));
    CountDownLatch answered = new CountDownLatch(1);
    SyncListener listener =
        event -> {
          if (event instanceof SyncEvent.MempoolAnswered) {
            answered.countDown();
          }
        };
    RunningSync sync = wallet.start(options().follow(true), Runnable::run, listener);
    answered.await();
    sync.close();
    assertThat(poolsAskedToCatchUp()).isEqualTo(MempoolAnswered.Answer.SKIPPED);
    RunningSync longOne = wallet.start(options().follow(true), Runnable::run, SyncListener.NONE);
    // Waits until the sync knows the pool, which is after the event: what was told is on disk.
    wallet.payments().catchUp(options(), SyncListener.NONE);
    passed.set(Duration.ofHours(2));
    longOne.close();
    assertThat(poolsAskedToCatchUp()).isEqualTo(MempoolAnswered.Answer.COMPLETE);
  }

  private MempoolAnswered.Answer poolsAskedToCatchUp() throws Exception {
    List<MempoolAnswered.Answer> answers = new ArrayList<>();
    SyncListener listener =
        event -> {
          if (event instanceof SyncEvent.MempoolAnswered e) {
            answers.add(e.answer());
          }
        };
    // It ends, whatever the options say of a sync.
    assertThat(wallet.payments().catchUp(options().follow(true), listener)).isPresent();
    return answers.get(0);
  }

  private void putBack(Path backup) throws Exception {
    wallet.close();
    Files.copy(backup, folder.resolve("w"), StandardCopyOption.REPLACE_EXISTING);
    wallet = SpvWallet.open(folder.resolve("w"));
  }

  /** After days the same sum is a new one: rent, a salary. */
  @Test
  void whatBlocksHoldForDaysDoesNotForbidTheSame() throws Exception {
    confirm(2);
    Tx first = send(wallet.payments().plan(order(COIN / 2, 2)));
    node.mine(EarlierPayment.RECENT_BLOCKS);
    sync();
    assertThat(wallet.payments().plan(order(COIN / 2, 2)).earlier())
        .hasValueSatisfying(earlier -> assertThat(earlier.txid()).isEqualTo(first.txid()));
    node.mine(1);
    sync();
    assertThat(wallet.payments().plan(order(COIN / 2, 2)).earlier()).isEmpty();
  }

  /** Whoever sends everything twice pays nothing twice: the second time it is the rest. */
  @Test
  void everythingIsSentAgainAfterABlock() throws Exception {
    confirm(2);
    PaymentOrder all = PaymentOrder.of(List.of(Payees.all(THEIRS)), FeeRate.satPerVb(2));
    send(wallet.payments().plan(all));
    node.mine(1);
    receive(7, COIN);
    node.mine(1);
    sync();
    assertThat(wallet.payments().plan(all).earlier()).isEmpty();
  }

  /** Its coins are all in the first one: that is why they do not suffice. */
  @Test
  void aPaymentThatTookAllCoinsIsTheReasonThatTheSameCannotBePlanned() throws Exception {
    confirm(1);
    wallet
        .payments()
        .sign(wallet.payments().plan(order(COIN / 2, 2)), Credentials.NONE, SyncListener.NONE);
    refuses(Refusal.PaidAlready.class, () -> wallet.payments().plan(order(COIN / 2, 2)));
    hasNoPlan(
        SpendOutcome.InsufficientFunds.class, () -> wallet.payments().plan(order(COIN / 3, 2)));
  }

  /** A peer may have the abandoned one: of both, only one can be mined if they share a coin. */
  @Test
  void whatWasAbandonedIsPaidAgainWithItsCoin() throws Exception {
    confirm(2);
    Tx gone =
        wallet
            .payments()
            .sign(wallet.payments().plan(order(COIN / 2, 2)), Credentials.NONE, SyncListener.NONE);
    wallet.payments().abandon(gone.txid());
    List<OutPoint> its = gone.inputs().stream().map(Tx.Input::outPoint).toList();
    List<OutPoint> other =
        wallet.coins().list().stream()
            .map(WalletCoin::outPoint)
            .filter(coin -> !its.contains(coin))
            .toList();
    Proposal twice = wallet.payments().plan(order(COIN / 2, 2).spendingOnly(other));
    EarlierPayment earlier = twice.earlier().orElseThrow();
    assertThat(earlier.status()).isEqualTo(TxStatus.ABANDONED);
    assertThat(earlier.coins()).isEqualTo(its);
    refuses(
        Refusal.PaidAlready.class,
        () -> wallet.payments().sign(twice, Credentials.NONE, SyncListener.NONE));
    send(wallet.payments().plan(order(COIN / 2, 2).spendingOnly(its)));
  }

  @Test
  void aReplacementThatWasPlannedBeforeABlockTookTheOriginalIsNotSigned() throws Exception {
    confirm(1);
    Tx slow = send(wallet.payments().plan(order(COIN / 2, 2)));
    Proposal faster = wallet.payments().planBump(slow.txid(), rate(20));
    Proposal back = wallet.payments().planCancel(slow.txid(), rate(20));
    node.mine(1);
    sync();
    refuses(
        Plain.CONFIRMED, () -> wallet.payments().sign(faster, Credentials.NONE, SyncListener.NONE));
    refuses(
        Plain.CONFIRMED, () -> wallet.payments().sign(back, Credentials.NONE, SyncListener.NONE));
  }

  @Test
  void onlyOneOfABumpAndACancelIsSigned() throws Exception {
    confirm(1);
    Tx slow = send(wallet.payments().plan(order(COIN / 2, 2)));
    Proposal faster = wallet.payments().planBump(slow.txid(), rate(20));
    Proposal back = wallet.payments().planCancel(slow.txid(), rate(30));
    Tx fast = wallet.payments().sign(faster, Credentials.NONE, SyncListener.NONE);
    refuses(
        new Refusal.Replaced(fast.txid(), OptionalInt.empty()),
        () -> wallet.payments().sign(back, Credentials.NONE, SyncListener.NONE));
    refuses(Plain.NOT_PENDING, () -> wallet.payments().planCancel(Hash256.ZERO, rate(30)));
  }

  @Test
  void anAbandonedReplacementLeavesThePaymentPending() throws Exception {
    confirm(1);
    Tx slow = send(wallet.payments().plan(order(COIN / 2, 2)));
    Tx fast =
        wallet
            .payments()
            .sign(
                wallet.payments().planBump(slow.txid(), rate(20)),
                Credentials.NONE,
                SyncListener.NONE);
    assertThat(status(slow)).isEqualTo(TxStatus.REPLACED);
    assertThatThrownBy(() -> wallet.payments().abandon(slow.txid()))
        .hasMessageContaining(fast.txid() + " has replaced it");
    assertThat(status(fast)).isEqualTo(TxStatus.PENDING);
    wallet.payments().abandon(fast.txid());
    assertThat(status(slow)).isEqualTo(TxStatus.PENDING);
    assertThat(status(fast)).isNotEqualTo(TxStatus.PENDING);
  }

  private TxStatus status(Tx tx) {
    return wallet.history().transaction(tx.txid()).orElseThrow().entry().status();
  }

  @Test
  void aBumpKeepsDataAndTheOtherRecipients() throws Exception {
    confirm(2);
    Bytes theirs = scripts.get(15);
    Tx slow =
        send(
            wallet
                .payments()
                .plan(
                    PaymentOrder.of(
                        List.of(
                            Payees.of(THEIRS, 200_000),
                            Recipient.data(Bytes.ofHex("c0ffee")),
                            Payees.of(theirs, 300_000)),
                        FeeRate.satPerVb(2))));
    Proposal faster = wallet.payments().planBump(slow.txid(), rate(20));
    assertThat(faster.paid()).isEqualTo(500_000);
    assertThat(faster.plan().outputs())
        .filteredOn(output -> !output.isChange())
        .extracting(PaymentPlan.Output::value)
        .containsExactlyInAnyOrder(200_000L, 0L, 300_000L);
    send(faster);
  }

  @Test
  void aCancelledPaymentReturnsAllButTheFee() throws Exception {
    confirm(1);
    Tx slow = send(wallet.payments().plan(order(COIN - 300, 2)));
    Proposal back = wallet.payments().planCancel(slow.txid(), rate(20));
    send(back);
    node.mine(1);
    sync();
    assertThat(wallet.balance().total()).isEqualTo(COIN - back.plan().fee());
    assertThat(wallet.balance().unconfirmed()).isZero();
  }

  /** A cancel is itself a payment to the wallet: it can be made faster. */
  @Test
  void aCancelCanBeBumped() throws Exception {
    confirm(2);
    Tx slow = send(wallet.payments().plan(order(COIN / 2, 2)));
    Tx back = send(wallet.payments().planCancel(slow.txid(), rate(10)));
    Proposal faster = wallet.payments().planBump(back.txid(), rate(30));
    // At a low rate the first payment may spend both coins.
    assertThat(faster.coins())
        .containsExactlyInAnyOrderElementsOf(
            back.inputs().stream().map(Tx.Input::outPoint).collect(Collectors.toList()));
    send(faster);
    node.mine(1);
    sync();
    assertThat(wallet.balance().total()).isEqualTo(2 * COIN - faster.plan().fee());
  }

  @Test
  void aListenerThatFailsDoesNotUndoThePayment() throws Exception {
    confirm(1);
    Proposal plan = wallet.payments().plan(order(COIN / 2, 2));
    assertThatThrownBy(
            () ->
                wallet
                    .payments()
                    .sign(
                        plan,
                        Credentials.NONE,
                        event -> {
                          throw new IllegalArgumentException("listener");
                        }))
        .hasMessage("listener");
    assertThat(wallet.history().list().stream().filter(tx -> !tx.height().isPresent())).hasSize(1);
    refuses(
        Refusal.PaidAlready.class,
        () -> wallet.payments().sign(plan, Credentials.NONE, SyncListener.NONE));
    sync();
  }

  /** Its feefilter says so when it connects: there is nothing to wait for. */
  @Test
  void aRateBelowWhatAllPeersRelayEndsTheBroadcastAtOnce() throws Exception {
    confirm(1);
    PaymentOrder cheap =
        PaymentOrder.of(List.of(Payees.of(THEIRS, COIN / 2)), FeeRate.satPerKvb(200));
    Tx unsent =
        wallet.payments().sign(wallet.payments().plan(cheap), Credentials.NONE, SyncListener.NONE);
    BroadcastReport report =
        wallet
            .payments()
            .broadcast(
                unsent,
                options().limits(limits -> limits.broadcastWait(Duration.ofDays(1))),
                SyncListener.NONE);
    assertThat(report.isAccepted()).isFalse();
    assertThat(report.refusedBy().values())
        .singleElement()
        .asString()
        .contains("relays nothing below 1.00 sat/vB");
  }

  @Test
  void aRateBelowWhatAllPeersRelayIsKnownBeforeSigning() throws Exception {
    confirm(1);
    CatchUp caught = wallet.payments().catchUp(options(), SyncListener.NONE).orElseThrow();
    PaymentOrder cheap =
        PaymentOrder.of(List.of(Payees.of(THEIRS, COIN / 2)), FeeRate.satPerKvb(200));
    Proposal below = wallet.payments().plan(cheap);
    refuses(
        new Refusal.FeeRateBelowFilter(FeeRate.satPerKvb(1_000), below.plan().paidRate()),
        () -> caught.requireTaken(below));
    caught.requireTaken(wallet.payments().plan(order(COIN / 2, 1)));
    refuses(
        Plain.NOBODY_TAKES_PAYMENTS, () -> new CatchUp(false, FeeRate.ZERO).requireTaken(below));
  }

  /**
   * Nodes ignore it in silence: whoever does not look at its state must hear why nothing happens.
   */
  @Test
  void aLaterSyncWarnsOfARateBelowWhatAllPeersRelay() throws Exception {
    confirm(1);
    PaymentOrder cheap =
        PaymentOrder.of(List.of(Payees.of(THEIRS, COIN / 2)), FeeRate.satPerKvb(200));
    Proposal plan = wallet.payments().plan(cheap);
    BroadcastReport report = wallet.payments().pay(plan, options());
    assertThat(report.isRefused()).isTrue();
    reopenLater();
    List<SyncEvent.Warning> heard = new ArrayList<>();
    SyncReport sync =
        wallet.sync(
            options(),
            event -> {
              if (event instanceof SyncEvent.Warning warning) {
                heard.add(warning);
              }
            });
    assertThat(sync.warnings())
        .containsExactly(
            new WalletWarning.FeeBelowFilter(
                report.txid(), plan.plan().paidRate(), FeeRate.satPerKvb(1_000)))
        .isEqualTo(heard);
  }

  /** At a low rate, several coins would be preferred: they need not be spent later. */
  @Test
  void coinsThatLinkNothingNewWinUnlessTheyCostMore() throws Exception {
    for (int i = 0; i < 6; i++) {
      receive(i, 300_000);
    }
    receive(6, 1_600_000);
    node.mine(1);
    sync();
    for (int i = 0; i < 20; i++) {
      Proposal proposal = wallet.payments().plan(order(COIN, 1));
      PaymentTrace trace = wallet.privacy().trace(proposal, Universe.of(ChainParams.REGTEST));
      assertThat(trace.newLinks()).isEmpty();
      assertThat(trace.apart()).isEmpty();
    }
    // No coin of an address suffices.
    Proposal large = wallet.payments().plan(order(1_700_000, 1));
    assertThat(wallet.privacy().trace(large, Universe.of(ChainParams.REGTEST)).newLinks())
        .isNotEmpty();
  }

  @Test
  void anUnsentPaymentIsStillPendingAfterASync() throws Exception {
    confirm(1);
    Tx unsent =
        wallet
            .payments()
            .sign(wallet.payments().plan(order(COIN / 2, 2)), Credentials.NONE, SyncListener.NONE);
    assertThat(wallet.history().transaction(unsent.txid()).orElseThrow().entry().heard()).isFalse();
    wallet.sync(options().limits(limits -> limits.mempoolWait(Duration.ZERO)), SyncListener.NONE);
    assertThat(status(unsent)).isEqualTo(TxStatus.PENDING);
  }

  /** Opens the wallet with a clock that is ahead by more than the time a payment spreads. */
  private void reopenLater() {
    wallet.close();
    Clock later = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(11));
    wallet = SpvWallet.open(folder.resolve("w"), new Environment(later, new SecureRandom()));
  }

  /** It was signed for another road: who has not ordered to send it does not want it sent. */
  @Test
  void aSignedPaymentIsNotAnnouncedUntilItIsOrdered() throws Exception {
    confirm(1);
    Tx signed =
        wallet
            .payments()
            .sign(wallet.payments().plan(order(COIN / 2, 2)), Credentials.NONE, SyncListener.NONE);
    assertThat(state(signed).ordered()).isFalse();
    reopenLater();
    SyncReport quiet = wallet.sync(options(), SyncListener.NONE);
    assertThat(quiet.announced()).isEmpty();
    assertThat(node.mempool().transactions()).isEmpty();
    assertThat(state(signed).ordered()).isFalse();
    assertThat(wallet.balance().unheard()).isNegative();
    assertThat(wallet.payments().broadcast(signed, options(), SyncListener.NONE).isAccepted())
        .isTrue();
    assertThat(state(signed).ordered()).isTrue();
    assertThat(node.mempool().transactions()).containsExactly(signed);
  }

  /** The order is in the file before a peer is looked for. */
  @Test
  void aPaymentThatCouldNotBeSentIsAnnouncedByTheNextSync() throws Exception {
    confirm(1);
    Tx unsent =
        wallet
            .payments()
            .sign(wallet.payments().plan(order(COIN / 2, 2)), Credentials.NONE, SyncListener.NONE);
    assertThatThrownBy(
            () ->
                wallet
                    .payments()
                    .broadcast(unsent, SyncOptions.connect("127.0.0.1:1"), SyncListener.NONE))
        .isInstanceOf(NoUsablePeerException.class);
    assertThat(state(unsent).ordered()).isTrue();
    assertThat(state(unsent).stage()).isEqualTo(PaymentState.Stage.BUILT);
    List<SyncEvent> events = Collections.synchronizedList(new ArrayList<>());
    SyncReport report = wallet.sync(options(), events::add);
    assertThat(report.announced())
        .singleElement()
        .satisfies(
            sent -> {
              assertThat(sent.txid()).isEqualTo(unsent.txid());
              assertThat(sent.to()).hasSize(1);
              assertThat(sent.fetchedBy()).isEqualTo(sent.to());
              assertThat(sent.relayedBy()).isEqualTo(sent.to());
            });
    assertThat(events)
        .contains(
            new SyncEvent.PeerReaction(
                unsent.txid(),
                report.announced().get(0).to().get(0),
                SyncEvent.PeerReaction.Kind.OFFERED));
    assertThat(node.mempool().transactions()).containsExactly(unsent);
  }

  /** The payment and the order to send it are one commit: nothing can come between them. */
  @SuppressWarnings("NullAway") // as a caller may who does not check
  @Test
  void aPaymentWhoseListenerThrowsIsSentByTheNextSync() throws Exception {
    confirm(2);
    Proposal proposal = wallet.payments().plan(order(COIN / 2, 2));
    assertThatThrownBy(() -> wallet.payments().signToSend(proposal, Credentials.NONE, null))
        .isInstanceOf(NullPointerException.class);
    SyncListener throwing =
        event -> {
          throw new IllegalStateException("the screen is gone");
        };
    assertThatThrownBy(() -> wallet.payments().pay(proposal, Credentials.NONE, options(), throwing))
        .hasMessage("the screen is gone");
    assertThat(node.mempool().transactions()).isEmpty();
    HistoryEntry payment = wallet.history().list().get(wallet.history().list().size() - 1);
    assertThat(payment.state())
        .hasValueSatisfying(
            state -> {
              assertThat(state.stage()).isEqualTo(PaymentState.Stage.BUILT);
              assertThat(state.ordered()).isTrue();
            });
    sync();
    assertThat(node.mempool().transaction(payment.txid())).isNotNull();
  }

  /** An exception would tempt to pay again. */
  @Test
  void whoPaysWithoutANetworkHasPaid() throws Exception {
    confirm(1);
    Proposal proposal = wallet.payments().plan(order(COIN / 2, 2));
    BroadcastReport unsent = wallet.payments().pay(proposal, SyncOptions.connect("127.0.0.1:1"));
    assertThat(unsent.unsent())
        .hasValueSatisfying(
            why -> {
              assertThat(why.text()).contains("127.0.0.1:1");
              assertThat(why.failure())
                  .containsInstanceOf(NoUsablePeerException.class)
                  .map(Throwable::getMessage)
                  .contains(why.text());
            });
    assertThat(unsent.isUnanswered()).isTrue();
    assertThat(
            wallet
                .history()
                .transaction(unsent.txid())
                .orElseThrow()
                .entry()
                .state()
                .orElseThrow()
                .ordered())
        .isTrue();
    refuses(Refusal.PaidAlready.class, () -> wallet.payments().pay(proposal, options()));
    sync();
    assertThat(node.mempool().transaction(unsent.txid())).isNotNull();
    BroadcastReport sent =
        wallet.payments().pay(wallet.payments().plan(order(COIN / 5, 2)), options());
    assertThat(sent.isAccepted()).isTrue();
    assertThat(sent.unsent()).isEmpty();
  }

  /** A session that ended early knows nothing of newer blocks: that is not the same as none. */
  @Test
  void whoWasStoppedDoesNotKnowHowHighTheChainIs() throws Exception {
    confirm(1);
    node.mine(1);
    StopSignal stopped = new StopSignal();
    stopped.stop();
    assertThat(wallet.payments().catchUp(options().stoppedBy(stopped), SyncListener.NONE))
        .isEmpty();
    assertThat(wallet.payments().catchUp(options(), SyncListener.NONE)).isPresent();
    assertThat(wallet.chain().complete()).isTrue();
    assertThat(wallet.chain().height()).isEqualTo(node.height());
  }

  /** It has left: to call it unsent would be a lie. */
  @Test
  void whatWasSentAndCannotBeWrittenDownIsSentNevertheless() throws Exception {
    confirm(1);
    // The payment and its order are new; what peers did with it is the first row written again.
    execute(
        "CREATE TRIGGER full BEFORE INSERT ON unconfirmed"
            + " WHEN NEW.id IN (SELECT id FROM unconfirmed) BEGIN"
            + " SELECT RAISE(ABORT, 'disk full'); END");
    List<SyncEvent> events = new ArrayList<>();
    Proposal proposal = wallet.payments().plan(order(COIN / 2, 2));
    BroadcastReport report =
        wallet.payments().pay(proposal, Credentials.NONE, options(), events::add);
    assertThat(report.isAccepted()).isTrue();
    assertThat(report.unsent()).isEmpty();
    assertThat(events)
        .filteredOn(SyncEvent.Warning.class::isInstance)
        .isNotEmpty()
        .allSatisfy(
            event ->
                assertThat(((SyncEvent.Warning) event).text())
                    .contains(report.txid().toString(), "was sent", "disk full"));
    execute("DROP TRIGGER full");
    sync();
    assertThat(wallet.history().transaction(report.txid()).orElseThrow().entry().heard()).isTrue();
  }

  private void execute(String sql) {
    try (Connection file = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("w"));
        Statement statement = file.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void unusualFeesAreNamedBeforeThePaymentIsSigned() throws Exception {
    confirm(1);
    assertThat(warnings(order(COIN / 2, 2))).isEmpty();
    assertThat(warnings(order(1_000, 2))).isEmpty();
    assertThat(warnings(order(1_000, 20))).containsExactly(PaymentWarning.FeeAboveAmount.class);
    // 141 virtual bytes.
    assertThat(warnings(order(50_000, 40))).containsExactly(PaymentWarning.FeeAboveTenth.class);
    assertThat(warnings(order(60_000, 40))).isEmpty();
    assertThat(warnings(order(40_000, 30))).as("too small to matter").isEmpty();
    List<Recipient> payee = List.of(Payees.of(THEIRS, COIN / 2));
    assertThat(warnings(order(COIN / 2, 490))).doesNotContain(PaymentWarning.FeeRateHigh.class);
    assertThat(warnings(order(COIN / 2, 510))).contains(PaymentWarning.FeeRateHigh.class);
    assertThat(warnings(PaymentOrder.of(payee, FeeRate.satPerKvb(990))))
        .containsExactly(PaymentWarning.FeeRateLow.class);
    assertThat(warnings(PaymentOrder.of(payee, FeeRate.satPerKvb(90))))
        .containsExactly(PaymentWarning.FeeRateTooLow.class);
  }

  @Test
  void payeesThatAreDoubtfulAreNamed() throws Exception {
    confirm(1);
    FeeRate rate = FeeRate.satPerVb(2);
    Recipient theirs = Payees.of(THEIRS, COIN / 8);
    assertThat(wallet.payments().plan(PaymentOrder.of(List.of(theirs, theirs), rate)).warnings())
        .containsExactly(new PaymentWarning.SamePayee(Payees.address(THEIRS).text(), 2, COIN / 4));
    // BIP-0340, test vectors 5 and 14: not on the curve, and above the size of the field.
    for (String key :
        List.of(
            "eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34",
            "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc30")) {
      assertThat(warnings("5120" + key)).containsExactly(PaymentWarning.UnspendableKey.class);
    }
    // BIP-0340, test vector 0.
    assertThat(warnings("5120f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9"))
        .isEmpty();
    assertThat(warnings("5220" + "07".repeat(32)))
        .containsExactly(PaymentWarning.UnknownWitness.class);
    assertThat(warnings("51024e73")).containsExactly(PaymentWarning.UnknownWitness.class);
    for (PaymentWarning warning :
        wallet
            .payments()
            .plan(PaymentOrder.of(List.of(Payees.of(Bytes.ofHex("6002abcd"), COIN / 8)), rate))
            .warnings()) {
      assertThat(warning.text()).contains("bcrt1s", "witness version 16");
      assertThat(warning.severity()).as("money is lost").isEqualTo(Notice.Severity.SERIOUS);
    }
  }

  /** Each draft took an address for change, and the chain shows none of them. */
  @Test
  void changeThatARestoreWouldNotFindIsNamed() throws Exception {
    confirm(1);
    for (int i = 0; i < 20; i++) {
      Proposal draft = wallet.payments().plan(order(COIN / 2, 2));
      assertThat(draft.warnings()).as("draft " + i).isEmpty();
      // One after the other: each abandoned draft forbids the same payment with other coins only.
      wallet
          .payments()
          .abandon(wallet.payments().sign(draft, Credentials.NONE, SyncListener.NONE).txid());
    }
    Proposal next = wallet.payments().plan(order(COIN / 2, 2));
    assertThat(next.warnings()).containsExactly(new PaymentWarning.ChangeBeyondGap(20, 20));
    send(next);
    node.mine(1);
    sync();
    assertThat(wallet.payments().plan(order(COIN / 4, 2)).warnings()).isEmpty();
  }

  private List<Class<?>> warnings(String script) throws Exception {
    return warnings(
        PaymentOrder.of(List.of(Payees.of(Bytes.ofHex(script), COIN / 8)), FeeRate.satPerVb(2)));
  }

  /** A user who typed 1 would pay 3, and one who pays twice would confirm what must fail. */
  @Test
  void aRaisedFeeAndAnEarlierPaymentAreNamed() throws Exception {
    confirm(2);
    Tx first = send(wallet.payments().plan(order(COIN / 2, 2)));
    assertThat(wallet.payments().planBump(first.txid(), rate(1)).warnings())
        .containsExactly(new PaymentWarning.FeeAboveOrdered(FeeRate.satPerVb(1)));
    assertThat(wallet.payments().planBump(first.txid(), rate(9)).warnings()).isEmpty();
    Proposal twice = wallet.payments().plan(order(COIN / 2, 2));
    assertThat(twice.warnings())
        .singleElement()
        .satisfies(
            warning -> {
              assertThat(warning).isInstanceOf(PaymentWarning.PaidAlready.class);
              assertThat(warning.text()).contains(first.txid().toString());
            });
    refuses(Refusal.PaidAlready.class, () -> wallet.payments().pay(twice, options()));
  }

  /** It is written: who is told that it was sent would wait for ever. */
  @Test
  void aPaymentThatAllPeersRefuseIsRefused() throws Exception {
    confirm(1);
    PaymentOrder cheap =
        PaymentOrder.of(List.of(Payees.of(THEIRS, COIN / 2)), FeeRate.satPerKvb(200));
    BroadcastReport report = wallet.payments().pay(wallet.payments().plan(cheap), options());
    assertThat(report.isRefused()).isTrue();
    assertThat(report.isUnanswered()).isFalse();
    assertThat(wallet.payments().abandon(report.txid())).isNotEmpty();
    BroadcastReport good =
        wallet.payments().pay(wallet.payments().plan(order(COIN / 2, 2)), options());
    assertThat(good.isRefused()).isFalse();
    assertThat(good.isAccepted()).isTrue();
  }

  private List<Class<?>> warnings(PaymentOrder order) throws Exception {
    return wallet.payments().plan(order).warnings().stream()
        .<Class<?>>map(Object::getClass)
        .toList();
  }

  /** What an app shows as available: not what a payment could not take. */
  @Test
  void spendableIsWhatAPaymentCanTake() throws Exception {
    confirm(3);
    assertThat(wallet.spendable()).isEqualTo(3 * COIN);
    wallet.coins().freeze(wallet.coins().list().get(0).outPoint());
    receive(5, COIN);
    sync();
    assertThat(wallet.balance().total()).isEqualTo(4 * COIN);
    assertThat(wallet.spendable()).isEqualTo(2 * COIN);
    PaymentOrder all = PaymentOrder.of(List.of(Payees.all(THEIRS)), FeeRate.satPerVb(2));
    assertThat(wallet.payments().plan(all).plan().paid() + wallet.payments().plan(all).plan().fee())
        .isEqualTo(wallet.spendable());
    Tx payment = send(wallet.payments().plan(order(COIN / 2, 2)));
    assertThat(wallet.spendable())
        .as("with the change")
        .isEqualTo(2 * COIN - COIN / 2 - fee(payment));
  }

  private long fee(Tx payment) throws Exception {
    return wallet.history().transaction(payment.txid()).orElseThrow().entry().fee().orElseThrow();
  }

  /** Nobody has ordered to send the replacement, and what it replaces does not count any more. */
  @Test
  void aSignedReplacementOfAnUnsentPaymentIsNotAnnounced() throws Exception {
    confirm(1);
    Tx unsent =
        wallet
            .payments()
            .sign(wallet.payments().plan(order(COIN / 2, 2)), Credentials.NONE, SyncListener.NONE);
    assertThatThrownBy(
            () ->
                wallet
                    .payments()
                    .broadcast(unsent, SyncOptions.connect("127.0.0.1:1"), SyncListener.NONE))
        .isInstanceOf(NoUsablePeerException.class);
    Proposal faster = wallet.payments().planBump(unsent.txid(), rate(20));
    Tx bumped = wallet.payments().sign(faster, Credentials.NONE, SyncListener.NONE);
    assertThat(status(unsent)).isEqualTo(TxStatus.REPLACED);
    assertThat(state(bumped).ordered()).isFalse();
    assertThat(wallet.sync(options(), SyncListener.NONE).announced()).isEmpty();
    assertThat(node.mempool().transactions()).isEmpty();
  }

  /** To broadcast it is the order to send it, whatever the user had decided before. */
  @Test
  void anAbandonedPaymentThatIsBroadcastIsOrderedAgain() throws Exception {
    confirm(1);
    Tx gone =
        wallet
            .payments()
            .sign(wallet.payments().plan(order(COIN / 2, 2)), Credentials.NONE, SyncListener.NONE);
    wallet.payments().abandon(gone.txid());
    assertThat(state(gone).ordered()).isFalse();
    assertThatThrownBy(
            () ->
                wallet
                    .payments()
                    .broadcast(gone, SyncOptions.connect("127.0.0.1:1"), SyncListener.NONE))
        .isInstanceOf(NoUsablePeerException.class);
    assertThat(status(gone)).isEqualTo(TxStatus.PENDING);
    assertThat(state(gone).ordered()).isTrue();
    sync();
    assertThat(node.mempool().transactions()).containsExactly(gone);
  }

  private PaymentState state(Tx tx) {
    return wallet.history().transaction(tx.txid()).orElseThrow().entry().state().orElseThrow();
  }

  /** Who gives it to a node by hand sends it, too: it is lost no more than any other payment. */
  @Test
  void aSignedPaymentThatAPeerAnnouncesIsSent() throws Exception {
    confirm(1);
    Tx signed =
        wallet
            .payments()
            .sign(wallet.payments().plan(order(COIN / 2, 2)), Credentials.NONE, SyncListener.NONE);
    node.broadcast(signed);
    sync();
    assertThat(state(signed).stage()).isEqualTo(PaymentState.Stage.RELAYED);
    assertThat(state(signed).ordered()).isTrue();
  }

  /** The later payments would be gone with it, and their payees would get nothing. */
  @Test
  void aPaymentWhoseChangeIsSpentIsNotReplaced() throws Exception {
    confirm(1);
    Tx first = send(wallet.payments().plan(order(COIN / 4, 2)));
    Tx second = send(wallet.payments().plan(order(COIN / 5, 2)));
    Tx third = send(wallet.payments().plan(order(COIN / 6, 2)));
    Refusal later = new Refusal.HasDependents(List.of(third.txid(), second.txid()));
    refuses(later, () -> wallet.payments().planBump(first.txid(), rate(20)));
    refuses(later, () -> wallet.payments().planCancel(first.txid(), rate(20)));
    Tx fast = send(wallet.payments().planBump(third.txid(), rate(20)));
    assertThat(node.mempool().transactions()).containsExactlyInAnyOrder(first, second, fast);
    node.mine(1);
    sync();
    assertThat(wallet.balance().unconfirmed()).isZero();
  }

  @Test
  void theChildThatPaysForAnIncomingPaymentIsNamed() throws Exception {
    Tx incoming = receive(5, COIN);
    sync();
    Tx child = send(wallet.payments().planBump(incoming.txid(), rate(20)));
    refuses(
        new Refusal.NothingToSpend(List.of(child.txid())),
        () -> wallet.payments().planBump(incoming.txid(), rate(40)));
  }

  /** Another copy of the words pays somebody else with the same coin, and a block takes that. */
  @Test
  void aSyncTellsWhichPaymentsLost() throws Exception {
    confirm(1);
    SpvWallet copy = SpvWallet.create(folder.resolve("copy"), recipe);
    copy.sync(options(), SyncListener.NONE);
    Tx mine =
        wallet
            .payments()
            .sign(wallet.payments().plan(order(COIN / 2, 2)), Credentials.NONE, SyncListener.NONE);
    Bytes others = Bytes.ofHex("0014" + "77".repeat(20));
    PaymentOrder other = PaymentOrder.of(List.of(Payees.of(others, COIN / 4)), FeeRate.satPerVb(5));
    Tx theirs =
        copy.payments().sign(copy.payments().plan(other), Credentials.NONE, SyncListener.NONE);
    copy.payments().broadcast(theirs, options(), SyncListener.NONE);
    copy.close();
    node.mine(1);
    SyncReport report = wallet.sync(options(), SyncListener.NONE);
    assertThat(report.lost())
        .singleElement()
        .satisfies(
            lost -> {
              assertThat(lost.txid()).isEqualTo(mine.txid());
              assertThat(lost.replacedBy().orElseThrow().txid()).isEqualTo(theirs.txid());
            });
    assertThat(wallet.sync(options(), SyncListener.NONE).lost()).isEmpty();
    assertThat(listed(false)).contains(mine.txid());
  }

  private List<Hash256> listed(boolean all) {
    WalletHistory history = all ? wallet.history().full() : wallet.history();
    return history.newest(100).entries().stream()
        .map(HistoryEntry::txid)
        .collect(Collectors.toList());
  }

  /** The user did it: what counts is the replacement. */
  @Test
  void theHistoryHidesWhatABumpReplacedOrACancelTookBack() throws Exception {
    confirm(1);
    Tx slow = send(wallet.payments().plan(order(COIN / 2, 2)));
    Tx fast = send(wallet.payments().planBump(slow.txid(), rate(20)));
    assertThat(listed(false)).contains(fast.txid()).doesNotContain(slow.txid());
    assertThat(listed(true)).contains(slow.txid());
    Tx back = send(wallet.payments().planCancel(fast.txid(), rate(40)));
    assertThat(listed(false)).contains(back.txid()).doesNotContain(fast.txid());
    SyncReport report = wallet.sync(options(), SyncListener.NONE);
    node.mine(1);
    assertThat(report.lost()).isEmpty();
    assertThat(wallet.sync(options(), SyncListener.NONE).lost()).isEmpty();
    assertThat(listed(false)).doesNotContain(fast.txid());
    assertThat(listed(true)).contains(slow.txid(), fast.txid(), back.txid());
  }

  @Test
  void aCoinThatWasFrozenSinceThePlanIsNotSpent() throws Exception {
    confirm(1);
    Proposal plan = wallet.payments().plan(order(COIN / 4, 2));
    wallet.coins().freeze(plan.coins().get(0));
    refuses(
        Plain.OUTDATED, () -> wallet.payments().sign(plan, Credentials.NONE, SyncListener.NONE));
  }
}
