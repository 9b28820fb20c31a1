package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.bitcoind.Bitcoind;
import org.murmur.regtest.bitcoind.ExpectedWallet;
import org.murmur.regtest.bitcoind.JsonRpc;
import org.murmur.regtest.bitcoind.WalletLife;
import org.murmur.wallet.keys.AddressText;
import org.murmur.wallet.keys.KeyNetwork;
import org.murmur.wallet.pay.PaymentOrder;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.pay.Proposal;
import org.murmur.wallet.spend.FeePolicy;
import org.murmur.wallet.spend.Recipient;
import org.murmur.wallet.spend.fee.FeeRate;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncReport;

/**
 * Random lives of a wallet that two programs use: the node's own wallet and Murmur, with the same
 * words. Both pay, bump and take back, among reorganisations. Every payment of Murmur's passes the
 * node's {@code testmempoolaccept}, and both wallets agree in the end. The parameter is the seed.
 */
@Tag("real-node")
@Tag("long")
class PayingLivesTest {

  private static final int ROUNDS = 12;

  @TempDir Path folder = Path.of("");

  /** What Murmur does in a round. */
  private enum Deed {
    PAY,
    PAY_LESS_FEE,
    PAY_TWO,
    SWEEP,
    PAY_SELF,
    BUMP,
    CANCEL
  }

  private final Map<Deed, Integer> done = new EnumMap<>(Deed.class);

  static long[] manySeeds() {
    return LongStream.rangeClosed(1, 50).toArray();
  }

  @ParameterizedTest
  @MethodSource("manySeeds")
  void paysBesideTheNodesOwnWallet(long seed) throws Exception {
    live(seed);
  }

  private void live(long seed) throws Exception {
    System.out.println("paying life with seed " + seed);
    Path file = folder.resolve("wallet.sqlite");
    Random dice = new Random(seed);
    try (Bitcoind node = Bitcoind.start()) {
      node.rpc().call("createwallet", "payees");
      WalletLife life = WalletLife.begin(node, WalletLife.Options.of(seed));
      Oracle.restoreAndSync(file, Oracle.recipe(life.words()), node);
      for (int round = 0; round < ROUNDS; round++) {
        life.live(2 + dice.nextInt(4));
        Oracle.sync(file, node);
        try (SpvWallet wallet = SpvWallet.open(file)) {
          for (int i = dice.nextInt(4); i >= 0; i--) {
            act(wallet, node, dice, "seed " + seed + " round " + round);
          }
        }
        if (dice.nextInt(3) == 0) {
          sendAgain(file, node);
          ExpectedWallet expected = life.settle();
          SyncReport report = Oracle.sync(file, node);
          Oracle.assertSame("seed " + seed + " round " + round, file, report, expected);
        }
      }
      sendAgain(file, node);
      ExpectedWallet expected = life.settle();
      Oracle.assertSame("seed " + seed + " end", file, Oracle.sync(file, node), expected);
    }
    System.out.println("paid: " + done);
  }

  /**
   * A node drops payments whose lock time is above the tip of a shorter branch. Wallets send such
   * payments again, later; here at once.
   */
  private static void sendAgain(Path file, Bitcoind node) throws Exception {
    try (SpvWallet wallet = SpvWallet.open(file)) {
      for (HistoryEntry entry : wallet.history()) {
        if (entry.height().isEmpty()) {
          Tx tx = wallet.transaction(entry.txid()).orElseThrow().tx();
          JsonNode verdict = node.rpc().call("testmempoolaccept", List.of(tx.raw().toHex())).get(0);
          if (verdict.get("allowed").asBoolean()) {
            node.rpc().call("sendrawtransaction", tx.raw().toHex());
          }
        }
      }
    }
  }

