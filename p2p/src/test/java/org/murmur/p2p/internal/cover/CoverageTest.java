package org.murmur.p2p.internal.cover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Coverage.Span;

/** The rules of coverage, by example and against a model that asks cell by cell. */
class CoverageTest {

  private static final int TIP = 40;
  private static final NodeAddress ANNA = new NodeAddress("anna", 1);
  private static final List<NodeAddress> PEERS =
      List.of(ANNA, new NodeAddress("bert", 2), new NodeAddress("cleo", 3));

  private static Span span(
      NodeAddress peer, long load, long order, boolean all, int elements, int from, int to) {
    return new Span(new View(load, peer, new Content.Prefix(elements), all), order, from, to);
  }

  private static Element script(int i) {
    return new Element.Script(Bytes.of(new byte[] {(byte) i, (byte) (i >> 8)}));
  }

  private static Element.OwnOutPoint coin(int i, int script, int birth, int end) {
    byte[] txid = new byte[32];
    txid[0] = (byte) i;
    return new Element.OwnOutPoint(new OutPoint(Hash256.ofInternal(txid), 0), script, birth, end);
  }

  private static Heights uncovered(List<Element> log, int birthday, Span... spans) {
    return new Coverage(log, birthday, List.of(spans)).uncovered(TIP);
  }

  @Test
  void anEmptyLogNeedsNothing() {
    assertThat(uncovered(List.of(), 0)).hasToString("");
  }

  @Test
  void aScriptIsNeededFromTheBirthdayToTheTip() {
    assertThat(uncovered(List.of(script(0)), 5)).hasToString("5-40");
    assertThat(uncovered(List.of(script(0)), 5, span(ANNA, 1, 1, true, 1, 0, 20)))
        .hasToString("21-40");
  }

  @Test
  void aScriptDerivedLateIsNeededFromTheBirthdayToo() {
    List<Element> log = List.of(script(0), script(1));
    assertThat(uncovered(log, 0, span(ANNA, 1, 1, true, 1, 0, 40))).hasToString("0-40");
  }

  @Test
  void theServerAddsACoinWhoseScriptItLooksFor() {
    List<Element> log = List.of(script(0), coin(1, 0, 10, Element.OPEN));
    assertThat(uncovered(log, 0, span(ANNA, 1, 1, true, 1, 0, 40))).hasToString("");
  }

  @Test
  void withoutUpdatesACoinIsNeededFromItsOwnBlockOn() {
    List<Element> log = List.of(script(0), coin(1, 0, 10, Element.OPEN));
    assertThat(uncovered(log, 0, span(ANNA, 1, 1, false, 1, 0, 40))).hasToString("10-40");
  }

  @Test
  void theSameFilterLoadedAgainForgetsTheCoin() {
    List<Element> log = List.of(script(0), coin(1, 0, 10, Element.OPEN));
    assertThat(
            uncovered(log, 0, span(ANNA, 1, 1, true, 1, 0, 20), span(ANNA, 2, 2, true, 1, 21, 40)))
        .hasToString("21-40");
  }

  @Test
  void aHigherBlockAskedFirstMissesTheSpend() {
    List<Element> log = List.of(script(0), coin(1, 0, 10, Element.OPEN));
    assertThat(
            uncovered(log, 0, span(ANNA, 1, 1, true, 1, 21, 40), span(ANNA, 1, 2, true, 1, 0, 20)))
        .hasToString("21-40");
  }

  @Test
  void anElementAddedInBetweenOpensARowOfTheSameLoad() {
    List<Element> log = List.of(script(0), script(1), coin(1, 0, 10, Element.OPEN));
    assertThat(
            uncovered(log, 0, span(ANNA, 1, 1, true, 1, 0, 20), span(ANNA, 1, 2, true, 2, 21, 40)))
        .hasToString("0-20");
  }

  @Test
  void aCoinIsNeededOnlyToItsConfirmedSpend() {
    List<Element> log = List.of(script(0), coin(1, 0, 10, 12));
    assertThat(uncovered(log, 0, span(ANNA, 1, 1, false, 1, 0, 40))).hasToString("10-12");
  }

  @Test
  void aPassAskedTwiceInOneLoadCounts() {
    List<Element> log = List.of(script(0), coin(1, 0, 10, Element.OPEN));
    Span high = span(ANNA, 1, 1, true, 1, 21, 40);
    assertThat(
            uncovered(
                log, 0, high, span(ANNA, 1, 2, true, 1, 0, 20), span(ANNA, 1, 3, true, 1, 21, 40)))
        .hasToString("");
  }

