package org.murmur.bip37.internal.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterTheory;
import org.murmur.bip37.MatchSet;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.PartialMerkleTree;

/** The metrics beside their oracles: the tables of the project's papers, and measurements. */
class MetricsTest {

  private static final int BLOCKS_PER_YEAR = 52_560;

  @Test
  void measuredFiguresHaveTheirInterval() {
    Figure figure = Figure.measured(15, 148);
    assertThat(figure.value()).isCloseTo(15 / 148.0, within(1e-15));
    assertThat(figure.method()).isEqualTo(Figure.Method.MEASURED);
    // Newcombe 1998, table I.
    FilterTheory.Interval interval = Objects.requireNonNull(figure.interval());
    assertThat(interval.low()).isCloseTo(0.0624, within(5e-5));
    assertThat(interval.high()).isCloseTo(0.1605, within(5e-5));
    assertThat(Figure.exact(1).interval()).isNull();
  }

  @Test
  void loadDisclosesTheWalletsSizeToWithinFour() {
    LoadEstimate estimate = LoadEstimate.of(10_152, 10, 4200);
    assertThat(estimate.elements()).isCloseTo(542, within(0.1));
    // 24.5 bits of deviation, 4.2 elements.
    assertThat(estimate.deviation()).isCloseTo(4.2, within(0.1));
    assertThat(LoadEstimate.of(24, 5, 24).deviation()).isInfinite();
    assertThat(LoadEstimate.of(0, 0, 0).elements()).isInfinite();
  }

  /** What the deviation promises is what estimates of many filters show. */
  @Test
  void estimatesDeviateAsTheySay() {
    SplittableRandom random = new SplittableRandom(4);
    byte[] element = new byte[20];
    int filters = 2000;
    double squares = 0;
    double said = 0;
    for (int i = 0; i < filters; i++) {
      BloomFilter.Builder builder =
          BloomFilter.builder(new FilterParameters(160, 7, random.nextInt(), UpdateFlag.NONE));
      for (int j = 0; j < 120; j++) {
        random.nextBytes(element);
        builder.add(element, 0, 20);
      }
      LoadEstimate estimate = LoadEstimate.of(builder.build());
      squares += Math.pow(estimate.elements() - 120, 2);
      said += estimate.deviation();
    }
    assertThat(Math.sqrt(squares / filters)).isCloseTo(said / filters, withinPercentage(7));
  }

  @Test
  void aMatchSetCountsDecoys() {
    MatchSet matches = new MatchSet(1001, 1, 0.007);
    assertThat(matches.decoys()).isCloseTo(7, within(1e-12));
    assertThat(matches.anonymitySet()).isCloseTo(8, within(1e-12));
    assertThat(matches.anonymityBits()).isCloseTo(3, within(1e-12));
    assertThat(matches.precision()).isCloseTo(1 / 8.0, within(1e-12));
    assertThat(matches.precision()).isCloseTo(matches.allTrue(1), within(1e-12));
    assertThatThrownBy(() -> new MatchSet(10, 11, 0.1)).hasMessageContaining("members 11");
    assertThatThrownBy(() -> new MatchSet(10, 1, 1.1)).hasMessageContaining("rate 1.1");
    assertThatThrownBy(() -> matches.allTrue(2)).hasMessageContaining("picked 2");
  }

  /** Sessions until at most one decoy is left, of 10^9 scripts. */
  @ParameterizedTest
  @CsvSource({"1e-5, 2", "1e-4, 3", "1e-3, 3", "1e-2, 5", "0.1, 9"})
  void fewFiltersUnmask(double rate, int filters) {
    assertThat(new MatchSet(1e9, 1, rate).filtersUntilUnmasked()).isEqualTo(filters);
    assertThat(new MatchSet(1e9, 1, 1).filtersUntilUnmasked()).isInfinite();
  }

  /** How many of 10^8 clusters of 2 and so on match, and what rate it takes for 100 of them. */
  @ParameterizedTest
  @CsvSource({
    "2, 1e8, 1e-3, 100, 0.001",
    "5, 2e7, 1e-2, 0.002, 0.087",
    "5, 2e7, 0.1, 200, 0.087",
    "10, 1e7, 0.3, 59, 0.316",
    "20, 3e6, 0.3, 1e-4, 0.597"
  })
  void clustersHideBadly(int size, double clusters, double rate, double decoys, double needed) {
    assertThat(Clusters.decoys(clusters, size, rate).value())
        .isCloseTo(decoys, withinPercentage(6));
    assertThat(Clusters.rateFor(100, clusters, size).value()).isCloseTo(needed, within(6e-4));
  }

