package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.spend.FeePolicy;
import org.murmur.coins.spend.PaymentOrder;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.p2p.sync.Limits;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.JsonRpc;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.pay.EarlierPayment;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.pay.PaymentWarning;
import org.murmur.wallet.pay.Proposal;
import org.murmur.wallet.pay.Refusal.Plain;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.PaymentState;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;

/** A wallet pays: a real node accepts each payment before it is sent, and its wallet is paid. */
@Tag("real-node")
@Timeout(300)
@SuppressWarnings("NullAway.Init") // each test begins with start()
final class PayRealNodeTest {

  private static final long COIN = 5_000_000_000L;

  @TempDir Path folder = Path.of("");

  private Bitcoind node;
  private SpvWallet wallet;
  private SyncOptions options;

  /** Three mature coins of one type, and a wallet that knows them. */
  private void start(OutputType type) throws Exception {
    WalletRecipe recipe = Lives.recipe(type);
    List<Bytes> scripts = Lives.scripts(recipe, 0, 3);
    node = Bitcoind.start();
    node.rpc().call("createwallet", "theirs");
    for (Bytes script : scripts) {
      node.rpc().call("generatetodescriptor", 1, "raw(" + script + ")");
    }
    // A lock time may be 99 blocks below the tip, and Knots does not relay the lock time 21.
    node.mine(125);
    wallet = SpvWallet.create(folder.resolve("w"), recipe);
    options =
        SyncOptions.connect("127.0.0.1:" + node.p2pPort())
            .limits(limits -> limits.mempoolWait(Duration.ZERO).time(Oracle.LIMIT));
    sync();
    assertThat(wallet.balance().confirmed()).isEqualTo(3 * COIN);
  }

  private void stop() throws Exception {
    wallet.close();
    node.close();
  }

  private void sync() throws Exception {
    assertThat(wallet.sync(options, SyncListener.NONE).complete()).isTrue();
  }

  private Bytes theirs() {
    String address = node.rpc().wallet("theirs").call("getnewaddress").asText();
    return Address.parse(address, KeyNetwork.REGTEST).scriptPubKey();
  }

  private long theirBalance() {
    return JsonRpc.satoshi(node.rpc().wallet("theirs").call("getbalance"));
  }

  /** Signs, lets the node judge the transaction, and sends it. */
  private Tx send(Proposal proposal) throws Exception {
    Tx tx = wallet.payments().sign(proposal, Credentials.NONE, SyncListener.NONE);
    JsonNode verdict = node.rpc().call("testmempoolaccept", List.of(tx.raw().toHex())).get(0);
    assertThat(verdict.get("allowed").asBoolean()).as(verdict.toString()).isTrue();
    assertThat(JsonRpc.satoshi(verdict.get("fees").get("base"))).isEqualTo(proposal.plan().fee());
    assertThat(verdict.get("vsize").asInt())
        .isBetween(proposal.plan().vsize() * 99 / 100, proposal.plan().vsize());
    BroadcastReport report = wallet.payments().broadcast(tx, options, SyncListener.NONE);
    assertThat(report.isAccepted()).as(report.toString()).isTrue();
    return tx;
  }

  private static PaymentOrder order(Bytes script, long amount, int satPerVb) {
    return PaymentOrder.of(List.of(Payees.of(script, amount)), FeeRate.satPerVb(satPerVb));
  }

  @ParameterizedTest
  @EnumSource
  void paysBumpsAndTakesBack(OutputType type) throws Exception {
    start(type);
    try {
      Proposal first = wallet.payments().plan(order(theirs(), 1_000_000_000L, 5));
      send(first);
      assertThat(wallet.balance().total())
          .isEqualTo(2 * COIN + 4_000_000_000L - first.plan().fee());
      node.mine(1);
      sync();
      assertThat(theirBalance()).isEqualTo(1_000_000_000L);

      Tx slow = send(wallet.payments().plan(order(theirs(), 2_000_000_000L, 2)));
      Proposal faster = wallet.payments().planBump(slow.txid(), FeePolicy.of(FeeRate.satPerVb(20)));
      assertThat(faster.plan().paidRate()).isGreaterThanOrEqualTo(FeeRate.satPerVb(20));
      Tx replacement = send(faster);
      assertThat(node.rpc().call("getrawmempool")).hasSize(1);
      node.mine(1);
      sync();
      assertThat(theirBalance()).isEqualTo(3_000_000_000L);
      assertThat(wallet.history().transaction(replacement.txid()).orElseThrow().confirmation())
          .isPresent();

      Tx regretted = send(wallet.payments().plan(order(theirs(), 2_000_000_000L, 2)));
      send(wallet.payments().planCancel(regretted.txid(), FeePolicy.of(FeeRate.satPerVb(10))));
      node.mine(1);
      sync();
      assertThat(theirBalance()).isEqualTo(3_000_000_000L);

      Bytes last = theirs();
      Proposal all =
          wallet.payments().plan(PaymentOrder.of(List.of(Payees.all(last)), FeeRate.satPerVb(3)));
      long before = wallet.balance().total();
      send(all);
      assertThat(wallet.balance().total()).isZero();
      node.mine(1);
      sync();
      assertThat(theirBalance()).isEqualTo(3_000_000_000L + before - all.plan().fee());
      assertThat(wallet.coins().list()).isEmpty();
    } finally {
      stop();
    }
  }

