package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.spend.FeePolicy;
import org.murmur.coins.spend.PaymentOrder;
import org.murmur.coins.spend.Recipient;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.ExpectedWallet;
import org.murmur.testbed.bitcoind.JsonRpc;
import org.murmur.testbed.bitcoind.WalletLife;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.pay.Proposal;
import org.murmur.wallet.pay.Refusal;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncReport;

/** One random life of a wallet that the node and Murmur use; see {@link PayingLivesTest}. */
final class PayingLife {

  /** What the node's wallet does that Murmur does too. */
  private static final Set<WalletLife.Kind> THEIR_PAYMENTS =
      Set.of(
          WalletLife.Kind.SEND,
          WalletLife.Kind.SWEEP,
          WalletLife.Kind.SWEEP_ALL,
          WalletLife.Kind.SPEND_UNCONFIRMED,
          WalletLife.Kind.SWEEP_UNCONFIRMED,
          WalletLife.Kind.SELF,
          WalletLife.Kind.JOINT,
          WalletLife.Kind.BUMP);

  private static final int LOW_BLOCKS = 12;

  /** Some are refused: no coins, nothing to bump. */
  private static final int MAX_ATTEMPTS = 4;

  /** The node waits two seconds before it fetches a payment, so most go another way. */
  private static final int BROADCAST_EVERY = 4;

  /** One payment in so many is cut short by a kill. */
  private static final int KILL_EVERY = 5;

  /** After one payment in so many, an older copy of the file is put back. */
  private static final int PUT_BACK_EVERY = 3;

  /** What Murmur does. */
  private enum Deed {
    PAY,
    PAY_LESS_FEE,
    PAY_TWO,
    SWEEP,
    PAY_SELF,
    BUMP,
    BUMP_INCOMING,
    CANCEL
  }

  private final Path file;
  private final Bitcoind node;
  private final Random dice;
  private final WalletLife life;
  private final JsonRpc payees;
  private final Map<Deed, Integer> done = new EnumMap<>(Deed.class);
  private final Map<String, Integer> others = new TreeMap<>();
  private String where;

  private PayingLife(Path file, Bitcoind node, long seed) throws Exception {
    this.file = file;
    this.node = node;
    this.where = "seed " + seed;
    dice = new Random(seed);
    // A lock time may be 99 blocks below the tip, and Knots does not relay the lock time 21.
    node.mine(LOW_BLOCKS);
    node.rpc().call("createwallet", "payees");
    payees = node.rpc().wallet("payees");
    life = WalletLife.begin(node, WalletLife.Options.of(seed));
    // Addresses far ahead: payments to skipped ones are to be seen at once, as the node does.
    SpvWallet.create(file, Oracle.recipe(life.words()).withGap(150).withLookAhead(200)).close();
  }

  /** Lives for some blocks, and prints what happened. */
  static void live(Path file, long seed, int blocks) throws Exception {
    System.out.println("paying life with seed " + seed);
    try (Bitcoind node = Bitcoind.start()) {
      PayingLife life = new PayingLife(file, node, seed);
      for (int block = 1; block <= blocks; block++) {
        life.where = "seed " + seed + " block " + block;
        life.block();
      }
      System.out.println(
          "paid " + life.done + ", the node " + life.theirs() + " payments; " + life.others);
    }
  }

  private void block() throws Exception {
    life.live(1);
    // A node is silent if nothing in its pool matches, and Murmur would wait for an answer.
    life.leaveIncoming();
    Oracle.sync(file, node);
    resume();
    compare();
    boolean killed = false;
    for (int i = 0; i < MAX_ATTEMPTS && ours() < theirs() && !killed; i++) {
      killed = act();
    }
  }

  private int ours() {
    return done.values().stream().mapToInt(Integer::intValue).sum();
  }

  private int theirs() {
    return THEIR_PAYMENTS.stream().mapToInt(kind -> life.happened().getOrDefault(kind, 0)).sum();
  }

  private void count(String what) {
    others.merge(what, 1, Integer::sum);
  }

  private void compare() throws Exception {
    SyncReport report = Oracle.sync(file, node);
    ExpectedWallet expected = life.current();
    Oracle.assertSame(where, file, report, expected);
    Set<String> theirs = new TreeSet<>();
    for (ExpectedWallet.Coin coin : expected.coins()) {
      String height = coin.height() == null ? "pending" : coin.height().toString();
      theirs.add(coin.txid() + ":" + coin.vout() + " " + coin.value() + " " + height);
    }
    assertThat(coins()).as(where + ": coins").isEqualTo(theirs);
  }

  private Set<String> coins() throws Exception {
    Set<String> coins = new TreeSet<>();
    try (SpvWallet wallet = SpvWallet.open(file)) {
      for (WalletCoin coin : wallet.coins().list()) {
        String height = coin.height().isPresent() ? "" + coin.height().getAsInt() : "pending";
        coins.add(coin.outPoint() + " " + coin.value() + " " + height);
      }
    }
    return coins;
  }

