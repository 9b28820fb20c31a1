package org.murmur.coins.spend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.murmur.coins.spend.PaymentStream.Result;
import org.murmur.testbed.bitcoind.Bitcoind;

/** The same deposits and payments for a node's wallet and for {@link PaymentPlanner}. */
@Tag("real-node")
@Tag("long")
final class CoinSelectionBesideCoreTest {

  private static final int PAYMENTS = 1_000;

  @Test
  void costsNoMoreThanTheNodesOwn() {
    Result all = new Result(0, 0);
    Result core = new Result(0, 0);
    for (PaymentScenario scenario : scenarios()) {
      Result ours = PaymentStream.ours(scenario, 1);
      Result theirs = theirs(scenario);
      print(scenario.name(), ours, theirs);
      all = all.and(ours);
      core = core.and(theirs);
    }
    print("all", all, core);
    assertThat(all.wholeCost()).isLessThanOrEqualTo(core.wholeCost());
  }

  private static List<PaymentScenario> scenarios() {
    return List.of(
        PaymentScenario.wandering(1, PAYMENTS),
        PaymentScenario.wandering(2, PAYMENTS),
        PaymentScenario.hotWallet(1, PAYMENTS),
        PaymentScenario.hotWallet(2, PAYMENTS),
        PaymentScenario.payouts(1, PAYMENTS),
        PaymentScenario.payouts(2, PAYMENTS));
  }

  private static Result theirs(PaymentScenario scenario) {
    try (Bitcoind node = CoreStream.start()) {
      return CoreStream.play(node, scenario);
    }
  }

  private static void print(String name, Result ours, Result theirs) {
    System.out.printf(
        "%-26s fees %9d of %9d, coins %4d of %4d, whole cost %9d of %9d: %.4f%n",
        name,
        ours.fees(),
        theirs.fees(),
        ours.coins(),
        theirs.coins(),
        ours.wholeCost(),
        theirs.wholeCost(),
        (double) ours.wholeCost() / theirs.wholeCost());
  }
}
