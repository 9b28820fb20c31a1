package org.murmur.coins.spend;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.murmur.coins.spend.PaymentStream.Result;

/**
 * 1,000 payments at changing fee rates, compared with the same ones with the largest coins first.
 */
final class PaymentStreamTest {

  private static final int STREAMS = 5;
  private static final int PAYMENTS = 1_000;

  @Test
  void costsLessThanLargestFirst() {
    Result ours = new Result(0, 0);
    Result theirs = new Result(0, 0);
    for (int seed = 1; seed <= STREAMS; seed++) {
      PaymentScenario scenario = PaymentScenario.wandering(seed, PAYMENTS);
      ours = ours.and(PaymentStream.ours(scenario, seed));
      theirs = theirs.and(PaymentStream.largestFirst(scenario));
    }
    System.out.printf("ours %s, largest first %s%n", ours, theirs);
    assertThat(ours.wholeCost()).isLessThan(theirs.wholeCost());
  }
}
