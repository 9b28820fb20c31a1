package org.murmur.wallet.internal.disclosure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.FilterTheory;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.wallet.privacy.Audience;
import org.murmur.wallet.privacy.Cluster;
import org.murmur.wallet.privacy.Growth;
import org.murmur.wallet.privacy.Knowledge;
import org.murmur.wallet.privacy.Link;
import org.murmur.wallet.privacy.Matches;
import org.murmur.wallet.privacy.Universe;

/** The numbers of the privacy notes, and real filters that are counted. */
final class ObserverTest {

  private static final NodeAddress A = new NodeAddress("a.example", 8333);
  private static final Percentage CLOSE = Percentage.withPercentage(0.1);

  private static BitSet range(int from, int to) {
    BitSet set = new BitSet();
    set.set(from, to);
    return set;
  }

  /** A wallet of this many scripts, all on the chain, each paid by one coin after them all. */
  private static OwnElements wallet(int scripts) {
    Map<Integer, Integer> coins = new HashMap<>();
    for (int i = 0; i < scripts; i++) {
      coins.put(scripts + i, i);
    }
    return new OwnElements(range(0, scripts), range(0, scripts), coins, List.of());
  }

  private static KnownFilter evidence(int tweak, double rate, BitSet held) {
    return evidence(tweak, rate, held, null);
  }

  private static KnownFilter evidence(
      int tweak, double rate, BitSet held, @Nullable FilterRole role) {
    FilterParameters parameters = new FilterParameters(1000, 10, tweak, UpdateFlag.NONE);
    return new KnownFilter(tweak, parameters, false, role, 4000, rate, held, new BitSet());
  }

  private static Knowledge of(OwnElements own, double universe, KnownFilter... shown) {
    return new Observer(own, Universe.chosen(universe)).knowledge(List.of(A), List.of(shown));
  }

  private static Matches scripts(Knowledge knowledge) {
    return knowledge.scripts().orElseThrow();
  }

  /** O14: Gervais et al., five filters of a wallet that grows; each new one holds the old keys. */
  @ParameterizedTest
  @CsvSource({
    "1, 14983, 0.170053, 0",
    "2, 6.815, 0.997785, 5.9e-21",
    "3, 3.104e-3, 0.999999, 0.973642",
    "4, 1.417e-6, 1, 0.999988",
    "5, 6.48e-10, 1, 1"
  })
  void intersectsAsPublished(int filters, double strangers, double one, double all) {
    int[] sizes = {3070, 3120, 3170, 3220, 3270};
    int[] bytes = {12339, 12537, 12735, 12933, 13130};
    List<KnownFilter> shown = new ArrayList<>();
    for (int i = 0; i < filters; i++) {
      double rate = FilterTheory.classicRate(8L * bytes[i], 10, 2.0 * sizes[i]);
      shown.add(evidence(i + 1, rate, range(0, sizes[i])));
    }
    Knowledge knowledge = of(wallet(3270), 33e6, shown.toArray(KnownFilter[]::new));
    Matches found = scripts(knowledge);
    assertThat(found.own()).isEqualTo(3070);
    assertThat(found.filters()).isEqualTo(filters);
    assertThat(found.strangers()).isCloseTo(strangers, CLOSE);
    assertThat(found.allOwn(1)).isCloseTo(one, Offset.offset(2e-5));
    assertThat(found.allOwn(3070)).isCloseTo(all, all < 1e-9 ? within(1e-19) : within(1e-5));
    assertThat(knowledge.growth().isPresent()).isEqualTo(filters > 1);
  }

  /** The table of a first run: the matches predicted after one to four sessions. */
  @Test
  void predictsTheMatchesOfSeveralSessions() {
    double[] predicted = {21712, 284.6, 52.5, 50.0};
    List<KnownFilter> shown = new ArrayList<>();
    for (int i = 0; i < predicted.length; i++) {
      shown.add(evidence(i + 1, 1.083e-2, range(0, 50)));
      Matches found = scripts(of(wallet(50), 2e6, shown.toArray(KnownFilter[]::new)));
      assertThat(found.own() + found.strangers()).isCloseTo(predicted[i], CLOSE);
    }
  }

  /** O16: 1,182 places, 1,082 taken: with a second element of each script the noise is squared. */
  @Test
  void scriptAndCoinSquareTheNoise() {
    OwnElements own = wallet(100);
    KnownFilter both = evidence(1, 3.66480331e-6, range(0, 200));
    Knowledge knowledge = of(own, 1e9, both);
    assertThat(scripts(knowledge).strangers()).isCloseTo(3665, CLOSE);
    assertThat(knowledge.pairs().orElseThrow().strangers())
        .isCloseTo(0.0134, Percentage.withPercentage(0.5));
    assertThat(knowledge.sharpest()).isEqualTo(knowledge.pairs());
  }