  @ParameterizedTest
  @CsvSource({"1e-5, 316", "1e-4, 31.6", "1e-3, 3.2", "1e-2, 0.3"})
  void filtersOfOneWalletOverlap(double rate, double deviations) {
    assertThat(Linkability.overlap(100, 1e9, rate, rate).value())
        .isCloseTo(deviations, within(deviations * 0.06));
    assertThat(Linkability.counted(1100, 1e6, 0.1, 0.01).value())
        .isCloseTo(100 / Math.sqrt(1000), within(1e-9));
  }

  @Test
  void equalFiltersAreLinkedByThemselves() {
    FilterParameters p = new FilterParameters(10, 3, 7, UpdateFlag.NONE);
    BloomFilter one = BloomFilter.builder(p).add(Bytes.ofHex("00")).build();
    BloomFilter other =
        BloomFilter.builder(new FilterParameters(10, 3, 8, UpdateFlag.NONE))
            .add(Bytes.ofHex("00"))
            .build();
    assertThat(Linkability.same(one, BloomFilter.fromPayload(one.toPayload()))).isTrue();
    assertThat(Linkability.same(one, other)).isFalse();
  }

  @Test
  void scoresSeparateTrueFromFalseOrDoNot() {
    double[] high = {3, 4, 5};
    double[] low = {0, 1, 2};
    assertThat(Distinguisher.of(high, low, 2.5).auc()).isEqualTo(1);
    assertThat(Distinguisher.of(high, low, 2.5).balancedAccuracy()).isEqualTo(1);
    assertThat(Distinguisher.of(low, high, 2.5).auc()).isZero();
    double[] same = {1, 1, 1, 1};
    Distinguisher coin = Distinguisher.of(same, same, 0);
    assertThat(coin.auc()).isEqualTo(0.5);
    assertThat(coin.balancedAccuracy()).isEqualTo(0.5);
    // Pairs won, by hand: 2 over 1, 2 ties 2 and 3 over both: (1 + 0.5 + 2) / 4.
    assertThat(Distinguisher.of(new double[] {2, 3}, new double[] {1, 2}, 0).auc())
        .isEqualTo(3.5 / 4);
    assertThatThrownBy(() -> Distinguisher.of(high, new double[0], 0))
        .hasMessageContaining("0 false");
  }

  /**
   * Hanley and McNeil 1982, table I of the method: AUC 0.893 of 58 normal and 51 abnormal: 0.032.
   */
  @Test
  void theIntervalIsHanleysAndMcNeils() {
    // 51 scores against 58 with an AUC near 0.893: one true one loses to some false ones.
    SplittableRandom random = new SplittableRandom(13);
    double[] trues = random.doubles(51).map(x -> x + 0.535).toArray();
    double[] falses = random.doubles(58).toArray();
    Distinguisher found = Distinguisher.of(trues, falses, 0.7);
    double a = found.auc();
    double q1 = a / (2 - a);
    double q2 = 2 * a * a / (1 + a);
    double error = Math.sqrt((a * (1 - a) + 50 * (q1 - a * a) + 57 * (q2 - a * a)) / (51.0 * 58));
    assertThat(found.interval().high() - found.interval().low())
        .isCloseTo(Math.min(1, a + 1.95996 * error) - (a - 1.95996 * error), within(1e-4));
  }

