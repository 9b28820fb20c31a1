package org.murmur.lab.families;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.FilterTheory;
import org.murmur.bip37.bytes.Bytes;

class FamiliesTest {

  private static final double Z99 = 2.5758293035489;

  /** Queries for every filter whose rate is measured; foreign elements. */
  private static final List<Bytes> STRANGERS = elements(25_000, -1);

  static Stream<FilterFamily> all() {
    return Families.all().stream();
  }

  static Stream<FilterFamily> thatCan(Feature feature) {
    return all().filter(family -> family.can(feature));
  }

  static Stream<FilterFamily> thatDelete() {
    return thatCan(Feature.DELETE);
  }

  static Stream<FilterFamily> thatAdd() {
    return thatCan(Feature.ADD);
  }

  static Stream<FilterFamily> thatGrow() {
    return thatCan(Feature.GROW);
  }

  static Stream<FilterFamily> thatMerge() {
    return thatCan(Feature.MERGE);
  }

  static Stream<FilterFamily> thatCount() {
    return thatCan(Feature.COUNT);
  }

  @Provide
  Arbitrary<FilterFamily> family() {
    return Arbitraries.of(Families.all());
  }

  @Property(tries = 600)
  void neverForgets(
      @ForAll("family") FilterFamily family,
      @ForAll @IntRange(max = 700) int count,
      @ForAll @DoubleRange(min = 1e-6, max = 0.4) @Scale(7) double rate,
      @ForAll long seed) {
    Plan plan = new Plan(Math.max(1, count), rate, seed);
    if (family.refusal(plan) != null) {
      return;
    }
    List<Bytes> elements = elements(count, seed);

    SetFilter filter = family.build(plan, elements);

    assertThat(elements).allMatch(filter::mayContain);
    assertThat(filter.countContained(elements)).isEqualTo(count);
    assertThat(filter.expectedRate()).isBetween(0.0, 1.0);
    assertThat(filter.family).isSameAs(family);
  }

  /** Adds and deletes at random, and compares with the true multiset. */
  @Property(tries = 200)
  void livesThroughAddingAndDeleting(
      @ForAll("family") FilterFamily family,
      @ForAll @IntRange(min = 40, max = 200) int capacity,
      @ForAll long seed) {
    Plan plan = new Plan(capacity, 0.01, seed);
    if (!family.can(Feature.ADD) || family.refusal(plan) != null) {
      return;
    }
    List<Bytes> pool = elements(capacity, seed);
    SetFilter filter = family.build(plan, pool.subList(0, capacity / 2));
    List<Bytes> held = new ArrayList<>(pool.subList(0, capacity / 2));
    Random dice = new Random(seed);
    for (int step = 0; step < 400; step++) {
      boolean delete =
          family.can(Feature.DELETE) && (held.size() >= capacity || dice.nextBoolean());
      if (delete && !held.isEmpty()) {
        Bytes gone = held.remove(dice.nextInt(held.size()));
        assertThat(filter.delete(gone)).isTrue();
      } else if (held.size() < capacity) {
        Bytes more = pool.get(dice.nextInt(capacity));
        // No more than the counters of any family can hold.
        if (Collections.frequency(held, more) < 2 && filter.add(more)) {
          held.add(more);
        }
      }
    }
    assertThat(held).allMatch(filter::mayContain);
    if (family.can(Feature.COUNT)) {
      assertThat(held).allMatch(e -> filter.count(e) >= Collections.frequency(held, e));
    }
  }

  /** The library's counters ran over in these lives, in the middle of an insertion. */
  @ParameterizedTest
  @CsvSource({"40, 31", "80, 3", "200, 50"})
  void aFullCounterOfTheLibraryRefuses(int capacity, long seed) {
    livesThroughAddingAndDeleting(Families.named("counting-fastfilter"), capacity, seed);
  }

  /** One in some ten thousand seeds fills a counter of the library while it builds. */
  @Test
  void isBuiltWhereTheFirstSeedFillsACounter() {
    List<Bytes> elements = elements(40, 7);

    SetFilter filter =
        Families.named("counting-fastfilter").build(new Plan(40, 1e-4, 16_243), elements);

    assertThat(elements).allMatch(filter::mayContain);
  }

  @ParameterizedTest
  @MethodSource("all")
  void rateLiesWithinTheIntervalOfItsTheory(FilterFamily family) {
    for (double rate : rates(family)) {
      long hits = 0;
      double expected = 0;
      int filters = 8;
      for (int seed = 0; seed < filters; seed++) {
        Plan plan = new Plan(2000, rate, 1000 + seed);
        SetFilter filter = family.build(plan, elements(2000, seed));
        hits += filter.countContained(STRANGERS);
        expected += filter.expectedRate() / filters;
        assertThat(filter.expectedRate()).isLessThan(1.3 * rate);
      }
      FilterTheory.Interval interval =
          FilterTheory.wilson(hits, filters * (long) STRANGERS.size(), Z99);
      assertThat(interval.holds(expected))
          .as("%s at %s: %s in %s", family.name(), rate, expected, interval)
          .isTrue();
    }
  }

