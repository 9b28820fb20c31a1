package org.murmur.wallet.overview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.wallet.overview.CoverageMap.Band;
import org.murmur.wallet.overview.CoverageMap.Column;
import org.murmur.wallet.overview.CoverageMap.Range;
import org.murmur.wallet.overview.CoverageMap.Seen;

/** The columns of a coverage map: pure values. */
class CoverageMapTest {

  private static final NodeAddress PEER = NodeAddress.parse("192.0.2.1:8333", 8333);

  /** Runs of heights from somewhere on, each with a number of peers. */
  @Provide
  Arbitrary<CoverageMap> maps() {
    Arbitrary<List<Integer>> lengths =
        Arbitraries.integers().between(1, 100_000).list().ofMinSize(1).ofMaxSize(40);
    Arbitrary<List<Integer>> peers = Arbitraries.integers().between(0, 12).list().ofSize(40);
    return Combinators.combine(Arbitraries.integers().between(0, 900_000), lengths, peers)
        .as(CoverageMapTest::map);
  }

  private static CoverageMap map(int from, List<Integer> lengths, List<Integer> peers) {
    List<Seen> seen = new ArrayList<>();
    List<Range> served = new ArrayList<>();
    int next = from;
    for (int i = 0; i < lengths.size(); i++) {
      Range range = new Range(next, next + lengths.get(i) - 1);
      seen.add(new Seen(range, peers.get(i)));
      if (peers.get(i) > 0) {
        served.add(range);
      }
      next += lengths.get(i);
    }
    Band band = new Band(PEER, served, served);
    return new CoverageMap(from, next - 1, seen, List.of(band), 0, List.of());
  }

  /** Everything is covered but one block. */
  private static CoverageMap withGapAt(int gap, int heights) {
    List<Seen> seen = new ArrayList<>();
    if (gap > 0) {
      seen.add(new Seen(new Range(0, gap - 1), 3));
    }
    seen.add(new Seen(new Range(gap, gap), 0));
    if (gap < heights - 1) {
      seen.add(new Seen(new Range(gap + 1, heights - 1), 2));
    }
    return new CoverageMap(0, heights - 1, seen, List.of(), 0, List.of());
  }

  @Property(tries = 200)
  void everyHeightIsInExactlyOneColumn(
      @ForAll("maps") CoverageMap map, @ForAll @IntRange(min = 1, max = 500) int limit) {
    int next = map.from();
    List<Column> columns = map.columns(limit);
    for (Column column : columns) {
      assertThat(column.range().from()).isEqualTo(next);
      next = column.range().to() + 1;
    }
    assertThat(next).isEqualTo(map.to() + 1);
    assertThat(columns.size()).isEqualTo(Math.min(limit, map.to() - map.from() + 1));
  }

  @Property(tries = 200)
  void columnsAreAboutEquallyWide(
      @ForAll("maps") CoverageMap map, @ForAll @IntRange(min = 1, max = 500) int limit) {
    List<Integer> widths = map.columns(limit).stream().map(one -> one.range().count()).toList();
    int least = widths.stream().mapToInt(width -> width).min().orElseThrow();
    assertThat(widths).allMatch(width -> width <= least + 1);
  }

  @Property(tries = 200)
  void nothingIsLostOrCountedTwice(
      @ForAll("maps") CoverageMap map, @ForAll @IntRange(min = 1, max = 500) int limit) {
    List<Column> columns = map.columns(limit);
    assertThat(columns.stream().mapToInt(Column::missing).sum())
        .isEqualTo(map.gaps().stream().mapToInt(Range::count).sum());
    assertThat(columns.stream().mapToInt(one -> one.shares().get(0).served()).sum())
        .isEqualTo(map.bands().get(0).blocks());
    assertThat(columns).allMatch(one -> one.missing() <= one.range().count());
  }

  @Property(tries = 200)
  void aColumnHasTheFewestAndTheMostPeersOfItsHeights(
      @ForAll("maps") CoverageMap map, @ForAll @IntRange(min = 1, max = 500) int limit) {
    for (Column column : map.columns(limit)) {
      List<Integer> counts =
          map.seen().stream()
              .filter(one -> one.range().to() >= column.range().from())
              .filter(one -> one.range().from() <= column.range().to())
              .map(Seen::peers)
              .toList();
      assertThat(column.least()).isEqualTo(counts.stream().min(Integer::compare).orElseThrow());
      assertThat(column.most()).isEqualTo(counts.stream().max(Integer::compare).orElseThrow());
      assertThat(column.least() == 0).isEqualTo(column.missing() > 0);
    }
  }

  @Property(tries = 200)
  void aGapOfOneBlockIsVisible(
      @ForAll @IntRange(min = 0, max = 899_999) int gap,
      @ForAll @IntRange(min = 1, max = 400) int limit) {
    List<Column> open =
        withGapAt(gap, 900_000).columns(limit).stream().filter(one -> one.least() == 0).toList();
    assertThat(open).hasSize(1);
    assertThat(open.get(0).missing()).isEqualTo(1);
    assertThat(open.get(0).range().from()).isLessThanOrEqualTo(gap);
    assertThat(open.get(0).range().to()).isGreaterThanOrEqualTo(gap);
  }

  @Property(tries = 200)
  void theAxisHasBothEndsAndRoundHeights(
      @ForAll @IntRange(min = 0, max = 900_000) int from,
      @ForAll @IntRange(min = 0, max = 900_000) int blocks,
      @ForAll @IntRange(min = 2, max = 12) int limit) {
    List<Integer> heights = CoverageMap.axis(from, from + blocks, limit);
    assertThat(heights).isSorted().doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(limit);
    assertThat(heights).startsWith(from).endsWith(from + blocks);
  }

  @Example
  void roundHeightsStandBetweenTheEnds() {
    assertThat(CoverageMap.axis(0, 3_250, 6)).containsExactly(0, 1_000, 2_000, 3_250);
    assertThat(CoverageMap.axis(481_824, 900_123, 6))
        .containsExactly(481_824, 600_000, 700_000, 800_000, 900_123);
    assertThat(CoverageMap.axis(7, 7, 6)).containsExactly(7);
  }

  @Example
  void fewHeightsHaveAColumnEach() {
    assertThat(withGapAt(40, 100).columns(400)).hasSize(100);
    assertThat(withGapAt(40, 100).columns(400).get(40).missing()).isEqualTo(1);
  }

  @Example
  void anEmptyMapHasNoColumns() {
    assertThat(CoverageMap.EMPTY.isEmpty()).isTrue();
    assertThat(CoverageMap.EMPTY.columns(400)).isEmpty();
  }

  @Example
  void rangesThatLeaveHeightsOutAreRefused() {
    List<Seen> seen = List.of(new Seen(new Range(0, 9), 1), new Seen(new Range(11, 20), 1));
    assertThatThrownBy(() -> new CoverageMap(0, 20, seen, List.of(), 0, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("range from 11, expected one from 10");
    assertThatThrownBy(() -> new CoverageMap(0, 5, List.of(), List.of(), 0, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> CoverageMap.EMPTY.columns(0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