  @Property(tries = 200)
  void aucIsTheShareOfPairsWon(
      @ForAll @IntRange(min = 1, max = 30) int trues,
      @ForAll @IntRange(min = 1, max = 30) int falses,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] high = random.ints(trues, 0, 6).asDoubleStream().toArray();
    double[] low = random.ints(falses, 0, 5).asDoubleStream().toArray();
    double won = 0;
    for (double x : high) {
      for (double y : low) {
        won += x > y ? 1 : x == y ? 0.5 : 0;
      }
    }
    assertThat(Distinguisher.of(high, low, 2).auc())
        .isCloseTo(won / (trues * falses), within(1e-12));
  }

  /** 5% of the peers watch: 12 of them 46%, 30 sessions with others each time all, one guard 5%. */
  @Test
  void rotatingPeersExpose() {
    assertThat(Exposure.ofPeers(0.05, 12).value()).isCloseTo(0.46, within(0.005));
    assertThat(Exposure.ofRotatingPeers(0.05, 12, 30).value()).isCloseTo(1, within(1e-7));
    assertThat(Exposure.ofPeers(0.05, 1).value()).isCloseTo(0.05, within(1e-12));
  }

  /** The table of false-positive bandwidth: t = 6, 300 bytes a transaction. */
  @ParameterizedTest
  @CsvSource({
    "2500, 1e-5, 0.15, 13",
    "2500, 1e-4, 1.5, 59",
    "2500, 5e-4, 7.5, 242",
    "2500, 1e-3, 15, 452",
    "2500, 1e-2, 146, 3577",
    "2500, 0.1, 1171, 23506",
    "4000, 1e-5, 0.24, 16",
    "4000, 1e-4, 2.4, 91",
    "4000, 5e-4, 12.0, 383",
    "4000, 1e-3, 24, 719",
    "4000, 1e-2, 234, 5718",
    "4000, 0.1, 1874, 37605"
  })
  void falsePositivesCostBandwidth(
      int transactions, double rate, double falsePositives, double megabytes) {
    BlockCost cost = BlockCost.of(transactions, rate, 6);
    assertThat(cost.falseTransactions()).isCloseTo(falsePositives, withinPercentage(1));
    assertThat(cost.bytes(300) * BLOCKS_PER_YEAR / 1e6)
        .isCloseTo(megabytes, within(Math.max(0.5, megabytes * 1e-3)));
  }

  @Test
  void aMonthAtTheThriftyRateCostsSevenMegabytes() {
    // 91 MB a year by the table above, a twelfth of it.
    assertThat(BusyMainnet.megabytesPerMonth(1e-4)).isCloseTo(91 / 12.0, withinPercentage(1));
  }

  @Test
  void anAdversaryWithLevelsIsScoredByTheAreaUnderTheCurve() {
    assertThat(Distinguisher.auc(new long[] {0, 10}, new long[] {90, 0})).isEqualTo(1);
    assertThat(Distinguisher.auc(new long[] {5, 5}, new long[] {45, 45})).isEqualTo(0.5);
    assertThat(Distinguisher.auc(new long[] {10, 0}, new long[] {0, 90})).isZero();
    assertThat(Distinguisher.auc(new long[] {0, 0}, new long[] {1, 2})).isEqualTo(0.5);
    // Three levels by hand: (1·(2/2) + 2·(2+3/2) + 3·(5+1/2)) / (6·6).
    assertThat(Distinguisher.auc(new long[] {1, 2, 3}, new long[] {2, 3, 1})).isEqualTo(24.5 / 36);
  }

  @Test
  void aBlockWithoutAMatchCosts143Bytes() {
    assertThat(BlockCost.ofMatchChance(4000, 0).merkleBlockBytes()).isEqualTo(143);
  }

  /** Break-even with BIP158 filters, 1.18 GB a year: 2.9e-3 and 1.7e-3; and its inverse. */
  @ParameterizedTest
  @CsvSource({"2500, 2.9e-3", "4000, 1.7e-3"})
  void budgetsAllowRates(int transactions, double rate) {
    double found = BlockCost.rateFor(transactions, 6, 300, 1.18e9 / BLOCKS_PER_YEAR);
    assertThat(found).isCloseTo(rate, within(0.06e-3));
    assertThat(BlockCost.of(transactions, found, 6).bytes(300))
        .isCloseTo(1.18e9 / BLOCKS_PER_YEAR, withinPercentage(1e-6));
    assertThat(BlockCost.rateFor(transactions, 6, 300, 100)).isZero();
    assertThat(BlockCost.rateFor(transactions, 6, 300, 1e9)).isEqualTo(1);
  }

  /** Hashes, bits and bytes as expected, against real partial trees of random matches. */
  @Property(tries = 12, seed = "18")
  void partialTreesAreAsLargeAsExpected(
      @ForAll @IntRange(min = 1, max = 300) int transactions,
      @ForAll @DoubleRange(min = 0.0001, max = 0.6) @Scale(4) double chance) {
    SplittableRandom random = new SplittableRandom(transactions);
    List<Hash256> txids =
        random.ints(transactions).mapToObj(i -> Hash256.ofInternal(bytes32(random))).toList();
    Bytes header = Bytes.of(new byte[MerkleBlock.HEADER_BYTES]);
    int rounds = 400;
    double bytes = 0;
    double squares = 0;
    for (int round = 0; round < rounds; round++) {
      BitSet matches = new BitSet();
      for (int i = 0; i < transactions; i++) {
        matches.set(i, random.nextDouble() < chance);
      }
      int size =
          BlockCost.MESSAGE_HEADER_BYTES
              + MerkleBlock.of(header, PartialMerkleTree.build(txids, matches))
                  .toPayload()
                  .length();
      bytes += size;
      squares += (double) size * size;
    }
    double mean = bytes / rounds;
    double error = Math.sqrt(Math.max(0, squares / rounds - mean * mean) / rounds);
    // A byte or two: sizes beyond 252 are looked at on average only.
    assertThat(BlockCost.ofMatchChance(transactions, chance).merkleBlockBytes())
        .isCloseTo(mean, within(4 * error + 2));
  }

  private static byte[] bytes32(SplittableRandom random) {
    byte[] bytes = new byte[32];
    random.nextBytes(bytes);
    return bytes;
  }
}
