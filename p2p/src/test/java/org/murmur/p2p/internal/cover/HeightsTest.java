package org.murmur.p2p.internal.cover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class HeightsTest {

  /** One change of a set: a range that is added or removed. */
  record Change(boolean add, int from, int to) {}

  @Property
  void agreesWithABitSet(@ForAll("changes") List<Change> changes) {
    Heights heights = new Heights();
    BitSet model = new BitSet();
    for (Change change : changes) {
      if (change.add()) {
        heights.add(change.from(), change.to());
      } else {
        heights.remove(change.from(), change.to());
      }
      if (change.from() <= change.to()) {
        model.set(change.from(), change.to() + 1, change.add());
      }
      assertThat(heights.count()).isEqualTo(model.cardinality());
      assertThat(heights.isEmpty()).isEqualTo(model.isEmpty());
      for (int i = 0; i < 70; i++) {
        assertThat(heights.contains(i)).as("height %d", i).isEqualTo(model.get(i));
        if (!model.isEmpty()) {
          int next = model.nextSetBit(i);
          assertThat(heights.firstFrom(i)).isEqualTo(next >= 0 ? next : model.nextSetBit(0));
        }
        if (model.get(i)) {
          assertThat(heights.rangeEnd(i)).isEqualTo(model.nextClearBit(i) - 1);
        }
        int next = model.nextSetBit(i);
        assertThat(heights.meets(i, i + 3)).isEqualTo(next >= 0 && next <= i + 3);
      }
    }
  }

  @Provide
  Arbitrary<List<Change>> changes() {
    Arbitrary<Integer> height = Arbitraries.integers().between(0, 60);
    return Combinators.combine(Arbitraries.of(true, false), height, height)
        .as(Change::new)
        .list()
        .ofMaxSize(12);
  }

  @Test
  void printsRanges() {
    Heights heights = new Heights().add(0, 9).add(12, 12).add(10, 10);
    assertThat(heights).hasToString("0-10 12");
  }
}
