package org.murmur.coins.spend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.spend.PaymentPlan.Output;
import org.murmur.coins.spend.PendingTransactions.Pending;
import org.murmur.coins.spend.SpendOutcome.Planned;
import org.murmur.coins.spend.fee.FeeRate;

/** One payment of 50,000 sat with a coin of 100,000, 141 vB at 10 sat/vB, and what follows. */
final class ReplacementsTest {

  private static final OutputType TYPE = OutputType.P2WPKH;
  private static final Bytes SHOP = TestScripts.script(TYPE, 2_000_001);
  private static final Hash256 TXID = TestScripts.txid(7_000);
  private static final List<ChangeScript> CHANGE = TestScripts.change(TYPE);
  private static final InputCoin SPENT = TestScripts.coin(TYPE, 1, 100_000);
  private static final SentPayment ORIGINAL =
      new SentPayment(
          TXID,
          List.of(SPENT),
          List.of(new Tx.Output(50_000, SHOP)),
          Optional.of(CHANGE.get(0)),
          false);
  private static final Pending PENDING = new Pending(TXID, Set.of(), 1_410, 141);
  private static final PendingTransactions ONE = PendingTransactions.of(List.of(PENDING));

  private static FeePolicy rate(long satPerVb) {
    return FeePolicy.of(FeeRate.satPerVb(satPerVb));
  }

  private static PaymentPlan plan(PaymentOrder request) {
    SpendOutcome outcome = PaymentPlanner.plan(request, Draws.ofSeed(1));
    assertThat(outcome).isInstanceOf(Planned.class);
    return ((Planned) outcome).plan();
  }

  private static PaymentPlan bumped(long satPerVb, InputCoin... coins) {
    return plan(Replacements.bump(ORIGINAL, List.of(coins), CHANGE, rate(satPerVb), ONE));
  }

  /** 20 sat/vB: 2,820, out of the change; the other coin stays where it is. */
  @Test
  void takesTheHigherFeeOutOfTheChange() {
    PaymentPlan plan = bumped(20, TestScripts.coin(TYPE, 2, 80_000));
    assertThat(plan.fee()).isEqualTo(2_820);
    assertThat(plan.inputs()).hasSize(1);
    assertThat(plan.outputs())
        .extracting(Output::value)
        .containsExactlyInAnyOrder(50_000L, 47_180L);
    assertThat(plan.outputs()).anyMatch(out -> out.script().equals(CHANGE.get(0).script()));
  }

  /** At 10 sat/vB again, rule 4 asks for 141 sat more. */
  @Test
  void paysAtLeastForItsOwnRelay() {
    assertThat(bumped(10).fee()).isEqualTo(1_551);
  }

  /** A child of the original, 500 sat and 200 vB, is paid for as well. */
  @Test
  void paysForTheDescendantsThatVanish() {
    Pending child = new Pending(TestScripts.txid(7_001), Set.of(TXID), 500, 200);
    PendingTransactions two = PendingTransactions.of(List.of(PENDING, child));
    assertThat(plan(Replacements.bump(ORIGINAL, List.of(), CHANGE, rate(10), two)).fee())
        .isEqualTo(2_051);
  }

  /** 460 sat/vB: 50,600 for 110 vB without change are more than the 50,000 that are left. */
  @Test
  void addsConfirmedCoinsWhereTheChangeDoesNotSuffice() {
    InputCoin confirmed = TestScripts.coin(TYPE, 2, 90_000);
    InputCoin change = TestScripts.coin(TYPE, 3, 3, 900_000, 0, true);
    PaymentPlan plan = bumped(460, confirmed, change);
    assertThat(plan.inputs())
        .extracting(input -> input.coin().outPoint())
        .containsExactlyInAnyOrder(SPENT.outPoint(), confirmed.outPoint());
    Pending other = new Pending(change.outPoint().txid(), Set.of(), 9_999, 141);
    PendingTransactions two = ONE.and(other);
    // 110 vB without change: 55,000, and 50,000 are there.
    assertThat(
            PaymentPlanner.plan(
                Replacements.bump(ORIGINAL, List.of(change), CHANGE, rate(500), two),
                Draws.ofSeed(1)))
        .isEqualTo(new SpendOutcome.InsufficientFunds(5_000));
  }