  private void act(SpvWallet wallet, Bitcoind node, Random dice, String where) throws Exception {
    Deed deed = Deed.values()[dice.nextInt(Deed.values().length)];
    Optional<Proposal> proposal = propose(wallet, node, dice, deed);
    if (!proposal.isPresent()) {
      return;
    }
    Tx tx = wallet.sign(proposal.get(), null, "", SyncListener.NONE);
    String what = where + " " + deed + " " + tx.txid();
    JsonNode verdict = node.rpc().call("testmempoolaccept", List.of(tx.raw().toHex())).get(0);
    assertThat(verdict.get("allowed").asBoolean()).as(what + " " + verdict).isTrue();
    assertThat(tx.virtualSize())
        .as(what)
        .isBetween(
            (long) (proposal.get().plan().vsize() * 0.99), (long) proposal.get().plan().vsize());
    assertThat(wallet.broadcast(tx, Oracle.connect(node), SyncListener.NONE).isAccepted())
        .as(what)
        .isTrue();
    done.merge(deed, 1, Integer::sum);
  }

  private static Optional<Proposal> propose(SpvWallet wallet, Bitcoind node, Random dice, Deed deed)
      throws Exception {
    FeeRate rate = FeeRate.ofSatPerVb(1 + dice.nextInt(60));
    long amount = Math.max(1_000, wallet.balance().confirmed() / (2 + dice.nextInt(20)));
    try {
      return switch (deed) {
        case PAY -> Optional.of(wallet.plan(order(rate, Recipient.of(payee(node), amount))));
        case PAY_LESS_FEE ->
            Optional.of(wallet.plan(order(rate, Recipient.lessFee(payee(node), amount))));
        case PAY_TWO ->
            Optional.of(
                wallet.plan(
                    order(
                        rate,
                        Recipient.of(payee(node), amount / 2 + 1_000),
                        Recipient.of(payee(node), amount / 3 + 1_000))));
        case SWEEP -> sweep(wallet, node, dice, rate);
        case PAY_SELF ->
            Optional.of(wallet.plan(order(rate, Recipient.of(script(wallet), amount))));
        case BUMP, CANCEL -> replace(wallet, dice, deed, rate);
      };
    } catch (PaymentRefusedException e) {
      return Optional.empty();
    }
  }

  private static PaymentOrder order(FeeRate rate, Recipient... recipients) {
    return PaymentOrder.of(List.of(recipients), rate);
  }

  private static Bytes payee(Bitcoind node) {
    JsonRpc payees = node.rpc().wallet("payees");
    return AddressText.parse(payees.call("getnewaddress").asText(), KeyNetwork.REGTEST)
        .scriptPubKey();
  }

  private static Bytes script(SpvWallet wallet) throws WalletException {
    return AddressText.parse(wallet.address().address(), KeyNetwork.REGTEST).scriptPubKey();
  }

  /** Some confirmed coins are sent away as a whole. */
  private static Optional<Proposal> sweep(
      SpvWallet wallet, Bitcoind node, Random dice, FeeRate rate) throws Exception {
    List<Coin> coins =
        wallet.coins().stream()
            .filter(coin -> coin.height().isPresent() && !coin.immature())
            .filter(coin -> dice.nextInt(4) == 0)
            .toList();
    if (coins.isEmpty()) {
      return Optional.empty();
    }
    PaymentOrder order =
        order(rate, Recipient.all(payee(node)))
            .spendingOnly(coins.stream().map(Coin::outPoint).toList());
    return Optional.of(wallet.plan(order));
  }

  private static Optional<Proposal> replace(SpvWallet wallet, Random dice, Deed deed, FeeRate rate)
      throws Exception {
    List<HistoryEntry> pending =
        wallet.history().stream().filter(entry -> entry.height().isEmpty()).toList();
    if (pending.isEmpty()) {
      return Optional.empty();
    }
    HistoryEntry entry = pending.get(dice.nextInt(pending.size()));
    FeePolicy fees = FeePolicy.of(FeeRate.ofSatPerVb(rate.satPerKvb() / 1_000 + 20));
    return Optional.of(
        deed == Deed.BUMP
            ? wallet.planBump(entry.txid(), fees)
            : wallet.planCancel(entry.txid(), fees));
  }
}
