package org.murmur.p2p.internal.cover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Coverage.Span;

/** Which elements the next views hold. */
class PassesTest {

  private static final int TIP = 100;
  private static final NodeAddress ANNA = new NodeAddress("anna", 1);

  private final List<Span> spans = new ArrayList<>();

  private static Element script(int i) {
    return new Element.Script(Bytes.of(new byte[] {(byte) i, (byte) (i >> 8)}));
  }

  private static Element coin(int i, int birth, int end) {
    byte[] txid = {(byte) i, (byte) (i >> 8)};
    return new Element.OwnOutPoint(
        new OutPoint(Hash256.ofInternal(Arrays.copyOf(txid, 32)), 0), 0, birth, end);
  }

  private static WatchedLog log(int scripts, int coins, Random random) {
    List<Element> elements = new ArrayList<>();
    while (scripts + coins > 0) {
      boolean isScript = coins == 0 || (scripts > 0 && random.nextBoolean());
      int birth = random.nextInt(TIP);
      boolean spent = random.nextBoolean();
      int i = elements.size();
      elements.add(
          isScript
              ? script(i)
              : coin(i, birth, spent ? birth + random.nextInt(TIP - birth) : Element.OPEN));
      scripts -= isScript ? 1 : 0;
      coins -= isScript ? 0 : 1;
    }
    return new WatchedLog(elements);
  }

  private Coverage coverage(WatchedLog log) {
    return new Coverage(log.view(), 0, spans);
  }

  /** A peer serves all blocks that a part needs. */
  private void serve(WatchedLog log, BitSet part) {
    Coverage.Needs needs = coverage(log).needs(TIP, 1, null, part);
    int load = spans.size() + 1;
    for (int height = 0; height <= TIP; height++) {
      if (needs.fresh().contains(height) || needs.again().contains(height)) {
        View view = new View(load, ANNA, new Content.Part(part), false);
        spans.add(new Span(view, spans.size(), height, height));
      }
    }
  }

  private static BitSet part(Passes passes) {
    return Objects.requireNonNull(passes.part());
  }

  @Test
  void elementsThatFitOneFilterAreNotDivided() {
    WatchedLog log = log(5, 5, new Random(1));
    Passes passes = new Passes(log.view(), 10);
    passes.choose(coverage(log), TIP, 1, 1);
    assertThat(passes.part()).isNull();
    assertThat(passes.size()).isEqualTo(10);
    assertThat(passes.holdAllLive()).isTrue();
  }

  @Property(tries = 500)
  void aFewPassesCoverEverything(@ForAll long seed) {
    Random random = new Random(seed);
    spans.clear();
    WatchedLog log = log(1 + random.nextInt(60), random.nextInt(60), random);
    int most = 1 + random.nextInt(log.size());
    Passes passes = new Passes(log.view(), most);
    int done = 0;
    for (; !coverage(log).uncovered(TIP).isEmpty(); done++) {
      passes.choose(coverage(log), TIP, 1, 1);
      BitSet part = passes.part();
      if (part == null) {
        assertThat(log.size()).isEqualTo(most);
        return;
      }
      assertThat(part.cardinality()).isBetween(1, most);
      assertThat(coverage(log).uncoveredElements(TIP, 1).intersects(part)).isTrue();
      passes.begin();
      serve(log, part);
    }
    // Scripts fill three quarters of a filter.
    int full = Math.max(1, (int) (most * 0.75));
    assertThat(done).isLessThanOrEqualTo(2 + log.size() / full);
  }

  @Test
  void saysHowManyBlocksLaterPassesTake() {
    WatchedLog log = log(100, 0, new Random(1));
    Passes passes = new Passes(log.view(), 40);
    passes.choose(coverage(log), TIP, 1, 1);
    // 30 scripts in each view: three passes follow.
    assertThat(passes.later()).isEqualTo(3 * (TIP + 1));
    assertThat(passes.ahead(coverage(log), TIP, 2))
        .extracting(Passes.Pass::blocks)
        .containsExactly(202L, 202L, 202L, 202L);
  }

  @Test
  void aPassThatHasBegunLastsUntilItsPartIsCovered() {
    WatchedLog log = log(100, 0, new Random(1));
    Passes passes = new Passes(log.view(), 40);
    passes.choose(coverage(log), TIP, 1, 1);
    BitSet first = part(passes);
    passes.begin();
    log.append(100, List.of(script(100)));
    passes.choose(coverage(log), TIP, 1, 1);
    assertThat(passes.part()).isEqualTo(first);
    serve(log, first);
    passes.choose(coverage(log), TIP, 1, 1);
    assertThat(part(passes).intersects(first)).isFalse();
  }

  @Test
  void aFullFilterEndsItsPassEarly() {
    WatchedLog log = log(100, 0, new Random(1));
    Passes passes = new Passes(log.view(), 40);
    passes.choose(coverage(log), TIP, 1, 1);
    assertThat(passes.end()).isFalse();
    passes.begin();
    assertThat(passes.end()).isTrue();
  }

  @Test
  void whenAllIsCoveredFiltersHoldScriptsAndTheNewestCoins() {
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      elements.add(script(i));
    }
    for (int i = 10; i < 60; i++) {
      elements.add(coin(i, 10, Element.OPEN));
    }
    WatchedLog log = new WatchedLog(elements);
    Passes passes = new Passes(log.view(), 20);
    BitSet all = new BitSet();
    all.set(0, 60);
    serve(log, all);
    passes.choose(coverage(log), TIP, 1, 1);
    assertThat(passes.uncovered(coverage(log), TIP, 1).isEmpty()).isTrue();
    // The part is chosen when it is needed: from the log as it is then.
    log.append(60, List.of(coin(60, 10, Element.OPEN)));
    BitSet expected = new BitSet();
    expected.set(0, 10);
    expected.set(56, 61);
    assertThat(passes.part()).isEqualTo(expected);
    assertThat(passes.holdAllLive()).isFalse();
    assertThat(passes.later()).isZero();
    Coverage grown = coverage(log);
    passes.choose(grown, TIP, 1, 1);
    assertThat(passes.uncovered(grown, TIP, 1).count()).isEqualTo(TIP - 10 + 1);
    assertThat(part(passes).get(60)).isTrue();
  }
}
