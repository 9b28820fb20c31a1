package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.spend.PaymentOrder;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.sync.Preset;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.wallet.pay.ChangeHint;
import org.murmur.wallet.pay.PaymentTrace;
import org.murmur.wallet.pay.Proposal;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;

/** What a payment reveals, with the embedded node as the only peer. */
@Timeout(120)
final class PaymentTraceTest {

  private static final Bytes THEIRS = Bytes.ofHex("0014751e76e8199196d454941c45d1b3a323f1433bd6");
  private static final Bytes TAPROOT =
      Bytes.ofHex("5120a60869f0dbcf1dc659c9cecbaf8050135ea9e8cdc487053f1dc6880949dc684c");
  private static final Universe UNIVERSE = Universe.of(ChainParams.REGTEST);

  private final WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
  private final List<Bytes> scripts = Lives.scripts(recipe, 0, 10);

  @TempDir Path folder = Path.of("");

  private RegtestNode node;
  private SpvWallet wallet;
  private SyncOptions options;
  private int spent;

  @BeforeEach
  void start() {
    node = RegtestNode.start();
    node.mine(120);
    wallet = SpvWallet.create(folder.resolve("w"), recipe);
    options = SyncOptions.connect(node.address());
  }

  @AfterEach
  void stop() {
    wallet.close();
    node.close();
  }

  private OutPoint receive(int script, long satoshi) {
    spent++;
    OutPoint coin = new OutPoint(node.blockAt(spent).tx(0).txid(), 0);
    Tx payment = new TxBuilder().spend(coin).pay(satoshi, scripts.get(script)).build();
    node.broadcast(payment);
    return payment.outPoint(0);
  }

  private void confirm() throws Exception {
    node.mine(1);
    assertThat(wallet.sync(options, SyncListener.NONE).complete()).isTrue();
  }

  private String address(int script) {
    return Address.of(scripts.get(script), KeyNetwork.REGTEST).orElseThrow();
  }

  private static PaymentOrder order(Bytes to, long amount) {
    return PaymentOrder.of(List.of(Payees.of(to, amount)), FeeRate.satPerVb(2));
  }

  private PaymentTrace trace(Proposal proposal) throws Exception {
    return wallet.privacy().trace(proposal, UNIVERSE);
  }

  @Test
  void aLinkIsNewOnlyOnce() throws Exception {
    OutPoint a = receive(0, 600_000);
    OutPoint b = receive(1, 600_000);
    receive(2, 600_000);
    confirm();
    Proposal both = wallet.payments().plan(order(THEIRS, 1_000_000).spendingOnly(List.of(a, b)));
    PaymentTrace first = trace(both);
    assertThat(first.newLinks())
        .containsExactlyInAnyOrder(List.of(address(0)), List.of(address(1)));
    // The two, and their change.
    assertThat(first.groupSize()).isEqualTo(3);
    assertThat(first.apart()).isEmpty();
    assertThat(wallet.privacy().report(UNIVERSE).linkedGroups()).isEmpty();

    Tx sent = wallet.payments().sign(both, Credentials.NONE, SyncListener.NONE);
    assertThat(wallet.payments().broadcast(sent, options, SyncListener.NONE).isAccepted()).isTrue();
    assertThat(wallet.privacy().report(UNIVERSE).linkedGroups()).containsExactly(3);
    OutPoint more = receive(0, 700_000);
    confirm();
    OutPoint change =
        wallet.coins().list().stream()
            .map(WalletCoin::outPoint)
            .filter(coin -> coin.txid().equals(sent.txid()))
            .findFirst()
            .orElseThrow();
    Proposal again =
        wallet.payments().plan(order(THEIRS, 800_000).spendingOnly(List.of(more, change)));
    assertThat(again.linkedAddresses()).hasSize(2);
    PaymentTrace second = trace(again);
    assertThat(second.newLinks()).isEmpty();
    assertThat(second.sights()).isEmpty();
    assertThat(second.groupSize()).isEqualTo(4);
  }

  /** Two coins pay it without change; the three of one address link nothing, and cost more. */
  @Test
  void namesTheCoinsThatLinkNothing() throws Exception {
    receive(0, 600_000);
    receive(1, 600_000);
    List<OutPoint> ofOne = List.of(receive(2, 500_000), receive(2, 500_001), receive(2, 500_002));
    confirm();
    Proposal proposal = wallet.payments().plan(dear(1_194_600));
    assertThat(proposal.plan().inputs()).hasSize(2);
    PaymentTrace trace = trace(proposal);
    assertThat(trace.newLinks()).hasSize(2);
    assertThat(trace.changeHints()).isEmpty();
    PaymentTrace.Apart apart = trace.apart().orElseThrow();
    assertThat(apart.coins()).containsExactlyInAnyOrderElementsOf(ofOne);
    assertThat(apart.fee()).isGreaterThan(proposal.plan().fee());
    Proposal other = wallet.payments().plan(dear(1_194_600).spendingOnly(apart.coins()));
    assertThat(other.plan().fee()).isEqualTo(apart.fee());
    assertThat(trace(other).newLinks()).isEmpty();
    // A payment of more than any address has must link some.
    assertThat(trace(wallet.payments().plan(dear(2_000_000))).apart()).isEmpty();
  }

  private static PaymentOrder dear(long amount) {
    return PaymentOrder.of(List.of(Payees.of(THEIRS, amount)), FeeRate.satPerVb(30));
  }

  @Test
  void saysByWhatTheChangeStandsOut() throws Exception {
    OutPoint a = receive(0, 600_000);
    OutPoint b = receive(1, 600_000);
    confirm();
    List<OutPoint> both = List.of(a, b);
    assertThat(
            trace(wallet.payments().plan(order(TAPROOT, 1_000_000).spendingOnly(both)))
                .changeHints())
        .containsExactly(
            ChangeHint.OTHER_TYPE, ChangeHint.ROUND_AMOUNT, ChangeHint.SMALLER_THAN_INPUTS);
    assertThat(
            trace(wallet.payments().plan(order(THEIRS, 1_000_000).spendingOnly(both)))
                .changeHints())
        .containsExactly(ChangeHint.ROUND_AMOUNT, ChangeHint.SMALLER_THAN_INPUTS);
    assertThat(
            trace(wallet.payments().plan(order(THEIRS, 312_345).spendingOnly(List.of(a))))
                .changeHints())
        .isEmpty();
    assertThat(
            trace(
                    wallet
                        .payments()
                        .plan(PaymentOrder.of(List.of(Payees.all(THEIRS)), FeeRate.satPerVb(2))))
                .changeHints())
        .isEmpty();
  }

  /** Five addresses hide in a noisy filter one by one, and not as a group. */
  @Test
  void aGuardThatCouldNotTellSeesTheGroup() throws Exception {
    options = options.preset(Preset.Kind.PRIVATE).ifPrivate(guards -> guards.onePeer(true));
    for (int i = 0; i < 5; i++) {
      receive(i, 600_000);
    }
    confirm();
    Proposal proposal = wallet.payments().plan(order(THEIRS, 2_800_000));
    assertThat(proposal.plan().inputs()).hasSize(5);
    PaymentTrace trace = wallet.privacy().trace(proposal, Universe.chosen(1e9));
    assertThat(trace.newLinks()).hasSize(5);
    assertThat(trace.sights())
        .singleElement()
        .satisfies(
            sight -> {
              assertThat(sight.before()).isEmpty();
              assertThat(sight.after().orElseThrow().strangers()).isLessThan(1);
              assertThat(sight.isNoiseUndone()).isEqualTo(sight.strangers() >= 1);
            });
  }
}
