package org.murmur.wallet.spend;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.murmur.wallet.spend.PaymentStream.Result;

/**
 * 1,000 payments at changing fee rates, compared with the same ones with the largest coins first.
 */
final class PaymentStreamTest {

  private static final int STREAMS = 5;
  private static final int PAYMENTS = 1_000;

  @Test
  void costsLessThanLargestFirst() {
    long ours = 0;
    long theirs = 0;
    for (int seed = 1; seed <= STREAMS; seed++) {
      Result result = PaymentStream.ours(seed, PAYMENTS);
      Result baseline = PaymentStream.largestFirst(seed, PAYMENTS);
      System.out.printf("stream %d: %s, largest first: %s%n", seed, result, baseline);
      assertThat(result.refused()).isLessThanOrEqualTo(baseline.refused());
      ours += result.wholeCost();
      theirs += baseline.wholeCost();
    }
    System.out.printf("whole cost %d, largest first %d%n", ours, theirs);
    assertThat(ours).isLessThan(theirs);
  }
}