  private static double[] rates(FilterFamily family) {
    double[] rates =
        DoubleStream.of(0.05, 0.01, 1e-3)
            .filter(rate -> family.refusal(new Plan(2000, rate, 0)) == null)
            .toArray();
    // Only the library's xor filter cannot reach all.
    assertThat(rates).hasSize(family.name().equals("xor-fastfilter") ? 2 : 3);
    return rates;
  }

  @ParameterizedTest
  @MethodSource("all")
  void takesTheBitsOfItsTheory(FilterFamily family) {
    for (double rate : rates(family)) {
      SetFilter filter = family.build(new Plan(10_000, rate, 5), elements(10_000, 5));
      double each = filter.bits() / 10_000.0;
      // Binary fuse filters of this size are yet far from their limit.
      double slack = family.name().startsWith("fuse") ? 0.16 : 0.03;
      assertThat(each)
          .as("%s at %s", family.name(), rate)
          .isCloseTo(family.bitsInTheory(filter.expectedRate()), within(slack * each));
      assertThat(each).isGreaterThan(Theory.bound(filter.expectedRate()));
    }
  }

  @ParameterizedTest
  @MethodSource("thatDelete")
  void deletionRestores(FilterFamily family) {
    List<Bytes> first = elements(1500, 1);
    List<Bytes> second = elements(500, 2);
    Plan plan = new Plan(2000, 1e-3, 9);
    SetFilter filter = family.build(plan, first);
    double before = filter.expectedRate();
    List<Boolean> answers = STRANGERS.stream().map(filter::mayContain).toList();

    second.forEach(e -> assertThat(filter.add(e)).isTrue());
    assertThat(filter.expectedRate()).isGreaterThan(before);
    assertThat(second).allMatch(filter::mayContain);
    second.forEach(e -> assertThat(filter.delete(e)).isTrue());

    assertThat(filter.expectedRate()).isCloseTo(before, within(1e-12));
    assertThat(first).allMatch(filter::mayContain);
    assertThat(STRANGERS.stream().map(filter::mayContain).toList()).isEqualTo(answers);
    assertThat(filter.countContained(second)).isLessThan(10);
  }

  @ParameterizedTest
  @MethodSource("thatDelete")
  void deletesOneOfTwo(FilterFamily family) {
    Bytes twice = elements(1, 3).get(0);
    SetFilter filter = family.build(new Plan(600, 1e-4, 4), elements(500, 4));

    filter.add(twice);
    filter.add(twice);

    assertThat(filter.delete(twice)).isTrue();
    assertThat(filter.mayContain(twice)).isTrue();
    assertThat(filter.delete(twice)).isTrue();
    assertThat(filter.mayContain(twice)).isFalse();
    assertThat(filter.delete(twice)).isFalse();
  }

  @ParameterizedTest
  @MethodSource("thatCount")
  void counts(FilterFamily family) {
    List<Bytes> elements = elements(300, 6);
    SetFilter filter = family.build(new Plan(900, 1e-4, 4), elements);
    elements.subList(0, 100).forEach(filter::add);
    elements.subList(0, 50).forEach(filter::add);

    int exact = 0;
    for (int i = 0; i < 300; i++) {
      int added = i < 50 ? 3 : i < 100 ? 2 : 1;
      assertThat(filter.count(elements.get(i))).isGreaterThanOrEqualTo(added);
      exact += filter.count(elements.get(i)) == added ? 1 : 0;
    }
    assertThat(exact).isGreaterThan(290);
    assertThat(filter.count(elements(1, 7).get(0))).isZero();
  }

