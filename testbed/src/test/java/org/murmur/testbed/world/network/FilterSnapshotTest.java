package org.murmur.testbed.world.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.regtest.chain.Dice;

/** The judge's knowledge of a node's filter, queried for the same elements again. */
class FilterSnapshotTest {

  private static final List<Bytes> ELEMENTS = List.of(element(0), element(1), element(2));

  private static Bytes element(int number) {
    return new Dice(number).bytes(20);
  }

  private static BloomFilter filter(int bytes, int tweak, Iterable<Bytes> elements) {
    BloomFilter.Builder builder =
        BloomFilter.builder(new FilterParameters(bytes, 3, tweak, UpdateFlag.ALL));
    elements.forEach(builder::add);
    return builder.build();
  }

  /** The numbers of those of the elements that a snapshot does not hold. */
  private static BitSet missing(FilterSnapshot snapshot) {
    BitSet wanted = new BitSet();
    wanted.set(0, ELEMENTS.size());
    snapshot.strike(wanted, ELEMENTS);
    return wanted;
  }

  private static BitSet numbers(int... numbers) {
    BitSet set = new BitSet();
    for (int number : numbers) {
      set.set(number);
    }
    return set;
  }

  @Test
  void noFilterHoldsNothing() {
    assertThat(missing(FilterSnapshot.NONE)).isEqualTo(numbers(0, 1, 2));
  }

  @Test
  void blocksAreRequestedAgainForElementsAddedToTheFilter() {
    FilterSnapshot before = FilterSnapshot.NONE.next(filter(1000, 5, ELEMENTS.subList(0, 1)));
    assertThat(missing(before)).isEqualTo(numbers(1, 2));
    FilterSnapshot after = before.next(filter(1000, 5, ELEMENTS.subList(0, 2)));
    assertThat(missing(after)).isEqualTo(numbers(2));
    assertThat(missing(before)).as("what it was").isEqualTo(numbers(1, 2));
  }

  @Test
  void anotherFilterOfTheSameShapeHoldsNothingOfTheFirst() {
    FilterSnapshot before = FilterSnapshot.NONE.next(filter(1000, 5, ELEMENTS.subList(0, 1)));
    missing(before);
    FilterSnapshot after = before.next(filter(1000, 5, ELEMENTS.subList(1, 2)));
    assertThat(missing(after)).isEqualTo(numbers(0, 2));
  }

  /** Every bit of the first is set in it, those of the tweak as well: 4 and 6. */
  @Test
  void aFilterWithAnotherTweakHoldsNothingOfTheFirst() {
    BloomFilter first = filter(8, 4, ELEMENTS.subList(0, 1));
    BloomFilter other = null;
    for (int seed = 100; other == null; seed++) {
      BloomFilter drawn = filter(8, 6, List.of(element(seed), element(~seed), element(-seed)));
      if (isSubset(first.toPayload().slice(0, 9), drawn.toPayload()) && holdsNone(drawn)) {
        other = drawn;
      }
    }
    FilterSnapshot before = FilterSnapshot.NONE.next(first);
    assertThat(missing(before).get(0)).isFalse();
    assertThat(missing(before.next(other))).isEqualTo(numbers(0, 1, 2));
  }

  private static boolean holdsNone(BloomFilter filter) {
    return ELEMENTS.stream().noneMatch(filter::contains);
  }

  private static boolean isSubset(Bytes bits, Bytes of) {
    for (int i = 0; i < bits.length(); i++) {
      if ((bits.at(i) & ~of.at(i)) != 0) {
        return false;
      }
    }
    return true;
  }
}
