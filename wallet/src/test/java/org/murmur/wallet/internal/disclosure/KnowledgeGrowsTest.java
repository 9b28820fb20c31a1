package org.murmur.wallet.internal.disclosure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.UpdateFlag;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.wallet.privacy.Knowledge;
import org.murmur.wallet.privacy.Matches;
import org.murmur.wallet.privacy.Universe;

/** A peer's knowledge never shrinks when it gets another filter. */
final class KnowledgeGrowsTest {

  private static final NodeAddress A = new NodeAddress("a.example", 8333);
  private static final Universe MANY = Universe.chosen(1.3e9);

  private static BitSet range(int from, int to) {
    BitSet set = new BitSet();
    set.set(from, to);
    return set;
  }

  private static KnownFilter evidence(int order, int bytes, int tweak, double rate, BitSet held) {
    FilterParameters parameters = new FilterParameters(bytes, 10, tweak, UpdateFlag.NONE);
    return new KnownFilter(order, parameters, false, null, order, rate, held, new BitSet());
  }

  private static int known(OwnElements own, List<KnownFilter> shown) {
    return known(new Observer(own, MANY).knowledge(List.of(A), shown));
  }

  /** Seven used addresses; each of eleven filters holds a few more scripts than the one before. */
  @Test
  void elevenFiltersTeachNoLessThanOneOfThem() {
    BitSet used = new BitSet();
    List.of(0, 15, 25, 35, 45, 55, 65).forEach(used::set);
    OwnElements own = new OwnElements(range(0, 200), used, Map.of(), List.of());
    List<KnownFilter> shown = new ArrayList<>();
    for (int i = 1; i <= 11; i++) {
      shown.add(evidence(i, 1000, i, 1e-10, range(0, 10 * i)));
    }
    Observer observer = new Observer(own, MANY);
    Matches last = observer.knowledge(List.of(A), shown.subList(10, 11)).best().orElseThrow();
    Matches all = observer.knowledge(List.of(A), shown).best().orElseThrow();
    assertThat(last.own()).isEqualTo(7);
    assertThat(last.strangers()).isCloseTo(0.13, Percentage.withPercentage(1));
    assertThat(all.own()).isEqualTo(7);
    assertThat(all.strangers()).isLessThanOrEqualTo(last.strangers());
  }

  @Test
  void scriptsSentInTheClearAreKnown() {
    OwnElements own = new OwnElements(range(0, 100), range(0, 100), Map.of(120, 7), List.of());
    FilterParameters parameters = new FilterParameters(1000, 10, 1, UpdateFlag.ALL);
    BitSet named = range(50, 53);
    named.set(120);
    KnownFilter noisy = new KnownFilter(1, parameters, false, null, 1, 1e-4, range(0, 50), named);
    assertThat(known(own, List.of(noisy))).isEqualTo(4);
  }

  @Property(tries = 400)
  void anotherFilterNeverTeachesLess(@ForAll long seed) {
    Random dice = new Random(seed);
    int scripts = 1 + dice.nextInt(30);
    Map<Integer, Integer> coins = new HashMap<>();
    for (int coin = dice.nextInt(20); coin > 0; coin--) {
      coins.put(scripts + coin, dice.nextInt(scripts));
    }
    OwnElements own = new OwnElements(range(0, scripts), some(dice, 0, scripts), coins, List.of());
    List<KnownFilter> shown = new ArrayList<>();
    for (int i = 0; i < 1 + dice.nextInt(12); i++) {
      BitSet held = dice.nextBoolean() ? some(dice, 0, scripts + 21) : range(0, dice.nextInt(50));
      // Sizes of which one divides the other, and few tweaks: nested families, too.
      FilterParameters parameters =
          new FilterParameters(64 << dice.nextInt(4), 10, dice.nextInt(4), UpdateFlag.NONE);
      BitSet named = dice.nextInt(4) == 0 ? some(dice, 0, scripts + 21) : new BitSet();
      double rate = Math.pow(10, -12 * dice.nextDouble());
      shown.add(new KnownFilter(i, parameters, false, null, i, rate, held, named));
    }
    int all = known(own, shown);
    for (int left = 0; left < shown.size(); left++) {
      List<KnownFilter> less = new ArrayList<>(shown);
      less.remove(left);
      assertThat(known(own, less)).as("seed %d without %d", seed, left).isLessThanOrEqualTo(all);
    }
  }

  /** After any filters: a peer that learns of more scripts knows at least those, and no fewer. */
  @Property(tries = 400)
  void moreFiltersNeverReduceTheKnowledge(@ForAll long seed) {
    Random dice = new Random(seed);
    int scripts = 1 + dice.nextInt(30);
    OwnElements own =
        new OwnElements(range(0, scripts), some(dice, 0, scripts), Map.of(scripts, 0), List.of());
    List<KnownFilter> shown = new ArrayList<>();
    for (int i = dice.nextInt(4); i > 0; i--) {
      double rate = Math.pow(10, -12 * dice.nextDouble());
      shown.add(evidence(i, 64 << dice.nextInt(4), i, rate, some(dice, 0, scripts + 1)));
    }
    Exposure before = new Exposure(shown, some(dice, 0, scripts));
    Exposure after = before.and(new Exposure(List.of(), some(dice, 0, scripts)));
    Knowledge less = new Observer(own, MANY).knowledge(List.of(A), before);
    Knowledge more = new Observer(own, MANY).knowledge(List.of(A), after);
    assertThat(more.byTransactions())
        .as("seed %d", seed)
        .isEqualTo(after.disclosed().cardinality());
    assertThat(more.named()).isGreaterThanOrEqualTo(less.named());
    assertThat(known(more)).as("seed %d", seed).isGreaterThanOrEqualTo(known(less));
    assertThat(known(more)).as("seed %d", seed).isGreaterThanOrEqualTo(more.named());
    assertThat(less.named()).isLessThanOrEqualTo(known(less));
  }

  private static int known(Knowledge knowledge) {
    return knowledge.known().map(Matches::own).orElse(0);
  }

  private static BitSet some(Random dice, int from, int to) {
    BitSet set = new BitSet();
    for (int i = from; i < to; i++) {
      set.set(i, dice.nextBoolean());
    }
    return set;
  }
}
