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
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.spend.FeePolicy;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.overview.ChainState;
import org.murmur.wallet.overview.OtherWallet;
import org.murmur.wallet.pay.PaymentOrder;
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
  private static Map<String, SpvWallet.Reading<?>> reads(Hash256 txid) {
    Universe universe = Universe.of(ChainParams.REGTEST);
    Map<String, SpvWallet.Reading<?>> reads = new LinkedHashMap<>();
    reads.put("balance", SpvWallet::balance);
    reads.put("spendable", SpvWallet::spendable);
    reads.put("chain", SpvWallet::chain);
    reads.put("history", SpvWallet::history);
    reads.put("fullHistory", SpvWallet::fullHistory);
    reads.put("history(page)", wallet -> wallet.history(5, Optional.empty(), true));
    reads.put("coins", SpvWallet::coins);
    reads.put("transaction", wallet -> wallet.transaction(txid));
    reads.put("heightOf", wallet -> wallet.heightOf(txid));
    reads.put("address", SpvWallet::address);
    reads.put("addresses", SpvWallet::addresses);
    reads.put("coverage", SpvWallet::coverage);
    reads.put("why", wallet -> wallet.why(wallet.address().address()));
    reads.put("privacy", wallet -> wallet.privacy(universe));
    reads.put("asOf", wallet -> wallet.asOf(SpvWallet::coins));
    return reads;
  }

  /** Their results have it. */
  private static final Set<String> CARRY =
      Set.of("plan", "planBump", "planCancel", "sync", "rescan");

  /** They say nothing that a block could change, or change something. */
  private static final Set<String> OTHERS =
      Set.of(
          // What it is, its keys, and what the user noted.
          "info",
          "keyNetwork",
          "exportMnemonic",
          "exportDescriptors",
          "exportXpubs",
          "changePassword",
          "signMessage",
          "labels",
          "freeze",
          "unfreeze",
          "takeLosses",
          // Sessions, peers and what they were told.
          "start",
          "stop",
          "close",
          "catchUp",
          "estimateFee",
          "broadcast",
          "requireRecipients",
          "peerBook",
          "peers",
          "pastSyncs",
          "preset",
          "forecast",
          // Of a transaction or a proposal that the caller has, with what it was planned on.
          "earlier",
          "displaced",
          "review",
          "update",
          "export",
          "trace",
          "sign",
          "signToSend",
          "pay",
          "abandon",
          // Writes that it was handed out.
          "freshAddress");

  /** Whoever adds a public method decides here what it says. */
  @Test
  void theReadsAreThese() {
    Set<String> named = new TreeSet<>(OTHERS);
    named.addAll(CARRY);
    reads(Hash256.ZERO).keySet().forEach(name -> named.add(name.replaceAll("\\(.*", "")));
    Set<String> found =
        Arrays.stream(SpvWallet.class.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .map(Method::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(found).isEqualTo(named);
    for (Method method : SpvWallet.class.getDeclaredMethods()) {
      if (Modifier.isPublic(method.getModifiers()) && CARRY.contains(method.getName())) {
        assertThat(method.getReturnType().getRecordComponents())
            .as(method.toString())
            .anyMatch(part -> part.getType().equals(ChainState.class));
      }
    }
  }

  private void reads(SpvWallet wallet, boolean complete) {
    ChainState chain = wallet.chain();
    assertThat(chain.complete()).isEqualTo(complete);
    Hash256 any = Hash256.ZERO;
    for (Map.Entry<String, SpvWallet.Reading<?>> read : reads(any).entrySet()) {
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
      refuses(wallet, () -> wallet.plan(order));
      SyncOptions peer = SyncOptions.connect(node.address());
      wallet.sync(peer.headersOnly(true), SyncListener.NONE);
      // Nobody knows that there is too little.
      refuses(wallet, () -> wallet.plan(order));
      wallet.sync(peer, SyncListener.NONE);
      Proposal known = wallet.plan(order);
      assertThat(known.chain()).isEqualTo(wallet.chain());
      Hash256 pending = wallet.sign(known, null, "", SyncListener.NONE).txid();
      node.mine(3);
      wallet.sync(peer.headersOnly(true), SyncListener.NONE);
      PaymentOrder more = PaymentOrder.of(List.of(Payees.of(THEIRS, 60_000)), RATE);
      FeePolicy fees = FeePolicy.of(FeeRate.satPerVb(30));
      refuses(wallet, () -> wallet.plan(more));
      refuses(wallet, () -> wallet.planBump(pending, fees));
      refuses(wallet, () -> wallet.planCancel(pending, fees));
      for (Proposal forced :
          List.of(
              wallet.plan(more.evenIfIncomplete(true)),
              wallet.planBump(pending, fees, true),
              wallet.planCancel(pending, fees, true))) {
        assertThat(forced.warnings()).contains(new PaymentWarning.NotComplete(wallet.chain()));
      }
      // What is wrong anyway is said first.
      Refusal absurd =
          catchThrowableOfType(
                  PaymentRefusedException.class,
                  () -> wallet.plan(more.fees(FeePolicy.of(FeeRate.satPerVb(20_000)))))
              .reason();
      assertThat(absurd).isInstanceOf(Refusal.NoPlan.class);
      wallet.sync(peer, SyncListener.NONE);
      assertThat(wallet.plan(more).warnings()).isEmpty();
      assertThat(wallet.address(AddressChoice.USUAL).used()).isFalse();
    }
  }
}
