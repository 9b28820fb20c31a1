package org.murmur.coins.spend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Predicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Each algorithm against all subsets, and by hand. */
final class SelectionsTest {

  private static final int NO_LIMIT = 400_000;

  private static List<Candidate> coins(long... values) {
    List<Candidate> coins = new ArrayList<>();
    for (long value : values) {
      coins.add(new Candidate(coins.size(), value, 100, 10));
    }
    return coins;
  }

  private static List<Long> values(Optional<? extends Choice> choice) {
    return choice.orElseThrow().chosen().stream().map(Candidate::value).sorted().toList();
  }

  @Test
  void findsTheExactSum() {
    Goal goal = new Goal(7_000, 50_000, 100, NO_LIMIT);
    assertThat(values(Selections.changeless(coins(1_000, 2_000, 4_000, 5_000, 9_000), goal)))
        .containsExactly(2_000L, 5_000L);
  }

  @Test
  void takesNoSumAboveTheCostOfChange() {
    assertThat(Selections.changeless(coins(7_101), new Goal(7_000, 0, 100, NO_LIMIT))).isEmpty();
    assertThat(Selections.changeless(coins(7_100), new Goal(7_000, 0, 100, NO_LIMIT))).isPresent();
    assertThat(Selections.changeless(coins(6_999), new Goal(7_000, 0, 100, NO_LIMIT))).isEmpty();
  }

  /** While spending is cheap, more inputs are less waste. */
  @Test
  void spendsManyWhileItIsCheap() {
    List<Candidate> cheap =
        coins(3_000, 4_000, 7_000).stream()
            .map(coin -> new Candidate(coin.number(), coin.value(), 100, -10))
            .toList();
    assertThat(values(Selections.changeless(cheap, new Goal(7_000, 0, 100, NO_LIMIT))))
        .containsExactly(3_000L, 4_000L);
  }

  @Test
  void takesFewCoinsWithTheLeastOverage() {
    Goal goal = new Goal(5_000, 1_000, 0, NO_LIMIT);
    assertThat(values(Selections.lightest(coins(3_000, 4_000, 7_000, 9_000), goal)))
        .containsExactly(7_000L);
  }

  /** Thousands of equal coins are one case, not 2^1000. */
  @Test
  void copesWithEqualCoins() {
    long[] equal = new long[2_000];
    Arrays.fill(equal, 1_000);
    Goal goal = new Goal(500_500, 0, 100, NO_LIMIT);
    assertThat(Selections.changeless(coins(equal), goal)).isEmpty();
    assertThat(values(Selections.lightest(coins(equal), goal))).hasSize(501);
  }

  @Test
  void drawsUntilThereIsGoodChange() {
    Goal goal = new Goal(10_000, 0, 0, NO_LIMIT);
    List<Candidate> coins = coins(40_000, 40_000, 40_000);
    Choice drawn = Selections.drawn(coins, goal, 31, Draws.ofSeed(1)).orElseThrow();
    assertThat(drawn.chosen()).hasSize(2);
    assertThat(Selections.drawn(coins(60_030), goal, 31, Draws.ofSeed(1))).isEmpty();
    assertThat(Selections.drawn(coins(60_031), goal, 31, Draws.ofSeed(1))).isPresent();
  }

  @Test
  void drawsACoinThatWouldDoAloneOnlyIfTheSmallerOnesDoNotSuffice() {
    Goal goal = new Goal(10_000, 50_000, 0, NO_LIMIT);
    List<Candidate> coins = coins(900_000, 25_000, 25_000, 25_000);
    List<Candidate> fewer = coins.subList(0, 3);
    for (int seed = 0; seed < 50; seed++) {
      assertThat(values(Selections.drawn(coins, goal, 0, Draws.ofSeed(seed))))
          .containsExactly(25_000L, 25_000L, 25_000L);
      assertThat(values(Selections.drawn(fewer, goal, 0, Draws.ofSeed(seed)))).contains(900_000L);
    }
  }

