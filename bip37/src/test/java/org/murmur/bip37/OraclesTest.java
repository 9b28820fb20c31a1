package org.murmur.bip37;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.lang.reflect.Method;
import java.util.List;
import java.util.SplittableRandom;
import org.bitcoinj.base.Address;
import org.bitcoinj.base.BitcoinNetwork;
import org.bitcoinj.base.ScriptType;
import org.bitcoinj.core.BlockChain;
import org.bitcoinj.core.NetworkParameters;
import org.bitcoinj.core.PeerGroup;
import org.bitcoinj.crypto.internal.CryptoUtils;
import org.bitcoinj.net.FilterMerger;
import org.bitcoinj.store.MemoryBlockStore;
import org.bitcoinj.wallet.Wallet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hex;
import org.murmur.bip37.internal.privacy.BitcoinjEstimator;
import org.murmur.bip37.internal.privacy.BlockCost;
import org.murmur.bip37.internal.privacy.LoadEstimate;
import org.murmur.bip37.internal.privacy.Rates;

/**
 * The worked oracles O1 to O23 of the project's papers: published figures, and figures computed or
 * measured by programs of their own. Measurements have fixed seeds, and intervals of 99% or wider.
 */
class OraclesTest {

  /** 99.5% quantile of the normal distribution: half an interval of 99%. */
  private static final double Z99 = 2.5758293035489004;

  private static final String MEMBER = "99108ad8ed9bb6274d3980bab5a85c048f0950c8";

  private static final int SEED_STEP = 0xfba4c795;

  @ParameterizedTest
  @CsvSource({
    "00000000, '', 00000000",
    "FBA4C795, '', 6a396f08",
    "ffffffff, '', 81f16f39",
    "00000000, 00, 514e28b7",
    "FBA4C795, 00, ea3f0b17",
    "00000000, ff, fd6cf10d",
    "00000000, 0011, 16c6b7ab",
    "00000000, 001122, 8eb51c3d",
    "00000000, 00112233, b4471bf8",
    "00000000, 0011223344, e2301fa8",
    "00000000, 001122334455667788, b4698def"
  })
  void o1MurmurHash3(String seed, String data, String hash) {
    byte[] bytes = Hex.parse(data);
    int found = MurmurHash3.hash(Integer.parseUnsignedInt(seed, 16), bytes, 0, bytes.length);
    assertThat(Integer.toHexString(found))
        .isEqualTo(Integer.toHexString((int) Long.parseLong(hash, 16)));
  }

  @ParameterizedTest
  @CsvSource({"0, 03614e9b050000000000000001", "2147483649, 03ce4299050000000100008001"})
  void o2o3FiltersAsCoreSerialisesThem(long tweak, String payload) {
    BloomFilter filter =
        BloomFilter.builder(
                FilterParameters.of(3, 0.01, (int) tweak, UpdateFlag.ALL, Rounding.CORE))
            .add(Bytes.ofHex(MEMBER))
            .add(Bytes.ofHex("b5a2c786d9ef4658287ced5914b37a1b4aa32eee"))
            .add(Bytes.ofHex("b9300670b4c5366e95b2699e8b18bc75e5f729c5"))
            .build();
    assertThat(filter.toPayload().toHex()).isEqualTo(payload);
    assertThat(filter.contains(Bytes.ofHex("1" + MEMBER.substring(1)))).isFalse();
    FilterParameters p = filter.parameters();
    FilterParameters keysOnly =
        new FilterParameters(p.bytes(), p.hashFunctions(), p.tweak(), UpdateFlag.P2PUBKEY_ONLY);
    assertThat(BloomFilter.builder(keysOnly).build().toPayload().toHex()).endsWith("02");
  }

  @Test
  void o4TheFilterOfCoresFunctionalTest() {
    FilterParameters parameters = FilterParameters.of(10, 1e-6, 0, UpdateFlag.ALL, Rounding.CORE);
    BloomFilter filter = BloomFilter.builder(parameters).add(Bytes.ofHex("ff".repeat(20))).build();
    assertThat(parameters.bytes()).isEqualTo(35);
    assertThat(parameters.hashFunctions()).isEqualTo(19);
    assertThat(filter.toPayload().toHex())
        .contains("400008008000002000c000200400082400048000002000000000800000400002402000");
    assertThat(filter.bitsSet()).isEqualTo(19);
  }