  /** Nodes replace what does not signal it, since Bitcoin Core 28: the plan names older ones. */
  @Test
  void replacesAPaymentThatDoesNotSignal() throws Exception {
    start(OutputType.P2WPKH);
    try {
      PaymentOrder order = order(theirs(), 1_000_000_000L, 2).replaceable(false);
      Tx slow = send(wallet.payments().plan(order));
      Proposal faster = wallet.payments().planBump(slow.txid(), FeePolicy.of(FeeRate.satPerVb(9)));
      assertThat(faster.warnings()).contains(new PaymentWarning.NotSignalled(slow.txid()));
      Tx replacement = send(faster);
      send(wallet.payments().planCancel(replacement.txid(), FeePolicy.of(FeeRate.satPerVb(20))));
      assertThat(node.rpc().call("getrawmempool")).hasSize(1);
      node.mine(1);
      sync();
      assertThat(theirBalance()).isZero();
    } finally {
      stop();
    }
  }

  /**
   * A node fetches what it refuses, after two seconds (Core: NONPREF_PEER_TX_DELAY), and is silent.
   */
  @Test
  void whatTheNodeHasReplacedDoesNotCount() throws Exception {
    start(OutputType.P2WPKH);
    try {
      Tx regretted = send(wallet.payments().plan(order(theirs(), 2_000_000_000L, 2)));
      Tx back =
          send(wallet.payments().planCancel(regretted.txid(), FeePolicy.of(FeeRate.satPerVb(10))));
      long total = wallet.balance().total();
      SyncOptions briefly = options.limits(limits -> limits.time(Duration.ofSeconds(5)));
      BroadcastReport report = wallet.payments().broadcast(regretted, briefly, SyncListener.NONE);
      assertThat(report.fetchedBy()).hasSize(1);
      assertThat(report.isAccepted()).isFalse();
      assertThat(wallet.balance().total()).isEqualTo(total);
      assertThat(wallet.history().transaction(back.txid()).orElseThrow().entry().status())
          .isEqualTo(TxStatus.PENDING);
      assertThat(wallet.history().transaction(regretted.txid()).orElseThrow().entry().status())
          .isEqualTo(TxStatus.REPLACED);
    } finally {
      stop();
    }
  }

  /** A peer that has the filter is asked for blocks; another one only for headers. */
  @Test
  void catchesUpWithoutShowingAnotherPeerAFilter() throws Exception {
    start(OutputType.P2TR);
    try {
      node.rpc()
          .call("generatetodescriptor", 1, "raw(" + Lives.scripts(recipe(), 0, 4).get(3) + ")");
      assertThat(wallet.payments().catchUp(options, SyncListener.NONE)).isPresent();
      assertThat(wallet.chain().complete()).isTrue();
      assertThat(wallet.chain().height()).isEqualTo(node.rpc().call("getblockcount").asInt());
      assertThat(wallet.balance().immature()).isEqualTo(COIN);
      node.mine(2);
      SyncOptions stranger =
          SyncOptions.connect("localhost:" + node.p2pPort())
              .limits(limits -> limits.time(Oracle.LIMIT));
      assertThat(wallet.payments().catchUp(stranger, SyncListener.NONE)).isPresent();
      assertThat(wallet.chain().scannedTo()).hasValue(wallet.chain().height() - 2);
      assertThat(wallet.privacy().report(Universe.chosen(1e9)).peers()).hasSize(1);
      assertThat(wallet.payments().catchUp(options, SyncListener.NONE)).isPresent();
      assertThat(wallet.chain().complete()).isTrue();
    } finally {
      stop();
    }
  }

  /** The file of a while ago knows nothing of a payment that the node has in its pool. */
  @Test
  void anOlderCopyOfTheFileDoesNotPayTwice() throws Exception {
    start(OutputType.P2WPKH);
    try {
      Path backup = folder.resolve("backup");
      wallet.close();
      Files.copy(folder.resolve("w"), backup);
      wallet = SpvWallet.open(folder.resolve("w"));
      Bytes payee = theirs();
      Tx first = send(wallet.payments().plan(order(payee, 1_000_000_000L, 5)));
      for (TxStatus status : List.of(TxStatus.PENDING, TxStatus.CONFIRMED)) {
        wallet.close();
        Files.copy(backup, folder.resolve("w"), StandardCopyOption.REPLACE_EXISTING);
        wallet = SpvWallet.open(folder.resolve("w"));
        SyncOptions patient = options.limits(limits -> limits.mempoolWait(Duration.ofMinutes(1)));
        assertThat(wallet.payments().catchUp(patient, SyncListener.NONE)).isPresent();
        EarlierPayment earlier =
            wallet.payments().plan(order(payee, 1_000_000_000L, 7)).earlier().orElseThrow();
        assertThat(earlier.txid()).isEqualTo(first.txid());
        assertThat(earlier.status()).isEqualTo(status);
        node.mine(1);
      }
    } finally {
      stop();
    }
  }

