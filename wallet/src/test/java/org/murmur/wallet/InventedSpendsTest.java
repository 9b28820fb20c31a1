package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.spend.FeePolicy;
import org.murmur.coins.spend.PaymentOrder;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.pay.Proposal;
import org.murmur.wallet.pay.Refusal;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;

/** Spends of own coins that nobody signed reach the wallet by its user's hand, or in a block. */
@Timeout(120)
final class InventedSpendsTest {

  private static final Bytes THEIRS = Bytes.ofHex("0014751e76e8199196d454941c45d1b3a323f1433bd6");
  private static final long COIN = 1_000_000;
  private static final long AMOUNT = 400_000;
  private static final List<Bytes> GARBAGE =
      List.of(Bytes.wrap(new byte[72]), Bytes.wrap(new byte[33]));

  private final WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
  private final List<Bytes> scripts = Lives.scripts(recipe, 0, 20);

  @TempDir Path folder = Path.of("");

  private final RegtestNode node = RegtestNode.start();
  private SpvWallet wallet;
  private List<OutPoint> coins = List.of();

  @BeforeEach
  void start() throws Exception {
    node.mine(120);
    for (int i = 0; i < 3; i++) {
      OutPoint coinbase = new OutPoint(node.blockAt(1 + i).tx(0).txid(), 0);
      node.broadcast(new TxBuilder().spend(coinbase).pay(COIN, scripts.get(i)).build());
    }
    node.mine(1);
    wallet = SpvWallet.create(folder.resolve("w"), recipe);
    sync(wallet);
    coins = wallet.coins().list().stream().map(WalletCoin::outPoint).toList();
  }

  @AfterEach
  void stop() {
    wallet.close();
    node.close();
  }

  private SyncOptions options() {
    return SyncOptions.connect(node.address())
        .limits(limits -> limits.mempoolWait(Duration.ofSeconds(2)));
  }

  private void sync(SpvWallet any) throws Exception {
    assertThat(any.sync(options(), SyncListener.NONE).complete()).isTrue();
  }

  private PaymentOrder order(int coin) {
    return PaymentOrder.of(List.of(Payees.of(THEIRS, AMOUNT)), FeeRate.satPerVb(2))
        .spendingOnly(List.of(coins.get(coin)));
  }

  private TxStatus status(Tx tx) throws Exception {
    return wallet.history().transaction(tx.txid()).orElseThrow().entry().status();
  }

  private Tx forged(Bytes payee) {
    return new TxBuilder()
        .spend(coins.get(0), Bytes.EMPTY, TxBuilder.REPLACEABLE, GARBAGE)
        .pay(COIN - 50_000, payee)
        .build();
  }

  /** Somebody asks the user to send it. It would count as the user's, and {@code bump} sign it. */
  @Test
  void theUserCannotSendOne() throws Exception {
    assertThatExceptionOfType(WalletException.class)
        .isThrownBy(() -> wallet.payments().broadcast(forged(THEIRS), options(), SyncListener.NONE))
        .withMessageContaining("missing or wrong")
        .matches(e -> e.kind() == WalletException.Kind.BAD_TRANSACTION);
    assertThat(wallet.history().transaction(forged(THEIRS).txid())).isEmpty();
    assertThat(wallet.balance().total()).isEqualTo(3 * COIN);
  }

  /** The user sent what another copy signed, and did not name its payees here. */
  @Test
  void sendingDoesNotMakeItOfThisWallet() throws Exception {
    Tx elsewhere;
    try (SpvWallet copy = SpvWallet.create(folder.resolve("copy"), recipe)) {
      sync(copy);
      elsewhere =
          copy.payments().sign(copy.payments().plan(order(0)), Credentials.NONE, SyncListener.NONE);
    }
    assertThat(wallet.payments().broadcast(elsewhere, options(), SyncListener.NONE).isAccepted())
        .isTrue();
    Proposal bump =
        wallet.payments().planBump(elsewhere.txid(), FeePolicy.of(FeeRate.satPerVb(20)));
    assertThat(bump.elsewhere()).isTrue();
    assertThatExceptionOfType(PaymentRefusedException.class)
        .isThrownBy(() -> wallet.payments().sign(bump, Credentials.NONE, SyncListener.NONE))
        .matches(refused -> refused.reason() instanceof Refusal.PayeeNotNamed);
  }

  /** The payee, with the work of one block, shows it to this wallet alone. */
  @Test
  void oneBlockDoesNotLetThePayeeBePaidAgain() throws Exception {
    Tx first =
        wallet
            .payments()
            .sign(wallet.payments().plan(order(0)), Credentials.NONE, SyncListener.NONE);
    assertThat(wallet.payments().broadcast(first, options(), SyncListener.NONE).isAccepted())
        .isTrue();
    Tx invented = forged(scripts.get(6));
    node.mine(List.of(invented));
    sync(wallet);
    assertThat(status(first)).isEqualTo(TxStatus.REPLACED);
    assertThat(wallet.payments().plan(order(1)).earlier()).isPresent();

    // The honest chain grows on, and the miner's node says that it has the spend.
    node.reorg(1, 2, RegtestNode.Orphaned.TO_MEMPOOL);
    sync(wallet);
    assertThat(wallet.spendable()).isLessThanOrEqualTo(2 * COIN);
    node.mempool().clear();
    node.mine(List.of(invented));
    node.mine(4);
    sync(wallet);
    assertThat(wallet.payments().plan(order(1)).earlier()).isPresent();
    node.mine(1);
    sync(wallet);
    assertThat(wallet.payments().plan(order(1)).earlier()).isEmpty();
  }
}
