package org.murmur.wallet.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;

final class LinkedScriptsTest {

  private static final int SCRIPTS = 30;

  private static Effect.Part part(int script) {
    return new Effect.Part(new OutPoint(Hash256.ZERO, script), 0, 1, script);
  }

  private static Effect payment(int[] spent, int... received) {
    return new Effect(
        IntStream.of(received).mapToObj(LinkedScriptsTest::part).toList(),
        IntStream.of(spent).mapToObj(LinkedScriptsTest::part).toList());
  }

  private static BitSet set(int... scripts) {
    BitSet set = new BitSet();
    IntStream.of(scripts).forEach(set::set);
    return set;
  }

  @Test
  void inputsAndChangeAreOneGroupAndReceiptsAreNone() {
    LinkedScripts links =
        LinkedScripts.of(
            List.of(
                payment(new int[] {1, 2}, 10),
                payment(new int[] {}, 3, 4),
                payment(new int[] {10}, 11),
                payment(new int[] {5}, 12)));
    assertThat(links.groups()).containsExactly(set(1, 2, 10, 11), set(5, 12));
    assertThat(links.groupOf(1)).isEqualTo(links.groupOf(11)).isNotEqualTo(links.groupOf(5));
    assertThat(links.groupOf(3)).isEqualTo(3);
    assertThat(links.with(payment(new int[] {11, 5})).groups())
        .containsExactly(set(1, 2, 5, 10, 11, 12));
    assertThat(links.groups()).hasSize(2);
  }

  private static Effect random(SplittableRandom random) {
    int[] spent = random.ints(random.nextInt(4), 0, SCRIPTS).toArray();
    return payment(spent, random.ints(random.nextInt(3), 0, SCRIPTS).toArray());
  }

  @Property(tries = 300)
  void areAPartitionThatOnlyGetsCoarser(
      @ForAll long seed, @ForAll @IntRange(max = 25) int payments) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Effect> effects = new ArrayList<>();
    LinkedScripts links = LinkedScripts.of(effects);
    for (int i = 0; i < payments; i++) {
      Effect effect = random(random);
      effects.add(effect);
      LinkedScripts more = links.with(effect);
      isAPartition(more);
      for (int a = 0; a < SCRIPTS; a++) {
        for (int b = 0; b < SCRIPTS; b++) {
          if (links.groupOf(a) == links.groupOf(b)) {
            assertThat(more.groupOf(a)).isEqualTo(more.groupOf(b));
          }
        }
      }
      assertThat(more.groups()).isEqualTo(LinkedScripts.of(effects).groups());
      assertThat(more.with(effect).groups()).isEqualTo(more.groups());
      links = more;
    }
  }

  private static void isAPartition(LinkedScripts links) {
    BitSet all = new BitSet();
    for (BitSet group : links.groups()) {
      assertThat(group.cardinality()).isGreaterThan(1);
      assertThat(all.intersects(group)).isFalse();
      all.or(group);
      int name = links.groupOf(group.nextSetBit(0));
      assertThat(group.get(name)).isTrue();
      group.stream().forEach(script -> assertThat(links.groupOf(script)).isEqualTo(name));
    }
    for (int script = 0; script < SCRIPTS; script++) {
      if (!all.get(script)) {
        assertThat(links.groupOf(script)).isEqualTo(script);
      }
    }
  }
}
