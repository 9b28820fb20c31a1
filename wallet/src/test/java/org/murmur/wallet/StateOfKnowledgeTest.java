package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.spend.FeePolicy;
import org.murmur.coins.spend.PaymentOrder;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.overview.ChainState;
import org.murmur.wallet.overview.OtherWallet;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.pay.PaymentWarning;
import org.murmur.wallet.pay.Proposal;
import org.murmur.wallet.pay.Refusal;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;

/**
 * Whatever is read of a wallet says of how much of the chain it is true. The reads are the public
 * methods of the wallet.
 */
@Timeout(120)
final class StateOfKnowledgeTest {

  private static final FeeRate RATE = FeeRate.satPerVb(2);
  private static final Bytes THEIRS = Bytes.ofHex("0014751e76e8199196d454941c45d1b3a323f1433bd6");

  @TempDir Path folder = Path.of("");

  /** What a block may change: read with the state of knowledge of the same commit. */
  private static Map<String, Function<SpvWallet, ?>> reads(Hash256 txid) {
    Universe universe = Universe.of(ChainParams.REGTEST);
    Map<String, Function<SpvWallet, ?>> reads = new LinkedHashMap<>();
    reads.put("balance", SpvWallet::balance);
    reads.put("spendable", SpvWallet::spendable);
    reads.put("chain", SpvWallet::chain);
    reads.put("heightOf", wallet -> wallet.heightOf(txid));
    reads.put("asOf", wallet -> wallet.asOf(SpvWallet::balance));
    reads.put("history.list", wallet -> wallet.history().list());
    reads.put("history.full", wallet -> wallet.history().full().list());
    reads.put("history.newest", wallet -> wallet.history().full().newest(5));
    reads.put("history.before", wallet -> wallet.history().before(txid, 5));
    reads.put("history.transaction", wallet -> wallet.history().transaction(txid));
    reads.put("coins.list", wallet -> wallet.coins().list());
    reads.put("receive.current", wallet -> wallet.receive().current());
    reads.put("receive.list", wallet -> wallet.receive().list());
    reads.put("privacy.coverage", wallet -> wallet.privacy().coverage());
    reads.put("privacy.why", wallet -> wallet.privacy().why(wallet.receive().current().address()));
    reads.put("privacy.report", wallet -> wallet.privacy().report(universe));
    return reads;
  }

  /** Their results have it. */
  private static final Set<String> CARRY =
      Set.of("payments.plan", "payments.planBump", "payments.planCancel", "sync", "rescan");

  /** They say nothing that a block could change, or change something. */
  private static final Set<String> OTHERS =
      Set.of(
          // What it is, its keys, and what the user noted.
          "info",
          "network",
          "keyNetwork",
          "keys.mnemonic",
          "keys.origin",
          "keys.encrypted",
          "keys.xpubs",
          "keys.changePassword",
          "keys.removePassword",
          "keys.signMessage",
          "labels.of",
          "labels.set",
          "labels.list",
          "labels.inForce",
          "labels.exportLines",
          "labels.importLines",
          "coins.freeze",
          "coins.unfreeze",
          "takeDamage",
          // Sessions, peers and what they were told.
          "start",
          "stop",
          "close",
          "payments.catchUp",
          "payments.estimateFee",
          "payments.broadcast",
          "payments.broadcastAgain",
          "payments.requireRecipients",
          "privacy.peerBook",
          "privacy.pastSyncs",
          "privacy.preset",
          "privacy.forecast",
          "privacy.forecasts",
          // Of a transaction or a proposal that the caller has, with what it was planned on.
          "payments.evenIfIncomplete",
          "payments.earlier",
          "payments.displaced",
          "psbts.review",
          "psbts.update",
          "psbts.export",
          "psbts.sign",
          "privacy.trace",
          "payments.sign",
          "payments.signToSend",
          "payments.pay",
          "payments.abandon",
          // Writes that it was handed out.
          "receive.fresh",
          "receive.ofType",
          "receive.forChange");

  /** The public methods of the wallet, and of what its doors lead to. */
  private static Map<String, List<Method>> doors() {
    Map<String, List<Method>> doors = new TreeMap<>();
    for (Method method : SpvWallet.class.getDeclaredMethods()) {
      if (isDoor(method)) {
        Class<?> type = method.getReturnType();
        boolean leads = type.getSimpleName().matches("Wallet(?!Info).*");
        Stream.of(leads ? type.getDeclaredMethods() : new Method[] {method})
            .filter(StateOfKnowledgeTest::isDoor)
            .forEach(
                door ->
                    doors
                        .computeIfAbsent(
                            (leads ? method.getName() + "." : "") + door.getName(),
                            name -> new ArrayList<>())
                        .add(door));
      }
    }
    return doors;
  }