  /** 200,000 sat of a descendant are to be paid, far above the rate: some coins, and not all. */
  @Test
  void addsNoMoreCoinsThanTheRulesNeed() {
    Pending child = new Pending(TestScripts.txid(7_001), Set.of(TXID), 200_000, 200);
    PendingTransactions two = PendingTransactions.of(List.of(PENDING, child));
    List<InputCoin> coins = new ArrayList<>();
    for (int i = 10; i < 40; i++) {
      coins.add(TestScripts.coin(TYPE, i, 90_000));
    }
    PaymentPlan plan = plan(Replacements.bump(ORIGINAL, coins, CHANGE, rate(10), two));
    assertThat(plan.fee()).isEqualTo(201_410 + plan.vsize());
    assertThat(plan.inputs()).hasSizeLessThan(6);
  }

  /** 110 vB at 20 sat/vB. */
  @Test
  void returnsEverything() {
    PaymentPlan plan = plan(Replacements.cancel(ORIGINAL, CHANGE, rate(20), ONE));
    assertThat(plan.outputs()).extracting(Output::value).containsExactly(97_800L);
    assertThat(plan.outputs().get(0).script()).isEqualTo(CHANGE.get(0).script());
    assertThat(plan(Replacements.cancel(ORIGINAL, CHANGE, rate(1), ONE)).fee()).isEqualTo(1_520);
  }

  @Test
  void replacesOnlyPendingPayments() {
    assertThatThrownBy(
            () -> Replacements.cancel(ORIGINAL, CHANGE, rate(20), PendingTransactions.NONE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** A foreign parent of 141 vB with an unknown fee: (141 + 110) × 10. */
  @Test
  void aChildLiftsAForeignPayment() {
    InputCoin received =
        new InputCoin(
            new OutPoint(TXID, 0), 60_000, SPENT.script(), SPENT.size(), 0, false, false, false);
    PendingTransactions unknown =
        PendingTransactions.of(List.of(new Pending(TXID, Set.of(), 0, 141)));
    PaymentPlan plan =
        plan(Replacements.child(List.of(received), CHANGE.get(0), rate(10), unknown));
    assertThat(plan.fee()).isEqualTo(2_510);
    assertThat(plan.outputs()).extracting(Output::value).containsExactly(57_490L);
  }

  /** Every planned payment can be replaced by a plan that nodes accept. */
  @Property(tries = 3_000)
  void nodesAcceptReplacements(@ForAll long seed) {
    RandomWallet wallet = new RandomWallet(seed, 15);
    PaymentOrder request = wallet.request();
    if (!(PaymentPlanner.plan(request, wallet.draws()) instanceof Planned planned)) {
      return;
    }
    PaymentPlan plan = planned.plan();
    List<InputCoin> inputs = plan.inputs().stream().map(PaymentPlan.Input::coin).toList();
    List<Tx.Output> paid = new ArrayList<>();
    plan.outputs().stream()
        .filter(output -> !output.isChange())
        .forEach(output -> paid.add(new Tx.Output(output.value(), output.script())));
    SentPayment sent =
        new SentPayment(TXID, inputs, paid, Optional.of(request.changeScripts().get(0)), false);
    PendingTransactions pending =
        request.pending().and(new Pending(TXID, Terms.parents(inputs), plan.fee(), plan.vsize()));
    FeePolicy fees = FeePolicy.of(FeeRate.satPerKvb(1 + (seed & 0xffff))).withoutCeiling();
    PaymentOrder bump =
        Replacements.bump(sent, request.coins(), request.changeScripts(), fees, pending);
    if (PaymentPlanner.plan(bump, wallet.draws()) instanceof Planned replacement) {
      check(plan, inputs, replacement.plan());
    }
  }

  private static void check(PaymentPlan plan, List<InputCoin> inputs, PaymentPlan replacement) {
    List<InputCoin> spent = replacement.inputs().stream().map(PaymentPlan.Input::coin).toList();
    assertThat(spent).containsAll(inputs);
    assertThat(spent).allMatch(coin -> inputs.contains(coin) || coin.confirmations() > 0);
    assertThat(replacement.fee() - plan.fee())
        .isGreaterThanOrEqualTo(FeeRate.INCREMENTAL.feeOf(replacement.vsize()));
    assertThat(replacement.fee() * plan.vsize()).isGreaterThan(plan.fee() * replacement.vsize());
    assertThat(replacement.outputs().stream().filter(output -> !output.isChange()))
        .extracting(Output::value)
        .containsExactlyElementsOf(
            plan.outputs().stream().filter(out -> !out.isChange()).map(Output::value).toList());
  }
}