  @Test
  void aFilterSentAgainDisclosesNothingNew() {
    OwnElements own = wallet(100);
    KnownFilter first = evidence(1, 1e-4, range(0, 100));
    KnownFilter again =
        new KnownFilter(
            9, first.parameters(), false, null, 4000, 1e-4, first.held(), first.named());
    Knowledge once = of(own, 1e9, first);
    Knowledge thrice = of(own, 1e9, first, again, again);
    assertThat(thrice.scripts()).isEqualTo(once.scripts());
    assertThat(thrice.filters()).isEqualTo(3);
    assertThat(thrice.different()).isEqualTo(1);
    assertThat(thrice.link()).isEmpty();
    assertThat(thrice.growth()).isEmpty();
  }

  /**
   * The private preset: scripts at A, outpoints at B. Alone neither has a pair, together both do.
   */
  @Test
  void guardsHaveThePairTestOnlyTogether() {
    OwnElements own = wallet(100);
    KnownFilter scripts = evidence(1, 1e-4, range(0, 100), FilterRole.SCRIPTS);
    KnownFilter coins = evidence(2, 1e-4, range(100, 200), FilterRole.OUTPOINTS);
    assertThat(of(own, 1e9, scripts).pairs()).isEmpty();
    assertThat(of(own, 1e9, scripts).coins()).isEmpty();
    assertThat(of(own, 1e9, coins).pairs()).isEmpty();
    assertThat(of(own, 1e9, coins).scripts()).isEmpty();
    Knowledge together = of(own, 1e9, scripts, coins);
    assertThat(together.pairs().orElseThrow().strangers()).isCloseTo(10, CLOSE);
    assertThat(together.growth()).isEmpty();
    assertThat(scripts(together)).isEqualTo(scripts(of(own, 1e9, scripts)));
  }

  /** Epochs share no script: the second filter removes none of the first one's false positives. */
  @Test
  void disjointEpochsDoNotIntersect() {
    KnownFilter first = evidence(1, 1e-4, range(0, 50), FilterRole.SCRIPTS);
    KnownFilter second = evidence(2, 1e-4, range(50, 100), FilterRole.SCRIPTS);
    Knowledge knowledge = of(wallet(100), 1e9, first, second);
    assertThat(scripts(knowledge).strangers()).isCloseTo(1e5, CLOSE);
    assertThat(scripts(knowledge).filters()).isEqualTo(1);
    assertThat(knowledge.link().orElseThrow().linked()).isFalse();
    Growth growth = knowledge.growth().orElseThrow();
    assertThat(growth.scripts()).isEqualTo(50);
    assertThat(growth.strangers()).isCloseTo(1e5, CLOSE);
  }

  /** M12: re-tweaking does not unlink sessions at rates that can be used. */
  @ParameterizedTest
  @CsvSource({"1e-5, 316, true", "1e-4, 31.6, true", "1e-3, 3.2, false", "1e-2, 0.3, false"})
  void linksFiltersByTheirOverlap(double rate, double score, boolean linked) {
    Knowledge knowledge =
        of(wallet(100), 1e9, evidence(1, rate, range(0, 100)), evidence(2, rate, range(0, 100)));
    Link link = knowledge.link().orElseThrow();
    assertThat(link.score()).isCloseTo(score, Percentage.withPercentage(6));
    assertThat(link.linked()).isEqualTo(linked);
  }

  /** M11: the table of the notes, and the rates that a hundred decoy clusters take. */
  @ParameterizedTest
  @CsvSource({
    "2, 1e-3, 100, 0.001",
    "5, 0.1, 200, 0.087",
    "10, 0.3, 59, 0.316",
    "20, 0.3, 1e-4, 0.597",
    "10, 1e-5, 1e-43, 0.316"
  })
  void linkedAddressesLoseTheirDecoys(int size, double rate, double strangers, double hiding) {
    OwnElements own =
        new OwnElements(range(0, size), range(0, size), Map.of(), List.of(range(0, size)));
    Cluster cluster = of(own, 1.3e9, evidence(1, rate, range(0, size))).cluster().orElseThrow();
    assertThat(cluster.addresses()).isEqualTo(size);
    assertThat(cluster.strangers()).isCloseTo(strangers, Percentage.withPercentage(5));
    assertThat(cluster.rateToHide()).isCloseTo(hiding, Percentage.withPercentage(1));
  }

  /** M14, with the published share of collectors: one peer, and twelve. */
  @Test
  void countsOnTheShareOfCollectors() {
    assertThat(Audience.of(0).chance()).isZero();
    assertThat(Audience.of(1).chance()).isCloseTo(0.043, CLOSE);
    assertThat(Audience.of(12).chance()).isCloseTo(1 - Math.pow(0.957, 12), CLOSE);
  }

