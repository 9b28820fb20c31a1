package org.murmur.coins.spend;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsCoverage;
import org.murmur.coins.spend.SpendOutcome.Planned;
import org.murmur.coins.spend.SpendOutcome.Refused;

/** Payments of random wallets: each plan keeps the rules for plans, and none is refused wrongly. */
final class RandomPaymentsTest {

  @Property(tries = 10_000)
  void smallWalletsPayWhateverAnySubsetCanPay(@ForAll long seed) {
    RandomWallet wallet = new RandomWallet(seed, 10);
    PaymentOrder request = wallet.request();
    SpendOutcome outcome = PaymentPlanner.plan(request, wallet.draws());
    Statistics.label("outcome").collect(name(outcome)).coverage(RandomPaymentsTest::hasAllKinds);
    if (outcome instanceof Planned planned) {
      new PlanCheck(request, planned.plan()).check();
    } else if (outcome instanceof Refused refused) {
      if (refused instanceof SpendOutcome.CoinNotSpendable) {
        return;
      }
      AllSubsets subsets = new AllSubsets(request);
      if (subsets.isSmall()) {
        assertThat(subsets.solution()).as("%s", refused).isEmpty();
      }
    }
  }

  /** Of 10,000 payments; the rarest kinds do not count. */
  private static void hasAllKinds(StatisticsCoverage outcomes) {
    for (Algorithm algorithm : Algorithm.values()) {
      if (algorithm != Algorithm.LAST_RESORT) {
        outcomes.check(algorithm.name()).count(count -> count > 20);
      }
    }
    outcomes
        .check(SpendOutcome.InsufficientFunds.class.getSimpleName())
        .percentage(share -> share > 20);
  }

  private static String name(SpendOutcome outcome) {
    if (outcome instanceof Planned planned) {
      return planned.plan().algorithm().name();
    }
    return outcome.getClass().getSimpleName();
  }

  @Property(tries = 500)
  void largeWalletsPlanAsWell(@ForAll long seed) {
    RandomWallet wallet = new RandomWallet(seed, 400);
    PaymentOrder request = wallet.request();
    SpendOutcome outcome = PaymentPlanner.plan(request, wallet.draws());
    if (outcome instanceof Planned planned) {
      new PlanCheck(request, planned.plan()).check();
    }
  }

  /** The seed decides everything. */
  @Property(tries = 100)
  void theSameSeedMakesTheSamePlan(@ForAll long seed) {
    assertThat(outcome(seed)).isEqualTo(outcome(seed));
  }

  private static SpendOutcome outcome(long seed) {
    RandomWallet wallet = new RandomWallet(seed, 30);
    return PaymentPlanner.plan(wallet.request(), wallet.draws());
  }
}
