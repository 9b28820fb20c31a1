package org.murmur.p2p.internal.cover;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.p2p.discovery.NodeAddress;

/** Rows become fewer, and nothing that they showed is lost or invented. */
class FoldedTest {

  private static final int TIP = 30;
  private static final NodeAddress ANNA = new NodeAddress("anna", 1);
  private static final NodeAddress BERT = new NodeAddress("bert", 2);

  private final List<Element> log = new ArrayList<>();
  private final Map<Long, View> views = new HashMap<>();
  private final TreeMap<Long, ScanRow> rows = new TreeMap<>();

  private void script() {
    byte[] data = {(byte) log.size(), 1};
    log.add(new Element.Script(Bytes.of(data), log.size() / 3));
  }

  private void coin(int script, int birth) {
    byte[] txid = new byte[32];
    txid[0] = (byte) log.size();
    OutPoint outPoint = new OutPoint(Hash256.ofInternal(txid), 0);
    log.add(new Element.OwnOutPoint(outPoint, script, birth, Element.OPEN));
  }

  private void row(long view, int elements, int from, int to) {
    long id = rows.size() + 1L;
    rows.put(id, new ScanRow(id, view, elements, from, to, id));
  }

  private static void add(Map<Long, View> to, View view) {
    to.put(view.id(), view);
  }

  private Coverage coverage(Map<Long, View> by) {
    List<Coverage.Span> spans = new ArrayList<>();
    for (ScanRow row : rows.values()) {
      View view = Objects.requireNonNull(by.get(row.view()));
      spans.add(new Coverage.Span(view.at(row.elements()), row.id(), row.from(), row.to()));
    }
    return new Coverage(log, 0, spans);
  }

  private List<Heights> uncovered() {
    Coverage coverage = coverage(views);
    List<Heights> all = new ArrayList<>();
    for (int peers = 1; peers <= 2; peers++) {
      for (int i = 0; i < log.size(); i++) {
        BitSet one = new BitSet();
        one.set(i);
        all.add(coverage.uncovered(TIP, peers, one));
      }
    }
    return all;
  }

  private Folded fold(Set<Long> live) {
    Folded folded = Folded.of(rows.values(), views, live, log);
    folded.applyTo(rows);
    views.replaceAll((id, view) -> folded.retired().contains(id) ? view.retired() : view);
    return folded;
  }

  @Test
  void connectionsOfOnePeerWithOneContentBecomeOneRow() {
    script();
    for (int i = 1; i <= 5; i++) {
      add(views, new View(i, ANNA, new Content.Prefix(1), true));
      row(i, 1, 5 * i, 5 * i + 4);
    }
    fold(Set.of());
    assertThat(rows.values()).containsExactly(new ScanRow(5, 5, 1, 5, 29, 5));
  }

  @Test
  void aViewThatAddedACoinStaysAsItIs() {
    script();
    coin(0, 6);
    add(views, new View(1, ANNA, new Content.Prefix(1), true));
    add(views, new View(2, ANNA, new Content.Prefix(1), true));
    row(1, 1, 5, 9);
    row(2, 1, 10, 14);
    List<Heights> before = uncovered();
    assertThat(fold(Set.of()).isEmpty()).isTrue();
    assertThat(uncovered()).isEqualTo(before);
  }

  @Test
  void rowsThatALongerPrefixCoversGoAway() {
    script();
    script();
    add(views, new View(1, ANNA, new Content.Prefix(1), true));
    add(views, new View(2, ANNA, new Content.Prefix(2), true));
    row(1, 1, 5, 9);
    row(2, 2, 0, 14);
    fold(Set.of());
    assertThat(rows.values()).containsExactly(new ScanRow(2, 2, 2, 0, 14, 2));
  }

  @Test
  void aConnectionThatIsOpenKeepsItsRows() {
    script();
    add(views, new View(1, ANNA, new Content.Prefix(1), true));
    add(views, new View(2, ANNA, new Content.Prefix(1), true));
    row(1, 1, 5, 9);
    row(2, 1, 10, 14);
    assertThat(fold(Set.of(2L)).isEmpty()).isTrue();
  }

