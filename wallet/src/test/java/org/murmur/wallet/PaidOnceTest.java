package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.psbt.Psbt;
import org.murmur.coins.psbt.PsbtFinalizer;
import org.murmur.coins.psbt.StatedOutputs;
import org.murmur.coins.spend.PaymentOrder;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.wallet.pay.EarlierPayment;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.pay.Proposal;
import org.murmur.wallet.pay.PsbtTerms;
import org.murmur.wallet.pay.Refusal;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;

/**
 * One wish is paid once, by whichever doors a payment leaves the wallet: made or signed as a PSBT,
 * signed and sent at once, or sent as a transaction that was signed elsewhere.
 */
@Timeout(120)
final class PaidOnceTest {

  private static final Bytes THEIRS = Bytes.ofHex("0014751e76e8199196d454941c45d1b3a323f1433bd6");
  private static final Bytes OTHERS = Bytes.ofHex("0014" + "33".repeat(20));
  private static final long COIN = 1_000_000;
  private static final long AMOUNT = 400_000;

  private final WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
  private final List<Bytes> scripts = Lives.scripts(recipe, 0, 20);

  @TempDir Path folder = Path.of("");

  private RegtestNode node;
  private SpvWallet wallet;
  private List<OutPoint> coins;

  @BeforeEach
  void start() throws Exception {
    node = RegtestNode.start();
    node.mine(120);
    wallet = SpvWallet.create(folder.resolve("w"), recipe);
    for (int i = 0; i < 3; i++) {
      OutPoint coinbase = new OutPoint(node.blockAt(1 + i).tx(0).txid(), 0);
      node.broadcast(new TxBuilder().spend(coinbase).pay(COIN, scripts.get(i)).build());
    }
    node.mine(1);
    sync();
    coins = wallet.coins().list().stream().map(WalletCoin::outPoint).toList();
    assertThat(coins).hasSize(3);
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

  private PaymentOrder order(int coin) {
    return PaymentOrder.of(List.of(Payees.of(THEIRS, AMOUNT)), FeeRate.satPerVb(2))
        .spendingOnly(List.of(coins.get(coin)));
  }

  /** As another program makes it: this wallet learns of it when it is to sign or send it. */
  private Tx built(int coin, long amount) {
    return new TxBuilder()
        .spend(coins.get(coin))
        .pay(amount, THEIRS)
        .pay(COIN - amount - 500, scripts.get(10 + coin))
        .build();
  }

  private Tx signed(Psbt psbt, boolean again) throws Exception {
    return PsbtFinalizer.extract(
        wallet.psbts().sign(psbt, PsbtTerms.USUAL.again(again), Credentials.NONE).psbt());
  }

  private Tx signed(Tx unsigned, boolean again) throws Exception {
    return signed(Psbt.create(unsigned), again);
  }

  private void send(Tx tx, boolean again) throws Exception {
    WalletPayments payments = wallet.payments();
    BroadcastReport report =
        again
            ? payments.broadcastAgain(tx, options(), SyncListener.NONE)
            : payments.broadcast(tx, options(), SyncListener.NONE);
    assertThat(report.isAccepted()).isTrue();
  }

  private static void refuses(ThrowingCallable door) {
    assertThatThrownBy(door)
        .isInstanceOfSatisfying(
            PaymentRefusedException.class,
            e -> assertThat(e.reason()).isInstanceOf(Refusal.PaidAlready.class));
  }

  private void refusesToSend(Tx tx) {
    int before = node.mempool().transactions().size();
    refuses(() -> wallet.payments().broadcast(tx, options(), SyncListener.NONE));
    assertThat(node.mempool().transactions()).hasSize(before);
  }

  @Test
  void aSecondPsbtIsMadeOnlyIfThatIsOrdered() throws Exception {
    Psbt first = wallet.psbts().export(wallet.payments().plan(order(0)));
    Proposal second = wallet.payments().plan(order(1));
    EarlierPayment earlier = second.earlier().orElseThrow();
    assertThat(earlier.given()).isTrue();
    assertThat(earlier.txid()).isEqualTo(first.unsignedTx().txid());
    assertThat(earlier.coins()).containsExactly(coins.get(0));
    refuses(() -> wallet.psbts().export(second));
    Psbt again = wallet.psbts().export(wallet.payments().plan(order(1).again(true)));
    send(signed(first, true), true);
    refuses(() -> signed(again, false));
    Tx twice = signed(again, true);
    refusesToSend(twice);
    send(twice, true);
    assertThat(node.mempool().transactions()).hasSize(2);
  }

  /** Of two that share a coin only one can be mined, and a PSBT does not stand in its own way. */
  @Test
  void whatConflictsIsNotPaidTwice() throws Exception {
    Psbt first = wallet.psbts().export(wallet.payments().plan(order(0)));
    Psbt other = wallet.psbts().export(wallet.payments().plan(order(0)));
    Tx tx = signed(first, false);
    assertThat(signed(first, false)).isEqualTo(tx);
    signed(other, false);
    send(tx, false);
    send(tx, false);
    node.mine(1);
    sync();
    assertThat(wallet.payments().broadcast(tx, options(), SyncListener.NONE).confirmation())
        .isPresent();
    // It can never be mined.
    signed(other, false);
  }

  @Test
  void aPsbtThatWasSignedMayBeSentBySomebody() throws Exception {
    signed(built(0, AMOUNT), false);
    refuses(() -> signed(built(1, AMOUNT), false));
    // The payee may have paid the fee.
    refuses(() -> signed(built(1, AMOUNT - 400), false));
    signed(built(1, AMOUNT - 501), false);
    assertThat(wallet.payments().plan(order(2)).earlier()).isPresent();
    refuses(
        () ->
            wallet
                .payments()
                .sign(wallet.payments().plan(order(2)), Credentials.NONE, SyncListener.NONE));
    wallet.close();
    wallet = SpvWallet.open(folder.resolve("w"));
    refuses(() -> signed(built(2, AMOUNT), false));
    Tx same =
        wallet
            .payments()
            .sign(wallet.payments().plan(order(0)), Credentials.NONE, SyncListener.NONE);
    send(same, false);
  }

  /** Both were signed elsewhere, before this wallet knew of either. */
  @Test
  void ofTwoTransactionsForOneWishOneIsSent() throws Exception {
    Tx one = signed(built(0, AMOUNT), false);
    Tx two = signed(built(1, AMOUNT), true);
    wallet.close();
    SpvWallet.delete(folder.resolve("w"));
    wallet = SpvWallet.create(folder.resolve("w"), recipe);
    sync();
    send(one, false);
    refusesToSend(two);
    node.mine(1);
    sync();
    refusesToSend(two);
    refuses(() -> signed(built(2, AMOUNT), false));
    send(two, true);
  }

  /** Its change is somebody else's, and differs. */
  @Test
  void aPaymentTogetherWithOthersIsMadeOnce() throws Exception {
    Tx paying =
        new TxBuilder().spend(new OutPoint(coins.get(0).txid(), 7)).pay(COIN, OTHERS).build();
    Tx also = new TxBuilder().spend(new OutPoint(coins.get(1).txid(), 7)).pay(COIN, OTHERS).build();
    wallet.psbts().sign(joint(0, paying, OTHERS), PsbtTerms.USUAL, Credentials.NONE);
    Bytes change = Bytes.ofHex("0014" + "44".repeat(20));
    refuses(() -> wallet.psbts().sign(joint(1, also, change), PsbtTerms.USUAL, Credentials.NONE));
  }

  private Psbt joint(int coin, Tx theirs, Bytes theirChange) {
    Tx unsigned =
        new TxBuilder()
            .spend(coins.get(coin))
            .spend(theirs.outPoint(0))
            .pay(AMOUNT + COIN, THEIRS)
            .pay(COIN - AMOUNT - 5_000 - coin, theirChange)
            .build();
    return StatedOutputs.ofLastInput(unsigned, theirs);
  }

  @Test
  void othersPaymentsAreSentAsTheyAre() throws Exception {
    signed(built(0, AMOUNT), false);
    OutPoint theirs = new OutPoint(node.blockAt(9).tx(0).txid(), 0);
    Tx tx = new TxBuilder().spend(theirs).pay(AMOUNT, THEIRS).build();
    assertThat(wallet.payments().broadcast(tx, options(), SyncListener.NONE).fetchedBy())
        .hasSize(1);
  }
}