  /** Room for three: the least of those drawn go back, until the three largest are in. */
  @Test
  void putsTheLeastBackWhenItBecomesTooHeavy() {
    Goal goal = new Goal(250_000, 0, 0, 300);
    List<Candidate> coins = coins(1_000, 2_000, 3_000, 4_000, 100_000, 100_000, 100_000);
    for (int seed = 0; seed < 50; seed++) {
      assertThat(values(Selections.drawn(coins, goal, 0, Draws.ofSeed(seed))))
          .containsExactly(100_000L, 100_000L, 100_000L);
    }
  }

  /** A limit of each candidate's share: all numbers are drawn, none far too often. */
  @Test
  void drawsEvenly() {
    Draws draws = Draws.ofSeed(7);
    int[] counts = new int[10];
    for (int i = 0; i < 10_000; i++) {
      counts[draws.below(10)]++;
    }
    assertThat(Arrays.stream(counts).allMatch(count -> count > 850 && count < 1_150)).isTrue();
  }

  @Property(tries = 2_000)
  void findsTheBestOfAllSubsets(@ForAll long seed) {
    Random random = new Random(seed);
    List<Candidate> candidates = candidates(random);
    long all = candidates.stream().mapToLong(Candidate::value).sum();
    Goal goal =
        new Goal(
            random.nextInt((int) all + 10),
            random.nextInt(30),
            random.nextInt(30),
            100 + random.nextInt(1_500));
    List<Choice> subsets = subsets(candidates);
    assertThat(Selections.changeless(candidates, goal).map(c -> waste(c, goal)))
        .isEqualTo(least(subsets, c -> isChangeless(c, goal), c -> waste(c, goal)));
    assertThat(Selections.lightest(candidates, goal).map(SelectionsTest::lightness))
        .isEqualTo(
            least(
                subsets,
                c -> c.value() >= goal.target() + goal.change() && c.weight() <= goal.maxWeight(),
                SelectionsTest::lightness));
  }

  private static List<Candidate> candidates(Random random) {
    List<Candidate> candidates = new ArrayList<>();
    boolean cheap = random.nextBoolean();
    for (int i = random.nextInt(10); i >= 0; i--) {
      int weight = 100 + 50 * random.nextInt(4);
      long waste = cheap ? -weight / 10 : weight / 10;
      candidates.add(new Candidate(i, 1 + random.nextInt(100), weight, waste));
    }
    return candidates;
  }

  private static List<Choice> subsets(List<Candidate> candidates) {
    List<Choice> subsets = new ArrayList<>();
    for (int bits = 0; bits < 1 << candidates.size(); bits++) {
      List<Candidate> subset = new ArrayList<>();
      for (int i = 0; i < candidates.size(); i++) {
        if ((bits >> i & 1) == 1) {
          subset.add(candidates.get(i));
        }
      }
      subsets.add(new Choice(Algorithm.ALL, subset));
    }
    return subsets;
  }

  private static boolean isChangeless(Choice choice, Goal goal) {
    return choice.value() >= goal.target()
        && choice.value() <= goal.target() + goal.costOfChange()
        && choice.weight() <= goal.maxWeight()
        && isMinimal(choice, goal.target());
  }

  /** The search adds nothing to a subset that suffices: more would be burnt as a fee. */
  private static boolean isMinimal(Choice choice, long target) {
    long least = choice.chosen().stream().mapToLong(Candidate::value).min().orElse(0);
    return choice.chosen().isEmpty() || choice.value() - least < target;
  }

  private static long waste(Choice choice, Goal goal) {
    return choice.waste() + choice.value() - goal.target();
  }

  /** Weight first, then value. */
  private static long lightness(Choice choice) {
    return choice.weight() * 100_000L + choice.value();
  }

  private static Optional<Long> least(
      List<Choice> subsets, Predicate<Choice> allowed, Function<Choice, Long> measure) {
    return subsets.stream().filter(allowed).map(measure).min(Long::compare);
  }
}