  @Property(tries = 3000)
  void agreesWithAModelThatAsksCellByCell(@ForAll long seed) {
    Random random = new Random(seed);
    int birthday = random.nextInt(10);
    List<Element> log = new ArrayList<>();
    int size = 1 + random.nextInt(8);
    for (int i = 0; i < size; i++) {
      int script = lastScript(log, random);
      if (script < 0 || random.nextBoolean()) {
        log.add(new Element.Script(script(i).data(), random.nextInt(2)));
      } else {
        int birth = birthday + random.nextInt(TIP - birthday + 1);
        int end = random.nextBoolean() ? Element.OPEN : birth + random.nextInt(20);
        log.add(
            random.nextInt(4) == 0
                ? unproven(i, script, birth, random)
                : coin(i, script, birth, end));
      }
    }
    boolean epochs = random.nextBoolean();
    boolean parts = random.nextBoolean();
    BitSet matter = random.nextBoolean() ? null : some(size, random);
    boolean epochsOnly = random.nextBoolean();
    List<Span> spans = new ArrayList<>();
    int count = random.nextInt(7);
    for (int i = 0; i < count; i++) {
      long load = random.nextInt(3);
      int from = random.nextInt(TIP + 1);
      int to = from + random.nextInt(TIP - from + 1);
      Content content =
          load == 2 && epochs
              ? epoch(log, random)
              : parts && load < 2
                  ? new Content.Part(some(size, random))
                  : new Content.Prefix(random.nextInt(size + 1));
      View view = new View(load, PEERS.get((int) load), content, load != 2);
      spans.add(new Span(view, i, from, to));
    }
    int witnesses = 1 + random.nextInt(3);
    NodeAddress asked = PEERS.get(random.nextInt(PEERS.size()));
    Heights expected = new Heights();
    Heights expectedOfAsked = new Heights();
    Heights expectedOfSome = new Heights();
    BitSet expectedElements = new BitSet();
    for (int height = 0; height <= TIP; height++) {
      for (int i = 0; i < size; i++) {
        boolean settled = !isProvenAndOpen(log.get(i));
        if (!needed(log.get(i), birthday, height) || (epochsOnly && settled)) {
          continue;
        }
        Set<NodeAddress> seen = new HashSet<>();
        for (Span span : spans) {
          if (covered(log.get(i), i, height, span, spans)) {
            seen.add(span.view().peer());
          }
        }
        if (seen.size() < witnesses) {
          expected.add(height, height);
          expectedElements.set(i);
          if (matter == null || matter.get(i)) {
            expectedOfSome.add(height, height);
          }
          if (!seen.contains(asked)) {
            expectedOfAsked.add(height, height);
          }
        }
      }
    }
    Coverage coverage = new Coverage(log, birthday, spans, epochsOnly);
    assertThat(coverage.uncovered(TIP, witnesses))
        .as("seed %d, log %s, spans %s", seed, log, spans)
        .isEqualTo(expected);
    assertThat(coverage.needs(TIP, witnesses, asked).all())
        .as("seed %d, log %s, spans %s, asked %s", seed, log, spans, asked)
        .isEqualTo(expectedOfAsked);
    assertThat(coverage.uncovered(TIP, witnesses, matter))
        .as("seed %d, log %s, spans %s, of %s", seed, log, spans, matter)
        .isEqualTo(expectedOfSome);
    assertThat(coverage.uncoveredElements(TIP, witnesses))
        .as("seed %d, log %s, spans %s", seed, log, spans)
        .isEqualTo(expectedElements);
  }

  private static BitSet some(int size, Random random) {
    BitSet some = new BitSet();
    for (int i = 0; i < size; i++) {
      some.set(i, random.nextBoolean());
    }
    return some;
  }

  /** All scripts of one epoch and none of the other, or some outpoints. */
  private static Content epoch(List<Element> log, Random random) {
    int number = random.nextInt(3);
    BitSet members = new BitSet();
    for (int i = 0; i < log.size(); i++) {
      boolean in =
          log.get(i) instanceof Element.Script script
              ? script.epoch() == number
              : number == 2 && random.nextBoolean();
      members.set(i, in);
    }
    FilterRole role = number == 2 ? FilterRole.OUTPOINTS : FilterRole.SCRIPTS;
    return new Content.Epoch(role, number, members);
  }

  private static int lastScript(List<Element> log, Random random) {
    List<Integer> scripts = new ArrayList<>();
    for (int i = 0; i < log.size(); i++) {
      if (log.get(i) instanceof Element.Script) {
        scripts.add(i);
      }
    }
    return scripts.isEmpty() ? -1 : scripts.get(random.nextInt(scripts.size()));
  }

  private static Element unproven(int i, int script, int birth, Random random) {
    OutPoint outPoint = coin(i, script, birth, Element.OPEN).outPoint();
    return random.nextBoolean()
        ? new Element.PendingInput(outPoint, birth, Element.OPEN)
        : new Element.OwnOutPoint(outPoint, script, birth, Element.OPEN, false);
  }

  private static boolean isProvenAndOpen(Element element) {
    if (element instanceof Element.OwnOutPoint coin) {
      return coin.confirmed() && coin.end() == Element.OPEN;
    }
    return element instanceof Element.Script;
  }

  private static boolean needed(Element element, int birthday, int height) {
    int birth = element.birth() == Element.AT_BIRTHDAY ? birthday : element.birth();
    return birth <= height && height <= element.end();
  }

  /** The rule for one element in one block, word by word. */
  private static boolean covered(
      Element element, int index, int height, Span span, List<Span> spans) {
    if (height < span.from() || height > span.to()) {
      return false;
    }
    if (span.view().content().holds(index)) {
      return true;
    }
    if (!span.view().adds() || !(element instanceof Element.OwnOutPoint coin)) {
      return false;
    }
    for (Span birth : spans) {
      boolean served =
          birth.view().id() == span.view().id()
              && birth.view().content().holds(coin.script())
              && birth.from() <= coin.birth()
              && coin.birth() <= birth.to();
      boolean earlier =
          birth.order() < span.order() || (birth.order() == span.order() && coin.birth() <= height);
      if (served && earlier) {
        return true;
      }
    }
    return false;
  }
}
