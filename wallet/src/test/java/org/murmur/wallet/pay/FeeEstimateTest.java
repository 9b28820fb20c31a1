package org.murmur.wallet.pay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.murmur.coins.spend.fee.BlockFees;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.p2p.discovery.NodeAddress;

final class FeeEstimateTest {

  private static final NodeAddress A = new NodeAddress("192.0.2.1", 8333);
  private static final NodeAddress B = new NodeAddress("192.0.2.2", 8333);

  private static BlockFees full(int height, long satPerKvb) {
    return new BlockFees(height, satPerKvb * 990, 3_960_000, 3_990_000);
  }

  private static BlockFees half(int height, long satPerKvb) {
    return new BlockFees(height, satPerKvb * 500, 2_000_000, 2_010_000);
  }

  private static BlockFees empty(int height) {
    return new BlockFees(height, 0, 0, 1_000);
  }

  private static FeeEstimate of(Map<NodeAddress, Long> peers, BlockFees... blocks) {
    return FeeEstimate.of(List.of(blocks), peers).orElseThrow();
  }

  @Test
  void isTheMedianOfFullBlocks() {
    FeeEstimate estimate = of(Map.of(), full(3, 6_300), full(1, 1_900), full(2, 2_040));
    assertThat(estimate.rate()).isEqualTo(FeeRate.satPerKvb(2_100));
    assertThat(estimate.low()).isEqualTo(FeeRate.satPerKvb(1_900));
    assertThat(estimate.high()).isEqualTo(FeeRate.satPerKvb(6_300));
    assertThat(estimate.blocks()).extracting(BlockFees::height).containsExactly(1, 2, 3);
  }

  /** Somebody paid 50 sat/vB, but nobody had to. */
  @Test
  void aBlockWithRoomNeededTheLeastRate() {
    FeeEstimate estimate = of(Map.of(A, 1_000L), half(1, 50_000), half(2, 3_000), full(3, 8_000));
    assertThat(estimate.rate()).isEqualTo(FeeRate.satPerVb(1));
    assertThat(estimate.high()).isEqualTo(FeeRate.satPerVb(50));
  }

  @Test
  void anEmptyBlockSaysNothingBesideOthers() {
    assertThat(of(Map.of(), empty(1), empty(2), empty(3), full(4, 7_000)).rate())
        .isEqualTo(FeeRate.satPerVb(7));
    assertThat(of(Map.of(), empty(1), empty(2)).rate()).isEqualTo(FeeEstimate.MIN_RELAY);
  }

  @Test
  void nobodyPaysLessThanThePeersRelay() {
    FeeEstimate estimate = of(Map.of(A, 1_000L, B, 2_500L), half(1, 1_000));
    assertThat(estimate.rate()).isEqualTo(FeeRate.satPerKvb(2_500));
    assertThat(estimate.floor()).isEqualTo(FeeRate.satPerKvb(2_500));
    assertThat(of(Map.of(A, 100L), half(1, 1_000)).rate()).isEqualTo(FeeRate.satPerVb(1));
  }

  /** A node that is not synced announces all money; others may announce anything. */
  @Test
  void anImpossibleWordOfAPeerDoesNotCount() {
    for (long word : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 2_100_000_000_000_000L}) {
      FeeEstimate estimate = of(Map.of(A, word), half(1, 1_000));
      assertThat(estimate.rate()).isEqualTo(FeeEstimate.MIN_RELAY);
      assertThat(estimate.peers()).isEmpty();
    }
  }

  @Test
  void noPeerAloneAsksForMoreThanTenUnlessFullBlocksPaidIt() {
    assertThat(of(Map.of(A, 400_000L), half(1, 90_000)).rate()).isEqualTo(FeeRate.satPerVb(10));
    assertThat(of(Map.of(A, 400_000L), half(1, 9), full(2, 30_000)).rate())
        .isEqualTo(FeeRate.satPerVb(30));
  }

  @Test
  void hasACeiling() {
    FeeEstimate estimate = of(Map.of(), full(1, 3_760_000), full(2, 3_760_000));
    assertThat(estimate.rate()).isEqualTo(FeeEstimate.CEILING);
    assertThat(estimate.capped()).isTrue();
    assertThat(estimate.high()).isEqualTo(FeeRate.satPerVb(3_760));
  }

  @Test
  void isEmptyWithoutBlocks() {
    assertThat(FeeEstimate.of(List.of(), Map.of(A, 1_000L))).isEmpty();
  }

  private static List<BlockFees> random(SplittableRandom random, int count) {
    List<BlockFees> blocks = new ArrayList<>();
    for (int height = 0; height < count; height++) {
      long rate = random.nextLong(1L << random.nextInt(1, 24));
      blocks.add(
          switch (random.nextInt(3)) {
            case 0 -> empty(height);
            case 1 -> half(height, rate);
            default -> full(height, rate);
          });
    }
    return blocks;
  }

  @Property(tries = 2_000)
  void staysInItsBounds(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int count, @ForAll long word) {
    List<BlockFees> blocks = random(new SplittableRandom(seed), count);
    FeeEstimate estimate = FeeEstimate.of(blocks, Map.of(A, word)).orElseThrow();
    assertThat(estimate.rate()).isBetween(estimate.low(), estimate.high());
    assertThat(estimate.rate()).isBetween(FeeEstimate.MIN_RELAY, FeeEstimate.CEILING);
    assertThat(estimate.low()).isGreaterThanOrEqualTo(FeeEstimate.MIN_RELAY);
    assertThat(estimate.rate().satPerKvb() % 100).isZero();
    List<BlockFees> shuffled = new ArrayList<>(blocks);
    Collections.shuffle(shuffled, new Random(seed));
    assertThat(FeeEstimate.of(shuffled, Map.of(A, word))).contains(estimate);
  }

  /** Whoever mines the minority of the blocks does not raise the rate above what others paid. */
  @Property(tries = 2_000)
  void aMinorityOfMinersDoesNotRaiseIt(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int others) {
    SplittableRandom random = new SplittableRandom(seed);
    List<BlockFees> blocks = new ArrayList<>();
    for (int i = 0; i < others; i++) {
      blocks.add(full(i, 1_000 + random.nextLong(100_000)));
    }
    FeeRate most = blocks.stream().map(BlockFees::rate).max(FeeRate::compareTo).orElseThrow();
    int liars = random.nextInt(others);
    for (int i = 0; i < liars; i++) {
      blocks.add(full(100 + i, 500_000));
    }
    assertThat(FeeEstimate.of(blocks, Map.of()).orElseThrow().rate().satPerKvb())
        .isLessThan(most.satPerKvb() + 100);
  }
}