  /** Elements of {@code filteradd} are sent in the clear, a coin's script too. */
  @Test
  void namesTheAddedElements() {
    BitSet named = range(100, 102);
    named.set(7);
    FilterParameters parameters = new FilterParameters(1000, 10, 1, UpdateFlag.ALL);
    KnownFilter shown = new KnownFilter(1, parameters, false, null, 4000, 1e-9, range(0, 7), named);
    assertThat(of(wallet(100), 1e9, shown).named()).isEqualTo(3);
  }

  @Test
  void scriptsThatAreNotOnTheChainCannotBeFound() {
    OwnElements fresh = new OwnElements(range(0, 100), new BitSet(), Map.of(), List.of());
    Matches found = scripts(of(fresh, 1e9, evidence(1, 1e-4, range(0, 100))));
    assertThat(found.own()).isZero();
    assertThat(found.strangers()).isCloseTo(1e5, CLOSE);
  }

  // Real filters, counted.

  private static final int STRANGERS = 400_000;

  private static Bytes element(int number) {
    byte[] bytes = new byte[20];
    new Random(number).nextBytes(bytes);
    return Bytes.wrap(bytes);
  }

  private static BloomFilter filter(FilterParameters parameters, int from, int to) {
    BloomFilter.Builder filter = BloomFilter.builder(parameters);
    for (int i = from; i < to; i++) {
      filter.add(element(-1 - i));
    }
    return filter.build();
  }

  private static KnownFilter shown(int order, BloomFilter filter, int from, int to) {
    return new KnownFilter(
        order,
        filter.parameters(),
        false,
        null,
        filter.bitsSet(),
        filter.realisedRate(),
        range(from, to),
        new BitSet());
  }

  private static int counted(BloomFilter in, Optional<BloomFilter> and, boolean inTheOther) {
    int count = 0;
    for (int i = 0; i < STRANGERS; i++) {
      Bytes element = element(i);
      count +=
          in.contains(element) && (and.isEmpty() || and.get().contains(element) == inTheOther)
              ? 1
              : 0;
    }
    return count;
  }

  private static void assertPredicts(double predicted, int counted) {
    // Five standard deviations of a count; the seed is fixed, so it fails always or never.
    assertThat((double) counted).isCloseTo(predicted, within(5 * Math.sqrt(predicted) + 1));
  }

  private static final FilterParameters SIZED =
      FilterParameters.of(200, 0.02, 77, UpdateFlag.NONE, Rounding.CORE);

  private static FilterParameters with(int bytes, int tweak) {
    return new FilterParameters(bytes, SIZED.hashFunctions(), tweak, UpdateFlag.NONE);
  }

  @Test
  void independentFiltersLeaveTheProduct() {
    BloomFilter one = filter(SIZED, 0, 200);
    BloomFilter two = filter(with(SIZED.bytes(), 78), 0, 200);
    Knowledge knowledge = of(wallet(200), STRANGERS, shown(1, one, 0, 200), shown(2, two, 0, 200));
    assertPredicts(scripts(knowledge).strangers(), counted(one, Optional.of(two), true));
  }

  @Test
  void aFilterOfTwiceTheSizeWithTheSameTweakIsNested() {
    BloomFilter one = filter(SIZED, 0, 200);
    BloomFilter two = filter(with(2 * SIZED.bytes(), 77), 0, 200);
    Knowledge knowledge = of(wallet(200), STRANGERS, shown(1, one, 0, 200), shown(2, two, 0, 200));
    assertPredicts(scripts(knowledge).strangers(), counted(one, Optional.of(two), true));
    assertThat(knowledge.link().orElseThrow().sameTweak()).isTrue();
  }

  @Test
  void anotherSizeWithTheSameTweakIsNot() {
    BloomFilter one = filter(SIZED, 0, 200);
    BloomFilter two = filter(with(2 * SIZED.bytes() - 1, 77), 0, 200);
    Knowledge knowledge = of(wallet(200), STRANGERS, shown(1, one, 0, 200), shown(2, two, 0, 200));
    assertPredicts(scripts(knowledge).strangers(), counted(one, Optional.of(two), true));
  }

  @Test
  void growthExposesNewScriptsAmongFewForeignOnes() {
    BloomFilter one = filter(SIZED, 0, 200);
    BloomFilter fresh = filter(with(SIZED.bytes(), 78), 0, 250);
    Growth independent =
        of(wallet(250), STRANGERS, shown(1, one, 0, 200), shown(2, fresh, 0, 250))
            .growth()
            .orElseThrow();
    assertThat(independent.scripts()).isEqualTo(50);
    assertPredicts(independent.strangers(), counted(fresh, Optional.of(one), false));
    // The same filter with new bits: all that passed before still pass.
    BloomFilter grown = filter(SIZED, 0, 250);
    Growth nested =
        of(wallet(250), STRANGERS, shown(1, one, 0, 200), shown(2, grown, 0, 250))
            .growth()
            .orElseThrow();
    assertPredicts(nested.strangers(), counted(grown, Optional.of(one), false));
  }
}