  private static boolean isDoor(Method method) {
    return Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers());
  }

  /** Whoever adds a public method decides here what it says. */
  @Test
  void theReadsAreThese() {
    Set<String> named = new TreeSet<>(OTHERS);
    named.addAll(CARRY);
    named.addAll(reads(Hash256.ZERO).keySet());
    assertThat(doors().keySet()).isEqualTo(named);
    doors()
        .forEach(
            (name, methods) ->
                assertThat(methods)
                    .as(name)
                    .allMatch(
                        method ->
                            !CARRY.contains(name)
                                || Arrays.stream(method.getReturnType().getMethods())
                                    .anyMatch(
                                        part -> part.getReturnType().equals(ChainState.class))));
  }

  private void reads(SpvWallet wallet, boolean complete) {
    ChainState chain = wallet.chain();
    assertThat(chain.complete()).isEqualTo(complete);
    Hash256 any = Hash256.ZERO;
    for (Map.Entry<String, Function<SpvWallet, ?>> read : reads(any).entrySet()) {
      assertThat(wallet.asOf(read.getValue()).chain()).as(read.getKey()).isEqualTo(chain);
    }
  }

  @Test
  void headersAloneAreNoKnowledge() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    try (RegtestNode node = RegtestNode.start();
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      node.mineTo(Lives.scripts(recipe, 0, 1).get(0), 1);
      node.mine(115);
      reads(wallet, false);
      assertThat(wallet.chain().words()).isEqualTo("never synced");
      SyncOptions peer = SyncOptions.connect(node.address());
      List<SyncEvent> events = new ArrayList<>();
      SyncReport headers = wallet.sync(peer.headersOnly(true), events::add);
      assertThat(headers.ending()).isEqualTo(SyncReport.Ending.DONE);
      assertThat(headers.complete()).isFalse();
      assertThat(headers.chain()).isEqualTo(wallet.chain());
      assertThat(events).noneMatch(WalletEvent.Complete.class::isInstance);
      assertThat(wallet.chain().scannedTo()).isEmpty();
      assertThat(wallet.chain().words()).isEqualTo("no block is scanned; headers to height 116");
      reads(wallet, false);
      SyncReport all = wallet.sync(peer, events::add);
      assertThat(all.chain().complete()).isTrue();
      assertThat(events).anyMatch(WalletEvent.Complete.class::isInstance);
      reads(wallet, true);
    }
  }

  /** The app hears what the command says: which other wallet of the same words to try. */
  @Test
  void anEmptyRestoreSaysWhatElseToTry() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    try (RegtestNode node = RegtestNode.start();
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      node.mine(3);
      SyncOptions peer = SyncOptions.connect(node.address());
      assertThat(wallet.sync(peer.headersOnly(true), SyncListener.NONE).tryAlso()).isEmpty();
      assertThat(wallet.sync(peer, SyncListener.NONE).tryAlso())
          .contains(
              new OtherWallet.Scripts(
                  List.of(OutputType.P2PKH, OutputType.P2SH_P2WPKH, OutputType.P2TR)),
              new OtherWallet.Account(1),
              new OtherWallet.Passphrase());
      node.mineTo(Lives.scripts(recipe, 0, 1).get(0), 1);
      assertThat(wallet.sync(peer, SyncListener.NONE).tryAlso()).isEmpty();
    }
  }

  private static void refuses(SpvWallet wallet, Plan plan) {
    Refusal refusal = catchThrowableOfType(PaymentRefusedException.class, plan::make).reason();
    assertThat(refusal).isEqualTo(new Refusal.Incomplete(wallet.chain()));
  }

  private interface Plan {
    Proposal make() throws Exception;
  }

  /** A coin that an unscanned block may have spent is paid only if its user says so. */
  @Test
  void anIncompleteWalletDoesNotPayUnasked() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    try (RegtestNode node = RegtestNode.start();
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      node.mineTo(Lives.scripts(recipe, 0, 1).get(0), 2);
      node.mine(110);
      PaymentOrder order = PaymentOrder.of(List.of(Payees.of(THEIRS, 50_000)), RATE);
      refuses(wallet, () -> wallet.payments().plan(order));
      SyncOptions peer = SyncOptions.connect(node.address());
      wallet.sync(peer.headersOnly(true), SyncListener.NONE);
      // Nobody knows that there is too little.
      refuses(wallet, () -> wallet.payments().plan(order));
      wallet.sync(peer, SyncListener.NONE);
      Proposal known = wallet.payments().plan(order);
      assertThat(known.chain()).isEqualTo(wallet.chain());
      Hash256 pending = wallet.payments().sign(known, Credentials.NONE, SyncListener.NONE).txid();
      node.mine(3);
      wallet.sync(peer.headersOnly(true), SyncListener.NONE);
      PaymentOrder more = PaymentOrder.of(List.of(Payees.of(THEIRS, 60_000)), RATE);
      FeePolicy fees = FeePolicy.of(FeeRate.satPerVb(30));
      refuses(wallet, () -> wallet.payments().plan(more));
      refuses(wallet, () -> wallet.payments().planBump(pending, fees));
      refuses(wallet, () -> wallet.payments().planCancel(pending, fees));
      for (Proposal forced :
          List.of(
              wallet.payments().evenIfIncomplete().plan(more),
              wallet.payments().evenIfIncomplete().planBump(pending, fees),
              wallet.payments().evenIfIncomplete().planCancel(pending, fees))) {
        assertThat(forced.warnings()).contains(new PaymentWarning.NotComplete(wallet.chain()));
      }
      // What is wrong anyway is said first.
      Refusal absurd =
          catchThrowableOfType(
                  PaymentRefusedException.class,
                  () ->
                      wallet
                          .payments()
                          .plan(PaymentOrder.of(more.recipients(), FeeRate.satPerVb(20_000))))
              .reason();
      assertThat(absurd).isInstanceOf(Refusal.NoPlan.class);
      wallet.sync(peer, SyncListener.NONE);
      assertThat(wallet.payments().plan(more).warnings()).isEmpty();
      assertThat(wallet.receive().current().used()).isFalse();
    }
  }
}