  /** Thirty thousand connections, one block each: the record has the size of one. */
  @Test
  void aBookOfManyConnectionsStaysSmall() {
    script();
    ScanBook book = new ScanBook(List.of(), List.of(), 1, 1);
    WatchedLog watched = new WatchedLog(log);
    TreeMap<Long, ScanRow> onDisk = new TreeMap<>();
    int most = 0;
    for (int i = 0; i < 30_000; i++) {
      View view = new View(book.newId(), ANNA, new Content.Prefix(1), true);
      book.add(view);
      ScanRow row = book.scanned(null, view.id(), 1, i, Instant.EPOCH);
      onDisk.put(row.id(), row);
      book.fold(Set.of(view.id()), watched).applyTo(onDisk);
      most = Math.max(most, onDisk.size());
    }
    assertThat(most).isLessThan(300);
    assertThat(book.coverage(watched, 0, List.of(), false).uncovered(29_999).isEmpty()).isTrue();
  }

  private Content content(Random random) {
    int kind = random.nextInt(4);
    if (kind == 0) {
      BitSet some = new BitSet();
      log.forEach(element -> some.set(random.nextInt(log.size())));
      return new Content.Part(some);
    }
    if (kind == 1) {
      boolean scripts = random.nextBoolean();
      int number = random.nextInt(2);
      BitSet members = new BitSet();
      for (int i = 0; i < log.size(); i++) {
        if (log.get(i) instanceof Element.Script script) {
          members.set(i, scripts && script.epoch() == number);
        } else {
          members.set(i, !scripts && i % 2 == number);
        }
      }
      FilterRole role = scripts ? FilterRole.SCRIPTS : FilterRole.OUTPOINTS;
      return new Content.Epoch(role, number, members);
    }
    return new Content.Prefix(random.nextInt(log.size() + 1));
  }

  @Property(tries = 3000)
  void everythingThatWasCoveredIsCoveredByAsMany(@ForAll long seed) {
    Random random = new Random(seed);
    log.clear();
    views.clear();
    rows.clear();
    script();
    for (int i = random.nextInt(7); i > 0; i--) {
      if (random.nextBoolean()) {
        script();
      } else {
        coin(0, random.nextInt(TIP));
      }
    }
    Set<Long> live = new HashSet<>();
    for (long id = 1; id <= 6; id++) {
      Content content = content(random);
      boolean adds = !(content instanceof Content.Epoch) && random.nextInt(4) > 0;
      add(views, new View(id, random.nextInt(3) == 0 ? BERT : ANNA, content, adds));
      if (random.nextInt(6) == 0) {
        live.add(id);
      }
    }
    for (int i = random.nextInt(15); i > 0; i--) {
      View view = Objects.requireNonNull(views.get(1L + random.nextInt(6)));
      boolean grows = view.content() instanceof Content.Prefix;
      // A view that grows has no fewer elements later.
      int least = least(view.id());
      int size = view.content().size();
      int from = random.nextInt(TIP);
      row(
          view.id(),
          grows ? least + random.nextInt(size - least + 1) : size,
          from,
          from + random.nextInt(TIP - from));
    }
    final List<Heights> before = uncovered();
    final int rowsBefore = rows.size();
    List<Object> epochsBefore = epochs();
    Map<Long, View> viewsBefore = new HashMap<>(views);
    Map<Long, ScanRow> old = new TreeMap<>(rows);
    fold(live);
    assertThat(uncovered()).isEqualTo(before);
    assertThat(epochs()).isEqualTo(epochsBefore);
    assertThat(rows.size()).isLessThanOrEqualTo(rowsBefore);
    rows.values().stream()
        .filter(row -> live.contains(row.view()))
        .forEach(row -> assertThat(row).isEqualTo(old.get(row.id())));
    // A coin that is found later has at most what the rows of old would have given it.
    coin(0, random.nextInt(TIP));
    List<Heights> after = uncovered();
    rows.clear();
    rows.putAll(old);
    views.clear();
    views.putAll(viewsBefore);
    List<Heights> unfolded = uncovered();
    for (int i = 0; i < after.size(); i++) {
      assertThat(unfolded.get(i).copy().removeAll(after.get(i)).isEmpty())
          .as("it claims no more")
          .isTrue();
    }
  }

  private int least(long view) {
    return rows.values().stream()
        .filter(row -> row.view() == view)
        .mapToInt(ScanRow::elements)
        .max()
        .orElse(0);
  }

  private List<Object> epochs() {
    List<Object> facts = new ArrayList<>();
    ScanBook book = new ScanBook(views.values(), rows.values(), 100, 100);
    for (int number = 0; number < 2; number++) {
      for (FilterRole role : FilterRole.values()) {
        Content.Epoch epoch = new Content.Epoch(role, number, new BitSet());
        facts.add(book.scanned(epoch).toString());
      }
      facts.add(book.scriptsServedSince(number));
    }
    return facts;
  }
}