  @ParameterizedTest
  @MethodSource("thatMerge")
  void mergedIsAsIfBuiltOfBoth(FilterFamily family) {
    List<Bytes> first = elements(700, 1);
    List<Bytes> second = elements(900, 2);
    Plan plan = new Plan(1600, 1e-2, 8);
    SetFilter union = family.build(plan, first);
    SetFilter other = family.build(plan, second);

    union.merge(other);

    List<Bytes> both = new ArrayList<>(first);
    both.addAll(second);
    SetFilter built = family.build(plan, both);
    assertThat(both).allMatch(union::mayContain);
    assertThat(STRANGERS.stream().map(union::mayContain).toList())
        .isEqualTo(STRANGERS.stream().map(built::mayContain).toList());
    assertThat(union.expectedRate()).isCloseTo(built.expectedRate(), within(1e-12));
    assertThat(union.bits()).isEqualTo(built.bits());
    assertThat(first.stream().allMatch(other::mayContain)).isFalse();
    assertThatThrownBy(() -> union.merge(family.build(plan.attempt(1), second)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> union.merge(GolombCoded.FAMILY.build(plan, second)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @MethodSource("thatGrow")
  void growsToEightTimesItsPlan(FilterFamily family) {
    List<Bytes> all = elements(4000, 1);
    Plan plan = new Plan(500, 1e-3, 8);
    SetFilter filter = family.build(plan, all.subList(0, 500));
    long small = filter.bits();

    all.subList(500, 4000).forEach(e -> assertThat(filter.add(e)).isTrue());

    assertThat(all).allMatch(filter::mayContain);
    assertThat(filter.bits()).isGreaterThan(6 * small);
    int hits = filter.countContained(STRANGERS);
    assertThat(FilterTheory.wilson(hits, STRANGERS.size(), Z99).holds(filter.expectedRate()))
        .isTrue();
    // The scalable filter keeps its promise; the quotient filter's rate grows with what it holds.
    double promised = family.name().equals("scalable") ? 1e-3 : 8e-3;
    assertThat(filter.expectedRate()).isBetween(promised / 4, promised * 1.1);
  }

  @ParameterizedTest
  @MethodSource("all")
  void reportsItsLimits(FilterFamily family) {
    Plan plan = new Plan(600, 1e-2, 1);
    List<Bytes> elements = elements(500, 1);
    SetFilter filter = family.build(plan, elements);
    Bytes any = elements.get(0);

    if (!family.can(Feature.ADD)) {
      assertCannot("add", () -> filter.add(any));
    }
    if (!family.can(Feature.DELETE)) {
      assertCannot("delete", () -> filter.delete(any));
    }
    if (!family.can(Feature.COUNT)) {
      assertCannot("count", () -> filter.count(any));
    }
    if (!family.can(Feature.MERGE)) {
      assertCannot("merge", () -> filter.merge(family.build(plan, elements)));
    }
    // A family that can grow or delete can add.
    assertThat(family.can(Feature.ADD))
        .isEqualTo(Stream.of(Feature.values()).anyMatch(f -> f != Feature.COUNT && family.can(f)));
    assertThat(elements).allMatch(filter::mayContain);
  }

  private static void assertCannot(String verb, Runnable attempt) {
    assertThatThrownBy(attempt::run)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageEndingWith(" cannot " + verb);
  }

  @ParameterizedTest
  @MethodSource("all")
  void followsFromItsSeedAlone(FilterFamily family) {
    Plan plan = new Plan(600, 1e-2, 77);
    List<Bytes> elements = elements(600, 1);

    SetFilter filter = family.build(plan, elements);
    SetFilter again = family.build(plan, elements);
    SetFilter other = family.build(plan.attempt(1), elements);

    List<Boolean> answers = STRANGERS.stream().map(filter::mayContain).toList();
    assertThat(STRANGERS.stream().map(again::mayContain).toList()).isEqualTo(answers);
    assertThat(STRANGERS.stream().map(other::mayContain).toList()).isNotEqualTo(answers);
  }

  @ParameterizedTest
  @MethodSource("all")
  void refusesMoreThanItCanHold(FilterFamily family) {
    assertThatThrownBy(() -> family.build(new Plan(500, 1e-2, 1), elements(501, 1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(Families.named(family.name())).isSameAs(family);
    Plan impossible = new Plan(2_000_000_000, 1e-30, 1);
    assertThat(family.refusal(impossible)).isNotNull();
    assertThatThrownBy(() -> family.build(impossible, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void refusesFiltersThatBip37CannotCarry() {
    assertThat(Families.named("bloom").refusal(new Plan(20_000, 1e-3, 0))).isNull();
    assertThat(Families.named("bloom").refusal(new Plan(20_100, 1e-3, 0)))
        .isEqualTo("takes 36123 bytes, BIP37 allows 36000");
    assertThatThrownBy(() -> Families.named("blooom"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("family 'blooom', expected one of bloom, guava, ");
  }

  @Test
  void aFullTableStaysAsItWas() {
    for (String name : List.of("cuckoo", "dleft")) {
      List<Bytes> many = elements(3000, 2);
      SetFilter filter = Families.named(name).build(new Plan(1000, 1e-4, 1), List.of());
      int held = 0;
      while (filter.add(many.get(held))) {
        held++;
      }
      assertThat(held).as(name).isBetween(900, 1400);
      assertThat(many.subList(0, held)).allMatch(filter::mayContain);
      assertThat(filter.mayContain(many.get(held))).isFalse();
      // And it takes another one as soon as one has left.
      for (Bytes gone : many.subList(0, 30)) {
        assertThat(filter.delete(gone)).isTrue();
      }
      assertThat(filter.add(many.get(held))).isTrue();
    }
  }

  @Test
  void aCounterThatIsFullForgetsNothing() {
    Bytes often = elements(1, 3).get(0);
    for (String name : List.of("counting", "accurate", "dleft", "spectral")) {
      SetFilter filter = Families.named(name).build(new Plan(100, 1e-3, 2), elements(50, 4));
      for (int i = 0; i < 20; i++) {
        filter.add(often);
      }
      for (int i = 0; i < 19; i++) {
        assertThat(filter.delete(often)).isTrue();
      }
      assertThat(filter.mayContain(often)).as(name).isTrue();
      assertThat(elements(50, 4)).allMatch(filter::mayContain);
    }
  }

  /** Distinct, of the lengths of key hashes, output keys and outpoints. */
  private static List<Bytes> elements(int count, long seed) {
    Random random = new Random(seed);
    List<Bytes> elements = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      byte[] element = new byte[new int[] {20, 32, 36}[i % 3]];
      random.nextBytes(element);
      elements.add(Bytes.wrap(element));
    }
    return elements;
  }
}
