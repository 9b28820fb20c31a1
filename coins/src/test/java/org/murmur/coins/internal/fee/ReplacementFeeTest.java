package org.murmur.coins.internal.fee;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.murmur.coins.internal.fee.ReplacementFee.Evicted;
import org.murmur.coins.spend.fee.FeeRate;

final class ReplacementFeeTest {

  @Test
  void agreesWithCore() throws IOException {
    JsonNode cases = DustTest.facts().get("pays_for_replacement");
    assertThat(cases).hasSize(9);
    for (JsonNode each : cases) {
      assertThat(
              pays(
                  each.get("original_fees").asLong(),
                  each.get("replacement_fees").asLong(),
                  each.get("replacement_vsize").asLong(),
                  FeeRate.satPerKvb(each.get("incremental_feerate").asLong())))
          .as(each.toString())
          .isEqualTo(each.get("accepted").asBoolean());
    }
  }

  /** 1,410 sat for 141 vB replaced by the same size at 1 sat/vB more: rule 4 decides. */
  @Test
  void paysForItsOwnRelay() {
    List<Evicted> original = List.of(new Evicted(1_410, 141, true));
    assertThat(ReplacementFee.minimum(original, 141, FeeRate.INCREMENTAL)).isEqualTo(1_551);
  }

  /** A child of 5,000 sat leaves the pools with its parent. */
  @Test
  void paysForDescendants() {
    List<Evicted> both = List.of(new Evicted(1_410, 141, true), new Evicted(5_000, 200, false));
    assertThat(ReplacementFee.minimum(both, 141, FeeRate.INCREMENTAL)).isEqualTo(6_551);
  }

  /** Four times the size needs four times the fee, and one satoshi: 4 × 14,100 + 1. */
  @Test
  void hasAHigherRateThanTheReplaced() {
    List<Evicted> original = List.of(new Evicted(14_100, 141, true));
    assertThat(ReplacementFee.minimum(original, 564, FeeRate.INCREMENTAL)).isEqualTo(56_401);
  }

  @Property(tries = 1_000)
  void theMinimumPaysAndOneSatoshiLessDoesNot(
      @ForAll @LongRange(min = 100, max = 1_000_000) long fee,
      @ForAll @IntRange(min = 80, max = 100_000) int vsize,
      @ForAll @IntRange(min = 80, max = 100_000) int newVsize) {
    List<Evicted> original = List.of(new Evicted(fee, vsize, true));
    long least = ReplacementFee.minimum(original, newVsize, FeeRate.INCREMENTAL);
    assertThat(accepted(fee, vsize, least, newVsize)).isTrue();
    assertThat(accepted(fee, vsize, least - 1, newVsize)).isFalse();
  }

  /** One satoshi more for 4,112 vB is not yet 0.001 sat/vB more: nodes call the rates equal. */
  @Test
  void hasAHigherRateInWholeSatoshiPerThousandBytes() {
    List<Evicted> original = List.of(new Evicted(44 * 141, 141, true));
    assertThat(ReplacementFee.minimum(original, 4_112, FeeRate.INCREMENTAL))
        .isEqualTo(44 * 4_112 + 5);
  }

  /** As Core's mempool decides. */
  private static boolean accepted(long fee, long vsize, long newFee, long newVsize) {
    return pays(fee, newFee, newVsize, FeeRate.INCREMENTAL)
        && FeeRate.paid(newFee, newVsize).compareTo(FeeRate.paid(fee, vsize)) > 0;
  }

  /** Rules 3 and 4. */
  private static boolean pays(long replacedFees, long fee, long vsize, FeeRate incremental) {
    return fee >= replacedFees && fee - replacedFees >= incremental.feeOf(vsize);
  }
}