  @ParameterizedTest
  @CsvSource({
    "2, 1e-3, 3, 8, 8",
    "5, 1e-3, 8, 8, 8",
    "642, 5e-4, 1269, 10, 10",
    "642, 1e-5, 1923, 15, 16",
    "10000, 1e-6, 35943, 19, 19",
    "20000, 1e-3, 35943, 9, 9"
  })
  void o5Sizes(long elements, double rate, int bytes, int core, int bitcoinj) {
    FilterParameters ofCore =
        FilterParameters.of(elements, rate, 0, UpdateFlag.NONE, Rounding.CORE);
    FilterParameters ofBitcoinj =
        FilterParameters.of(elements, rate, 0, UpdateFlag.NONE, Rounding.BITCOINJ);
    assertThat(List.of(ofCore.bytes(), ofCore.hashFunctions())).containsExactly(bytes, core);
    assertThat(List.of(ofBitcoinj.bytes(), ofBitcoinj.hashFunctions()))
        .containsExactly(bytes, bitcoinj);
  }

  /** Beside the formula: one filter each, measured with 2·10^7 queries by another program. */
  @ParameterizedTest
  @CsvSource({"542, 1.467631e-4, 1.4525e-4", "642, 5.113862e-4, 5.2865e-4"})
  void o6NicksFilter(int elements, double classic, double oneFilter) {
    assertThat(FilterTheory.classicRate(10_152, 10, elements))
        .isCloseTo(classic, withinPercentage(1e-4));
    Measurement measured = new Measurement(61);
    int filters = 20;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < filters; i++) {
      FilterParameters p = new FilterParameters(1269, 10, measured.tweak(), UpdateFlag.NONE);
      double rate = measured.filter(p, elements).realisedRate();
      sum += rate;
      squares += rate * rate;
      measured.query(200_000);
    }
    measured.mustHoldPrediction();
    // Filters of the same parameters differ by their bits set.
    double mean = sum / filters;
    double deviation = Math.sqrt(squares / filters - mean * mean);
    assertThat(oneFilter).isCloseTo(mean, within(Z99 * deviation));
    assertThat(classic).isCloseTo(mean, within(Z99 * deviation / Math.sqrt(filters)));
  }

  @ParameterizedTest
  @CsvSource({
    "2, 2, 1, 5, 8",
    "4, 2, 1, 13, 64",
    "4, 2, 2, 505, 1024",
    "8, 2, 2, 5825, 32768",
    "8, 3, 2, 3096717, 16777216",
  })
  void o7ExactRatesAreFractions(int bits, int k, int elements, double above, double below) {
    assertThat(Rates.exact(bits, k, elements).value()).isCloseTo(above / below, within(1e-15));
  }

  /** Over many small real filters the mean of {@code (X/m)^k} is the exact rate. */
  @ParameterizedTest
  @CsvSource({
    "24, 5, 3, 0.02646418, 0.02167922, 1e-7",
    "64, 8, 5, 0.00260362, 0.00217605, 1e-7",
    "280, 19, 10, 1.77e-6, 1.44e-6, 5e-9",
  })
  void o8ExactIsAboveClassic(
      int bits, int k, int elements, double exact, double classic, double precision) {
    double computed = Rates.exact(bits, k, elements).value();
    assertThat(computed).isCloseTo(exact, within(precision));
    assertThat(Rates.classic(bits, k, elements).value()).isCloseTo(classic, within(precision));
    assertThat(computed).isGreaterThan(Rates.standard(bits, k, elements).value());
    Measurement measured = new Measurement(8);
    int filters = 40_000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < filters; i++) {
      FilterParameters p = new FilterParameters(bits / 8, k, measured.tweak(), UpdateFlag.NONE);
      double rate = measured.filter(p, elements).realisedRate();
      sum += rate;
      squares += rate * rate;
    }
    double mean = sum / filters;
    double error = Math.sqrt((squares / filters - mean * mean) / filters);
    assertThat(mean).isCloseTo(computed, within(Z99 * error));
    assertThat(Math.abs(mean - classic)).isGreaterThan(Z99 * error);
  }

  @ParameterizedTest
  @CsvSource({
    "03614e9b050000000000000001, 12, 3.327106, 0.03125",
    "03ce4299050000000100008001, 11, 2.942901, 0.020226"
  })
  void o9LoadEstimate(String payload, int bitsSet, double elements, double rate) {
    BloomFilter filter = BloomFilter.fromPayload(Bytes.ofHex(payload));
    assertThat(filter.bitsSet()).isEqualTo(bitsSet);
    assertThat(LoadEstimate.of(filter).elements()).isCloseTo(elements, within(1e-6));
    assertThat(Rates.realised(filter).value()).isCloseTo(rate, within(1e-6));
  }

  @ParameterizedTest
  @CsvSource({"1, 0.6", "2, 0.3", "3, 0.1"})
  void o10PicksAmongThreeMembersAndTwoDecoys(int picked, double probability) {
    assertThat(new MatchSet(5, 3, 1).allTrue(picked)).isCloseTo(probability, within(1e-12));
  }

  /** Gervais et al. 2014: key and hash of N addresses, sized for 2N + 100 at 0.0005. */
  private static MatchSet gervais(int members) {
    FilterParameters p =
        FilterParameters.of(2L * members + 100, 5e-4, 0, UpdateFlag.ALL, Rounding.BITCOINJ);
    return new MatchSet(33e6, members, p.expectedRate(2L * members));
  }

  @ParameterizedTest
  @CsvSource({
    "10, 237, 1.0113e-10, 0.003337, 0.990282",
    "15, 257, 2.1281e-9, 0.07023, 0.795121",
  })
  void o11o12GervaisSingleFilter(
      int members, int bytes, double rate, double decoys, double probability) {
    FilterParameters p =
        FilterParameters.of(2L * members + 100, 5e-4, 0, UpdateFlag.ALL, Rounding.BITCOINJ);
    assertThat(p.bytes()).isEqualTo(bytes);
    assertThat(p.hashFunctions()).isEqualTo(10);
    MatchSet matches = gervais(members);
    assertThat(matches.rate()).isCloseTo(rate, withinPercentage(0.01));
    assertThat(matches.decoys()).isCloseTo(decoys, withinPercentage(0.02));
    assertThat(matches.allTrue(members)).isCloseTo(probability, within(2e-6));
  }

  @ParameterizedTest
  @CsvSource({"20, 20, 0.186066", "20, 1, 0.974904", "50, 1, 0.412489", "100, 1, 0.115523"})
  void o13GervaisLargerWallets(int members, int picked, double probability) {
    assertThat(gervais(members).allTrue(picked)).isCloseTo(probability, within(2e-6));
  }

  @Test
  void o14GervaisFiveFilters() {
    int[] elements = {3070, 3120, 3170, 3220, 3270};
    int[] bytes = {12339, 12537, 12735, 12933, 13130};
    double[] decoys = {14983, 6.815, 3.104e-3, 1.417e-6, 6.48e-10};
    double[] one = {0.170053, 0.997785, 0.999999, 1, 1};
    double[] all = {0, 5.9e-21, 0.973642, 0.999988, 1};
    // The 33 million are counted beside the wallet's own here.
    MatchSet matches = new MatchSet(33e6 + 3070, 3070, 1);
    for (int i = 0; i < elements.length; i++) {
      int sized = 2 * elements[i] + 100;
      FilterParameters p = FilterParameters.of(sized, 5e-4, i, UpdateFlag.ALL, Rounding.BITCOINJ);
      assertThat(p.bytes()).isEqualTo(bytes[i]);
      matches = matches.and(p.expectedRate(2L * elements[i]));
      if (i == 0) {
        assertThat(matches.rate()).isCloseTo(4.54036e-4, withinPercentage(1e-3));
      }
      if (i == 4) {
        assertThat(p.expectedRate(2L * elements[i])).isCloseTo(4.57248e-4, withinPercentage(1e-3));
      }
      assertThat(matches.decoys()).isCloseTo(decoys[i], withinPercentage(0.05));
      assertThat(matches.allTrue(1)).isCloseTo(one[i], within(1e-6));
      assertThat(matches.allTrue(3070)).isCloseTo(all[i], within(i == 1 ? 1e-22 : 2e-6));
    }
  }

  @Test
  void o15Nick() {
    MatchSet keys = new MatchSet(56e6, 1, 0.000146);
    assertThat(keys.testedBy(2).decoys()).isCloseTo(1.1937, within(5e-5));
    assertThat(keys.testedBy(2).decoys()).isCloseTo(1.19, within(0.005));
    assertThat(new MatchSet(60e6, 1, 0.000146).decoys()).isCloseTo(8760, within(0.5));
    double merged = -Math.expm1(60e6 * Math.log1p(-Math.pow(0.0001472, 4)));
    assertThat(merged).isCloseTo(2.82e-8, within(5e-11));
  }

  /** Against bitcoinj's released code, whose fresh wallets give these filters. */
  @ParameterizedTest
  @CsvSource({
    "P2PKH, 542, 1923, 16, 1.41271783e-6, 1413, 0.0020",
    "P2WPKH, 1082, 3540, 16, 3.66480331e-6, 3665, 0.0134"
  })
  void o16BitcoinjsFreshWallet(
      ScriptType type,
      int elements,
      int bytes,
      int functions,
      double rate,
      double single,
      double pair) {
    Wallet wallet = Wallet.createDeterministic(BitcoinNetwork.MAINNET, type);
    // As every application does at once; two elements are added by it.
    Address shown = wallet.currentReceiveAddress();
    assertThat(shown.getOutputScriptType()).isEqualTo(type);
    BloomFilter filter = filterOf(wallet);
    assertThat(wallet.getBloomFilterElementCount()).isEqualTo(elements);
    FilterParameters p = filter.parameters();
    assertThat(p.bytes()).isEqualTo(bytes);
    assertThat(p.hashFunctions()).isEqualTo(functions);
    assertThat(p.flag()).isEqualTo(UpdateFlag.ALL);
    assertThat(
            FilterParameters.of(elements + 100, 1e-5, p.tweak(), UpdateFlag.ALL, Rounding.BITCOINJ))
        .isEqualTo(p);
    assertThat(p.expectedRate(elements)).isCloseTo(rate, withinPercentage(1e-6));
    assertThat(LoadEstimate.of(filter).elements()).isCloseTo(elements, within(0.05 * elements));
    assertThat(filterOf(wallet)).isNotEqualTo(filter);
    MatchSet matches = new MatchSet(1e9, 1, p.expectedRate(elements));
    assertThat(matches.decoys()).isCloseTo(single, within(0.5));
    assertThat(matches.testedBy(2).decoys()).isCloseTo(pair, within(5e-5));
  }

  private static BloomFilter filterOf(Wallet wallet) {
    FilterMerger merger = new FilterMerger(PeerGroup.DEFAULT_BLOOM_FILTER_FP_RATE);
    return BloomFilter.fromPayload(Bytes.of(merger.calculate(List.of(wallet)).filter.serialize()));
  }

  @ParameterizedTest
  @CsvSource({
    "100, 1000, 7, 200, 0.6390, 0.6371",
    "20, 256, 6, 20, 0.1328, 0.1365",
    "100, 1000, 7, 60, 0.0186, 0.0186"
  })
  void o17Deniability(
      int elements, int bits, int functions, int decoys, double gamma, double simulated) {
    double computed = Rates.deniability(bits, functions, elements, decoys).value();
    assertThat(computed).isCloseTo(gamma, within(5e-5));
    assertThat(computed).isCloseTo(simulated, within(0.005));
  }

  @ParameterizedTest
  @CsvSource({"4, 0.5, 3.4375, 5.875", "7, 0.25, 4.440735, 8.131470"})
  void o18PartialMerkleTree(int transactions, double chance, double hashes, double bits) {
    BlockCost cost = BlockCost.ofMatchChance(transactions, chance);
    assertThat(cost.hashes()).isCloseTo(hashes, within(5e-7));
    assertThat(cost.flagBits()).isCloseTo(bits, within(5e-7));
  }

  @Test
  void o19TweaksThatDifferByTheSeedStepShareFunctions() {
    SplittableRandom random = new SplittableRandom(19);
    int tweak = random.nextInt();
    byte[] data = new byte[20];
    random.nextBytes(data);
    for (int i = 0; i < 50; i++) {
      assertThat(MurmurHash3.hash(i * SEED_STEP + (tweak + SEED_STEP), data, 0, 20))
          .isEqualTo(MurmurHash3.hash((i + 1) * SEED_STEP + tweak, data, 0, 20));
    }
    // k=4, m=4800, n=900: measured 0.02475 where independent filters give 0.00613.
    long joint = 0;
    int queries = 0;
    for (int round = 0; round < 20; round++) {
      BloomFilter.Builder one =
          BloomFilter.builder(new FilterParameters(600, 4, tweak, UpdateFlag.NONE));
      BloomFilter.Builder two =
          BloomFilter.builder(new FilterParameters(600, 4, tweak + SEED_STEP, UpdateFlag.NONE));
      for (int i = 0; i < 900; i++) {
        random.nextBytes(data);
        one.add(data, 0, 20);
        two.add(data, 0, 20);
      }
      BloomFilter first = one.build();
      BloomFilter second = two.build();
      for (int i = 0; i < 20_000; i++) {
        random.nextBytes(data);
        joint += first.contains(data, 0, 20) && second.contains(data, 0, 20) ? 1 : 0;
        queries++;
      }
      tweak = random.nextInt();
    }
    assertThat(joint / (double) queries).isCloseTo(0.02475, withinPercentage(4));
    assertThat(FilterTheory.wilson(joint, queries, Z99).low()).isGreaterThan(3 * 0.00613);
  }

  /** A key and its hash, in bitcoinj's own filter: two tests, as independent as two keys. */
  @Test
  void o20KeyAndHashAreIndependent() {
    SplittableRandom random = new SplittableRandom(20);
    int joint = 0;
    int queries = 0;
    double predicted = 0;
    for (int round = 0; round < 20; round++) {
      // 100 elements in 531 bits with 4 functions: 0.0783 by the classic formula.
      var filter = new org.bitcoinj.core.BloomFilter(100, 0.0783, random.nextInt());
      byte[] key = new byte[33];
      for (int i = 0; i < 100; i++) {
        random.nextBytes(key);
        filter.insert(key);
      }
      double rate = BloomFilter.fromPayload(Bytes.of(filter.serialize())).realisedRate();
      for (int i = 0; i < 10_000; i++) {
        random.nextBytes(key);
        boolean both = filter.contains(key) && filter.contains(CryptoUtils.sha256hash160(key));
        joint += both ? 1 : 0;
        predicted += rate * rate;
        queries++;
      }
    }
    assertThat(FilterTheory.wilson(joint, queries, Z99).holds(predicted / queries))
        .as("%d joint, predicted %.1f", joint, predicted)
        .isTrue();
  }

  /** The model of the estimator against bitcoinj's own: one false positive, then one block. */
  @ParameterizedTest
  @CsvSource({
    "1, 1.0098980001e-4",
    "100, 1.9702470317e-4",
    "1000, 9.0920585462e-4",
    "2500, 1.5941678438e-3",
    "4000, 1.8642746244e-3",
    "25000, 1.7661403906e-4"
  })
  void o21BitcoinjsEstimator(int transactions, double rate) throws Exception {
    BitcoinjEstimator model = new BitcoinjEstimator();
    model.falsePositives(1);
    model.block(transactions);
    assertThat(model.rate()).isCloseTo(rate, withinPercentage(1e-8));
    assertThat(model.refreshes(1e-5)).isTrue();
    BlockChain theirs = bitcoinjsChain();
    track(theirs, "trackFalsePositives", 1);
    track(theirs, "trackFilteredTransactions", transactions);
    assertThat(model.rate()).isEqualTo(theirs.getFalsePositiveRate());
    // And on: blocks with and without false positives.
    SplittableRandom random = new SplittableRandom(transactions);
    for (int i = 0; i < 200; i++) {
      int falsePositives = random.nextInt(3) / 2;
      int size = 1 + random.nextInt(3000);
      model.falsePositives(falsePositives);
      model.block(size);
      track(theirs, "trackFalsePositives", falsePositives);
      track(theirs, "trackFilteredTransactions", size);
      assertThat(model.rate()).isCloseTo(theirs.getFalsePositiveRate(), withinPercentage(1e-9));
    }
  }

  private static BlockChain bitcoinjsChain() throws Exception {
    NetworkParameters mainnet = NetworkParameters.of(BitcoinNetwork.MAINNET);
    return new BlockChain(BitcoinNetwork.MAINNET, new MemoryBlockStore(mainnet.getGenesisBlock()));
  }

  /** These are theirs alone to call. */
  private static void track(BlockChain chain, String method, int count) throws Exception {
    Method found = BlockChain.class.getSuperclass().getDeclaredMethod(method, int.class);
    found.setAccessible(true);
    found.invoke(chain, count);
  }

  @ParameterizedTest
  @CsvSource({"1e-5, 329, 6141", "1e-4, 42, 963", "5e-4, 11, 295", "1e-3, 7, 181", "1e-2, 2, 43"})
  void o22LifetimeUnderUpdateAll(double rate, long ordinary, long largest) {
    FilterParameters p = FilterParameters.of(642, rate, 0, UpdateFlag.ALL, Rounding.BITCOINJ);
    assertThat(lifetime(p.bits(), p.hashFunctions(), 642)).isEqualTo(ordinary);
    int elements = (int) (288_000 * Math.log(2) * Math.log(2) / -Math.log(rate));
    int functions = (int) (288_000.0 / elements * Math.log(2));
    assertThat(lifetime(288_000, functions, elements)).isEqualTo(largest);
  }

  private static long lifetime(int bits, int functions, int elements) {
    long blocks = FilterTheory.lifetime(bits, functions, elements, 9000, 100_000);
    List<Double> rates = Rates.underUpdateAll(bits, functions, elements, 9000, (int) blocks);
    assertThat(rates.get((int) blocks)).isGreaterThanOrEqualTo(2 * rates.get(0));
    assertThat(rates.get((int) blocks - 1)).isLessThan(2 * rates.get(0));
    return blocks;
  }

  @Test
  void o23FiltersOfDoubledSizeAreNested() {
    SplittableRandom random = new SplittableRandom(23);
    int tweak = random.nextInt();
    BloomFilter.Builder one =
        BloomFilter.builder(new FilterParameters(300, 5, tweak, UpdateFlag.NONE));
    BloomFilter.Builder two =
        BloomFilter.builder(new FilterParameters(600, 5, tweak, UpdateFlag.NONE));
    byte[] data = new byte[20];
    for (int i = 0; i < 400; i++) {
      random.nextBytes(data);
      one.add(data, 0, 20);
      two.add(data, 0, 20);
    }
    BloomFilter small = one.build();
    BloomFilter large = two.build();
    int ofLarge = 0;
    int ofSmall = 0;
    for (int i = 0; i < 400_000; i++) {
      random.nextBytes(data);
      ofSmall += small.contains(data, 0, 20) ? 1 : 0;
      if (large.contains(data, 0, 20)) {
        ofLarge++;
        assertThat(small.contains(data, 0, 20)).isTrue();
      }
    }
    assertThat(ofLarge).isGreaterThan(500);
    assertThat(ofSmall).isGreaterThan(2 * ofLarge);
  }

  /** Counts false positives of filters with random elements. */
  private static final class Measurement {

    private final SplittableRandom random;
    private final byte[] element = new byte[20];
    private BloomFilter filter =
        BloomFilter.builder(new FilterParameters(0, 0, 0, UpdateFlag.NONE)).build();
    private long hits;
    private long queries;
    private double predicted;

    Measurement(long seed) {
      this.random = new SplittableRandom(seed);
    }

    int tweak() {
      return random.nextInt();
    }

    BloomFilter filter(FilterParameters parameters, int elements) {
      BloomFilter.Builder builder = BloomFilter.builder(parameters);
      for (int i = 0; i < elements; i++) {
        random.nextBytes(element);
        builder.add(element, 0, element.length);
      }
      filter = builder.build();
      return filter;
    }

    void query(int count) {
      for (int i = 0; i < count; i++) {
        random.nextBytes(element);
        hits += filter.contains(element, 0, element.length) ? 1 : 0;
      }
      queries += count;
      predicted += filter.realisedRate() * count;
    }

    FilterTheory.Interval interval() {
      return FilterTheory.wilson(hits, queries, Z99);
    }

    void mustHoldPrediction() {
      assertThat(interval().holds(predicted / queries))
          .as("%d of %d, predicted %.1f", hits, queries, predicted)
          .isTrue();
    }
  }
}