  /** What a user does with payments that the node dropped, or never had. */
  private void resume() throws Exception {
    try (SpvWallet wallet = SpvWallet.open(file)) {
      Set<String> pool = pool();
      for (HistoryEntry entry : wallet.history().list()) {
        String txid = entry.txid().toString();
        if (entry.height().isEmpty()
            && wallet.history().transaction(entry.txid()).orElseThrow().entry().status()
                == TxStatus.PENDING
            && !pool.contains(txid)) {
          resume(wallet, entry.txid());
        }
      }
    }
  }

  private void resume(SpvWallet wallet, Hash256 txid) throws Exception {
    Tx tx = wallet.history().transaction(txid).orElseThrow().tx();
    JsonNode verdict = verdict(tx);
    if (verdict.get("allowed").asBoolean()) {
      send(wallet, tx);
      count("sent again");
    } else {
      wallet.payments().abandon(txid);
      count("abandoned: " + verdict.path("reject-reason").asText());
    }
  }

  private Set<String> pool() {
    Set<String> pool = new TreeSet<>();
    node.rpc().call("getrawmempool").forEach(txid -> pool.add(txid.asText()));
    return pool;
  }

  private JsonNode verdict(Tx tx) {
    return node.rpc().call("testmempoolaccept", List.of(tx.raw().toHex())).get(0);
  }

  /** Sends a payment; mostly as if another node had it from us, so that the next sync hears. */
  private void send(SpvWallet wallet, Tx tx) throws Exception {
    if (dice.nextInt(BROADCAST_EVERY) > 0) {
      node.rpc().call("sendrawtransaction", tx.raw().toHex());
      return;
    }
    assertThat(
            wallet.payments().broadcast(tx, Oracle.connect(node), SyncListener.NONE).isAccepted())
        .as(where + " " + tx.txid())
        .isTrue();
  }

  /**
   * Murmur pays. Returns whether it was killed: until the next sync the node may have a payment
   * that the wallet has abandoned, and refuse others with its coins.
   */
  private boolean act() throws Exception {
    Deed deed = Deed.values()[dice.nextInt(Deed.values().length)];
    Path older = file.resolveSibling("older");
    Files.copy(file, older, StandardCopyOption.REPLACE_EXISTING);
    Optional<PaymentOrder> ordered;
    Tx tx;
    try (SpvWallet wallet = SpvWallet.open(file)) {
      Optional<Proposal> proposal = propose(wallet, deed);
      if (!proposal.isPresent()) {
        return false;
      }
      ordered = proposal.get().order();
      tx = sign(wallet, proposal.get());
      check(deed, proposal.get(), tx);
    }
    done.merge(deed, 1, Integer::sum);
    boolean killed = dice.nextInt(KILL_EVERY) == 0;
    if (killed) {
      kill(tx);
    } else {
      send(tx);
      if (ordered.isPresent() && dice.nextInt(PUT_BACK_EVERY) == 0) {
        Files.move(older, file, StandardCopyOption.REPLACE_EXISTING);
        orderAgain(ordered.get(), tx);
      }
    }
    return killed;
  }

  /** The payees of a payment that the file does not know as its own are shown first. */
  private Tx sign(SpvWallet wallet, Proposal proposal) throws Exception {
    try {
      return wallet.payments().sign(proposal, Credentials.NONE, SyncListener.NONE);
    } catch (PaymentRefusedException e) {
      assertThat(e.reason()).as(where).isInstanceOf(Refusal.PayeeNotNamed.class);
      assertThat(proposal.elsewhere()).as(where).isTrue();
      count("payees shown first");
      return wallet
          .payments()
          .sign(proposal.acceptingPayees(), Credentials.NONE, SyncListener.NONE);
    }
  }

  /** The file knows nothing of a payment that the node has, and the user gives the order again. */
  private void orderAgain(PaymentOrder order, Tx paid) throws Exception {
    String what = where + " the same as " + paid.txid() + " after an older file was put back";
    boolean minedFirst = dice.nextBoolean();
    if (minedFirst) {
      node.mine(1);
    }
    count(minedFirst ? "older file after a block" : "older file");
    try (SpvWallet wallet = SpvWallet.open(file)) {
      assertThat(wallet.payments().catchUp(Oracle.connect(node), SyncListener.NONE))
          .as(what)
          .isPresent();
      if (order.recipients().stream().anyMatch(each -> each.share() == Recipient.Share.ALL)) {
        return;
      }
      assertThatThrownBy(
              () ->
                  wallet
                      .payments()
                      .sign(wallet.payments().plan(order), Credentials.NONE, SyncListener.NONE))
          .as(what)
          .isInstanceOfSatisfying(
              PaymentRefusedException.class,
              refused ->
                  assertThat(refused.reason())
                      .isInstanceOfSatisfying(
                          Refusal.PaidAlready.class,
                          already -> assertThat(already.earlier().txid()).isEqualTo(paid.txid())));
    }
  }