  private static WalletRecipe recipe() {
    return Lives.recipe(OutputType.P2TR);
  }

  /** One thread follows, another one pays in the same session; the node mines. */
  @Test
  void paysWhileItFollows() throws Exception {
    start(OutputType.P2WPKH);
    BlockingQueue<SyncEvent> events = new LinkedBlockingQueue<>();
    CompletableFuture<Object> following =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return wallet.sync(
                    options.limits(limits -> limits.time(Limits.FOREVER)).follow(true),
                    events::add);
              } catch (Exception e) {
                return e;
              }
            });
    try {
      while (!(events.take() instanceof WalletEvent.Complete)) {
        assertThat(following).isNotDone();
      }
      Tx tx = send(wallet.payments().plan(order(theirs(), 1_000_000_000L, 5)));
      assertThat(node.rpc().call("getrawmempool")).hasSize(1);
      assertThat(node.rpc().call("getpeerinfo")).hasSize(1);
      Set<PaymentState.Stage> stages = new LinkedHashSet<>();
      awaitStage(tx, PaymentState.Stage.RELAYED, stages, events);
      node.mine(1);
      awaitStage(tx, PaymentState.Stage.CONFIRMED, stages, events);
      assertThat(stages)
          .containsExactly(
              PaymentState.Stage.BUILT,
              PaymentState.Stage.SENT,
              PaymentState.Stage.RELAYED,
              PaymentState.Stage.CONFIRMED);
      assertThat(theirBalance()).isEqualTo(1_000_000_000L);
    } finally {
      stop();
    }
    assertThat(following.get()).isInstanceOf(SyncReport.class);
  }

  private static void awaitStage(
      Tx tx,
      PaymentState.Stage last,
      Set<PaymentState.Stage> stages,
      BlockingQueue<SyncEvent> events)
      throws InterruptedException {
    while (!stages.contains(last)) {
      if (events.take() instanceof WalletEvent.PaymentStateChanged changed
          && changed.txid().equals(tx.txid())) {
        stages.add(changed.state().stage());
      }
    }
  }

  @Test
  void raisesTheFeeOfAPaymentToTheWallet() throws Exception {
    start(OutputType.P2WPKH);
    try {
      send(wallet.payments().plan(order(theirs(), 2_000_000_000L, 5)));
      node.mine(1);
      sync();
      String address = wallet.receive().fresh().address();
      String paid =
          node.rpc()
              .wallet("theirs")
              .call("sendtoaddress", address, 1, "", "", false, true, null, "unset", false, 1)
              .asText();
      wallet.sync(
          options.limits(limits -> limits.mempoolWait(Duration.ofSeconds(30))), SyncListener.NONE);
      assertThat(wallet.balance().unconfirmed()).isEqualTo(100_000_000L);
      Proposal child =
          wallet
              .payments()
              .planBump(
                  org.murmur.bip37.bytes.Hash256.ofDisplay(paid),
                  FeePolicy.of(FeeRate.satPerVb(30)));
      Tx sent = send(child);
      JsonNode entry = node.rpc().call("getmempoolentry", sent.txid().toDisplay());
      long fees = JsonRpc.satoshi(entry.get("fees").get("ancestor"));
      assertThat(fees / entry.get("ancestorsize").asLong()).isBetween(29L, 33L);
      node.mine(1);
      sync();
    } finally {
      stop();
    }
  }

  @Test
  void signsOnlyOneOfTwoProposalsForACoin() throws Exception {
    start(OutputType.P2TR);
    try {
      Proposal one = wallet.payments().plan(order(theirs(), 11_000_000_000L, 5));
      Proposal two = wallet.payments().plan(order(theirs(), 12_000_000_000L, 5));
      send(one);
      assertThatThrownBy(() -> wallet.payments().sign(two, Credentials.NONE, SyncListener.NONE))
          .isInstanceOfSatisfying(
              PaymentRefusedException.class,
              refused -> assertThat(refused.reason()).isEqualTo(Plain.OUTDATED));
      assertThat(wallet.history().list().stream().filter(tx -> tx.height().isEmpty())).hasSize(1);
    } finally {
      stop();
    }
  }

  @Test
  void refusesTheKeysOfAnotherPassphrase() throws Exception {
    start(OutputType.P2WPKH);
    try {
      Proposal proposal = wallet.payments().plan(order(theirs(), 100_000, 5));
      assertThatThrownBy(
              () ->
                  wallet
                      .payments()
                      .sign(proposal, Credentials.NONE.withPassphrase("wrong"), SyncListener.NONE))
          .isInstanceOfSatisfying(
              WalletException.class,
              wrong -> assertThat(wrong.kind()).isEqualTo(WalletException.Kind.WRONG_PASSPHRASE));
      assertThat(wallet.balance().total()).isEqualTo(3 * COIN);
    } finally {
      stop();
    }
  }
}