  private void send(Tx tx) throws Exception {
    try (SpvWallet wallet = SpvWallet.open(file)) {
      send(wallet, tx);
    }
  }

  /** The node takes it, and it is as large and as dear as planned. */
  private void check(Deed deed, Proposal proposal, Tx tx) {
    String what = where + " " + deed + " " + tx.txid();
    JsonNode verdict = verdict(tx);
    assertThat(verdict.get("allowed").asBoolean()).as(what + " " + verdict).isTrue();
    long planned = proposal.plan().vsize();
    assertThat(tx.virtualSize()).as(what).isBetween((long) (planned * 0.99), planned);
    long fee = JsonRpc.satoshi(verdict.get("fees").get("base"));
    assertThat(fee).as(what).isEqualTo(proposal.plan().fee());
    assertThat(fee).as(what).isGreaterThanOrEqualTo(proposal.plan().requested().feeOf(planned));
  }

  /**
   * The program is killed after it has written the payment: before it is sent, or after, when the
   * node has it and the wallet does not know. Then the user sends it, abandons it, or does nothing.
   */
  private void kill(Tx tx) throws Exception {
    boolean sent = dice.nextBoolean();
    if (sent) {
      Path before = file.resolveSibling("before");
      Files.copy(file, before, StandardCopyOption.REPLACE_EXISTING);
      send(tx);
      Files.move(before, file, StandardCopyOption.REPLACE_EXISTING);
    }
    count(sent ? "killed after it was sent" : "killed before it was sent");
    try (SpvWallet wallet = SpvWallet.open(file)) {
      switch (dice.nextInt(3)) {
        case 0 -> send(wallet, tx);
        case 1 -> wallet.payments().abandon(tx.txid());
        default -> count("left alone");
      }
    }
  }

  private Optional<Proposal> propose(SpvWallet wallet, Deed deed) throws Exception {
    FeeRate rate = FeeRate.satPerVb(1 + dice.nextInt(60));
    long amount = Math.max(1_000, wallet.balance().confirmed() / (2 + dice.nextInt(20)));
    try {
      return switch (deed) {
        case PAY -> Optional.of(wallet.payments().plan(order(rate, Payees.of(payee(), amount))));
        case PAY_LESS_FEE ->
            Optional.of(wallet.payments().plan(order(rate, Payees.lessFee(payee(), amount))));
        case PAY_TWO ->
            Optional.of(
                wallet
                    .payments()
                    .plan(
                        order(
                            rate,
                            Payees.of(payee(), amount / 2 + 1_000),
                            Payees.of(payee(), amount / 3 + 1_000))));
        case SWEEP -> sweep(wallet, rate);
        case PAY_SELF ->
            Optional.of(wallet.payments().plan(order(rate, Payees.of(script(wallet), amount))));
        case BUMP, BUMP_INCOMING, CANCEL -> replace(wallet, deed, rate);
      };
    } catch (PaymentRefusedException e) {
      count("refused");
      return Optional.empty();
    }
  }

  private static PaymentOrder order(FeeRate rate, Recipient... recipients) {
    return PaymentOrder.of(List.of(recipients), rate);
  }

  private Bytes payee() {
    return Address.parse(payees.call("getnewaddress").asText(), KeyNetwork.REGTEST).scriptPubKey();
  }

  private static Bytes script(SpvWallet wallet) {
    return Address.parse(wallet.receive().current().address(), KeyNetwork.REGTEST).scriptPubKey();
  }

  /** Some confirmed coins are sent away as a whole. */
  private Optional<Proposal> sweep(SpvWallet wallet, FeeRate rate) throws Exception {
    List<WalletCoin> coins =
        wallet.coins().list().stream()
            .filter(coin -> coin.height().isPresent() && !coin.immature())
            .filter(coin -> dice.nextInt(4) == 0)
            .toList();
    if (coins.isEmpty()) {
      return Optional.empty();
    }
    PaymentOrder order =
        order(rate, Payees.all(payee()))
            .spendingOnly(coins.stream().map(WalletCoin::outPoint).toList());
    return Optional.of(wallet.payments().plan(order));
  }

  /** A pending payment to the wallet, or another pending one. */
  private Optional<Proposal> replace(SpvWallet wallet, Deed deed, FeeRate rate) throws Exception {
    List<HistoryEntry> pending =
        wallet.history().list().stream()
            .filter(entry -> entry.height().isEmpty())
            .filter(entry -> entry.net() > 0 == (deed == Deed.BUMP_INCOMING))
            .toList();
    if (pending.isEmpty()) {
      return Optional.empty();
    }
    Hash256 txid = pending.get(dice.nextInt(pending.size())).txid();
    FeePolicy fees = FeePolicy.of(FeeRate.satPerVb(rate.satPerKvb() / 1_000 + 20));
    return Optional.of(
        deed == Deed.CANCEL
            ? wallet.payments().planCancel(txid, fees)
            : wallet.payments().planBump(txid, fees));
  }
}
