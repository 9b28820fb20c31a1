package org.murmur.p2p.internal.cover;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Element.OwnOutPoint;

/**
 * Which elements were scanned for in which blocks, and by which peers: the covering problem of a
 * sync.
 *
 * <p>An element with birth b must be covered on [b, its end or the tip]. A span (blocks served by
 * one peer under one {@link View}) covers every element that its view finds. A view that adds also
 * covers an own outpoint from the block that paid it on. That block must have been served under the
 * same view, not later, when the view had the outpoint's script. Nothing else counts. With
 * cross-checks, an element is covered at a height only if spans of the requested number of
 * different peers cover it there.
 *
 * <p>These facts keep it cheap:
 *
 * <ul>
 *   <li>All scripts share one birth. While every view has either a prefix of the log or whole
 *       epochs of scripts, the last script of each epoch decides for all.
 *   <li>A filter with a part of the log ({@link Content.Part}) may hold a script without those
 *       before it. Once there is one, every script counts. Then the union of what the filters held
 *       at a height answers most questions, while one peer is enough.
 *   <li>Every span knows its order within its view, so "not later" compares two orders.
 *   <li>Nothing changes between two heights where a span begins or ends, so it checks whole
 *       stretches.
 * </ul>
 *
 * <p>Pure: a short-lived value built from a log and spans.
 */
public final class Coverage {

  /**
   * Consecutive blocks served, or promised, under one view.
   *
   * @param order a number that grows with the order of requests for spans of this view
   */
  public record Span(View view, long order, int from, int to) {

    /** Whether its blocks make later ones show the spend of a coin: see {@link View}. */
    private boolean adds(OwnOutPoint coin) {
      return view.addsOnPayment(coin) && from <= coin.birth() && coin.birth() <= to;
    }
  }

  /**
   * The heights that are still to be requested.
   *
   * @param fresh heights to scan for scripts
   * @param again heights to scan for outpoints only: most of these blocks were scanned before
   */
  public record Needs(Heights fresh, Heights again) {

    /** {@return whether nothing is left to request; true if both are empty} */
    public boolean isEmpty() {
      return fresh.isEmpty() && again.isEmpty();
    }

    /** {@return how many blocks are left to request, a number of heights} */
    public long count() {
      return fresh.count() + again.count();
    }

    /** Heights of either kind, as a new set. */
    Heights all() {
      return new Heights().addAll(fresh).addAll(again);
    }

    /** Removes a range. */
    public void remove(int from, int to) {
      fresh.remove(from, to);
      again.remove(from, to);
    }

    /** Removes some heights. */
    public void removeAll(Heights heights) {
      fresh.removeAll(heights);
      again.removeAll(heights);
    }

    /** Keeps only some heights. */
    public void retainAll(Heights heights) {
      fresh.retainAll(heights);
      again.retainAll(heights);
    }
  }

  private static final long NEVER = Long.MAX_VALUE;

  private final List<Element> log;
  private final int birthday;
  private final boolean epochsOnly;
  // The last script, or the last one of every epoch if a view has other content than a prefix: a
  // view with these has all scripts.
  private final List<Integer> deciding;
  // Spans of the views that add, by the view's number here.
  private final List<List<Span>> adding = new ArrayList<>();
  // Stretch s begins at starts[s] and ends before starts[s + 1]; the first one begins at zero.
  private final int[] starts;
  // The spans over every stretch, grouped by peer.
  private final List<List<Numbered>> over;
  // Whether a filter held a part of the log, so that no script stands for others.
  private final boolean inParts;
  // The elements that filters held at every stretch, and the prefix that so many peers scanned for.
  private final @Nullable BitSet[] held;
  private final Map<Integer, int[]> enough = new HashMap<>();

  /** A span, with small numbers for its peer and its view; the view's is -1 if it adds nothing. */
  private record Numbered(Span span, int peer, int view) {

    private int prefix() {
      return span.view().content().prefix();
    }
  }

  public Coverage(List<Element> log, int birthday, List<Span> spans) {
    this(log, birthday, spans, false);
  }

  /**
   * Makes a coverage.
   *
   * @param epochsOnly whether only elements of epochs are needed: no outpoint whose spend is
   *     confirmed, since that was found otherwise, and none that no block has paid yet
   */
  public Coverage(List<Element> log, int birthday, List<Span> spans, boolean epochsOnly) {
    this.log = log;
    this.birthday = birthday;
    this.epochsOnly = epochsOnly;
    this.inParts = spans.stream().anyMatch(span -> span.view().content().splitsEpochs());
    this.deciding = deciding(spans);
    this.starts = starts(spans);
    this.held = new BitSet[starts.length];
    this.over = new ArrayList<>(starts.length);
    for (int i = 0; i < starts.length; i++) {
      over.add(new ArrayList<>());
    }
    for (Numbered span : number(spans)) {
      for (int s = stretch(span.span().from());
          s < starts.length && starts[s] <= span.span().to();
          s++) {
        over.get(s).add(span);
      }
    }
  }

  /** Makes the coverage of block filters alone, as if all had read what some only compared. */
  public static Coverage byBlockFilters(List<Element> log, int birthday, List<Span> spans) {
    List<Span> read = new ArrayList<>();
    for (Span span : spans) {
      if (span.view().isOfBlockFilters()) {
        read.add(new Span(span.view().asRead(), span.order(), span.from(), span.to()));
      }
    }
    return new Coverage(log, birthday, read, true);
  }

  private List<Integer> deciding(List<Span> spans) {
    if (inParts) {
      return scripts(log);
    }
    return spans.stream().allMatch(Coverage::isPrefix) ? lastScript(log) : lastScripts(log);
  }

  private static boolean isPrefix(Span span) {
    Content content = span.view().content();
    return content.prefix() == content.size();
  }

  private boolean isScript(int index) {
    return log.get(index) instanceof Element.Script;
  }

  private static List<Integer> scripts(List<Element> log) {
    List<Integer> scripts = new ArrayList<>();
    for (int i = 0; i < log.size(); i++) {
      if (log.get(i) instanceof Element.Script) {
        scripts.add(i);
      }
    }
    return scripts;
  }

  private static List<Integer> lastScript(List<Element> log) {
    for (int i = log.size() - 1; i >= 0; i--) {
      if (log.get(i) instanceof Element.Script) {
        return List.of(i);
      }
    }
    return List.of();
  }

  private static List<Integer> lastScripts(List<Element> log) {
    Map<Integer, Integer> last = new HashMap<>();
    for (int i = 0; i < log.size(); i++) {
      if (log.get(i) instanceof Element.Script script) {
        last.put(script.epoch(), i);
      }
    }
    return List.copyOf(last.values());
  }

  private static int[] starts(List<Span> spans) {
    return IntStream.concat(
            IntStream.of(0),
            spans.stream().flatMapToInt(span -> IntStream.of(span.from(), span.to() + 1)))
        .sorted()
        .distinct()
        .toArray();
  }

  /** Gives peers and views small numbers; returns the spans ordered by peer. */
  private List<Numbered> number(List<Span> spans) {
    Map<NodeAddress, Integer> peers = new HashMap<>();
    Map<Long, Integer> views = new HashMap<>();
    List<Numbered> numbered = new ArrayList<>(spans.size());
    for (Span span : spans) {
      int peer = peers.computeIfAbsent(span.view().peer(), address -> peers.size());
      int view = -1;
      if (span.view().adds()) {
        view = views.computeIfAbsent(span.view().id(), id -> views.size());
        if (view == adding.size()) {
          adding.add(new ArrayList<>());
        }
        adding.get(view).add(span);
      }
      numbered.add(new Numbered(span, peer, view));
    }
    numbered.sort(Comparator.comparingInt(Numbered::peer));
    return numbered;
  }

  private int stretch(int height) {
    int found = Arrays.binarySearch(starts, height);
    return found >= 0 ? found : -found - 2;
  }

  /** {@return where the scan for scripts begins, the height of the wallet's birthday} */
  public int birthday() {
    return birthday;
  }

  /**
   * Returns the heights where at least one element is uncovered.
   *
   * @return empty if everything is covered to the tip
   */
  public Heights uncovered(int tip) {
    return uncovered(tip, 1);
  }

  /**
   * Returns the heights where too few peers scanned for at least one element.
   *
   * @param peers how many different peers are needed, at least 1
   */
  public Heights uncovered(int tip, int peers) {
    return uncovered(tip, peers, null);
  }

  /**
   * Returns the heights where too few peers scanned for at least one of some elements.
   *
   * @param of the elements that matter, as indexes in the log; null for all
   */
  public Heights uncovered(int tip, int peers, @Nullable BitSet of) {
    return needs(tip, peers, null, of).all();
  }

  /**
   * Returns the elements that too few peers scanned for at some height.
   *
   * @return indexes in the log; empty if everything is covered to the tip by so many
   */
  public BitSet uncoveredElements(int tip, int peers) {
    BitSet open = new BitSet();
    Search search = new Search(new Heights(), tip, peers, null).overTheLog();
    for (int i = 0; i < log.size(); i++) {
      if (search.misses(i)) {
        open.set(i);
      }
    }
    return open;
  }

  /**
   * Returns the heights where at least one of some elements is uncovered.
   *
   * @param indexes the elements' indexes in the log; of the scripts of an epoch one is enough
   */
  public Heights uncovered(Iterable<Integer> indexes, int tip) {
    Heights missing = new Heights();
    Search search = new Search(missing, tip, 1, null);
    indexes.forEach(search::look);
    search.finish();
    return missing;
  }

  /**
   * Returns the heights to request until enough peers have scanned them.
   *
   * @param asked the peer to ask, which is not asked again for blocks that it served; null for any
   */
  public Needs needs(int tip, int peers, @Nullable NodeAddress asked) {
    return needs(tip, peers, asked, null);
  }

  /**
   * Returns the heights to request until enough peers have scanned them for some elements.
   *
   * @param of the elements that matter, as indexes in the log; null for all
   */
  public Needs needs(int tip, int peers, @Nullable NodeAddress asked, @Nullable BitSet of) {
    Needs needs = new Needs(new Heights(), new Heights());
    Search again = new Search(needs.again(), tip, peers, asked).overTheLog();
    Search fresh = new Search(needs.fresh(), tip, peers, asked).like(again);
    if (of == null) {
      deciding.forEach(fresh::look);
      for (int i = 0; i < log.size(); i++) {
        if (!isScript(i)) {
          again.look(i);
        }
      }
    } else {
      for (int i = of.nextSetBit(0); i >= 0; i = of.nextSetBit(i + 1)) {
        (isScript(i) ? fresh : again).look(i);
      }
    }
    fresh.finish();
    again.finish();
    needs.again().removeAll(needs.fresh());
    return needs;
  }

  /** Returns whether the next block served under a view would show an element. */
  public boolean shows(int index, View view) {
    Element element = log.get(index);
    if (view.finds(index, element)) {
      return true;
    }
    if (element instanceof OwnOutPoint coin) {
      for (List<Span> spans : adding) {
        if (spans.get(0).view().id() == view.id()) {
          return orderOfBirth(spans, coin) != NEVER;
        }
      }
    }
    return false;
  }

  /** The order of the first span of a view that served the payment of a coin and so added it. */
  private static long orderOfBirth(List<Span> view, OwnOutPoint coin) {
    long first = NEVER;
    for (Span span : view) {
      if (span.adds(coin)) {
        first = Math.min(first, span.order());
      }
    }
    return first;
  }

  /** The length of the log's prefix that enough peers scanned for, for every stretch. */
  private int[] enough(int peers) {
    int[] known = enough.get(peers);
    if (known == null) {
      known = new int[starts.length];
      for (int s = 0; s < starts.length; s++) {
        known[s] = peers == 1 ? longestPrefix(over.get(s)) : prefixSeenByEnough(over.get(s), peers);
      }
      enough.put(peers, known);
    }
    return known;
  }

  private static int longestPrefix(List<Numbered> spans) {
    int longest = 0;
    for (Numbered numbered : spans) {
      longest = Math.max(longest, numbered.prefix());
    }
    return longest;
  }

  private static int prefixSeenByEnough(List<Numbered> spans, int peers) {
    List<Integer> prefixes = new ArrayList<>();
    int peer = -1;
    for (Numbered numbered : spans) {
      int elements = numbered.prefix();
      int last = prefixes.size() - 1;
      if (numbered.peer() != peer) {
        prefixes.add(elements);
      } else if (prefixes.get(last) < elements) {
        prefixes.set(last, elements);
      }
      peer = numbered.peer();
    }
    if (prefixes.size() < peers) {
      return 0;
    }
    prefixes.sort(Comparator.reverseOrder());
    return prefixes.get(peers - 1);
  }

  /** The elements that the filters of any peer held at a stretch. */
  private BitSet held(int s) {
    BitSet known = held[s];
    if (known == null) {
      known = new BitSet();
      for (Numbered numbered : over.get(s)) {
        numbered.span().view().content().addTo(known);
      }
      held[s] = known;
    }
    return known;
  }

  /** Collects the heights where too few peers scanned for one of some elements. */
  private final class Search {

    private final Heights missing;
    private final int tip;
    private final int peers;
    private final @Nullable NodeAddress asked;
    // The length of the log's prefix that enough peers scanned for, for every stretch.
    private final int[] enough;
    // Stretches that are missing completely.
    private final boolean[] whole = new boolean[starts.length];
    // The current element's birth in every view that adds, and the element it was computed for.
    private final long[] born = new long[adding.size()];
    private final int[] bornOf = new int[adding.size()];
    // For every element the stretch from which on filters held it up to the tip; empty if that is
    // not known.
    private int[] seenFrom = {};

    Search(Heights missing, int tip, int peers, @Nullable NodeAddress asked) {
      this.missing = missing;
      this.tip = tip;
      this.peers = peers;
      this.asked = asked;
      this.enough = enough(peers);
      Arrays.fill(bornOf, -1);
    }

    /**
     * Prepares for a search of the whole log: most elements were in filters from their birth to the
     * tip. That is found out for all of them at once.
     */
    Search overTheLog() {
      seenFrom = new int[log.size()];
      BitSet seen = new BitSet(log.size());
      seen.set(0, log.size());
      for (int s = stretch(Math.max(0, tip)); s >= 0 && !seen.isEmpty(); s--) {
        BitSet lost = (BitSet) seen.clone();
        lost.clear(0, Math.min(enough[s], log.size()));
        if (inParts && peers == 1) {
          lost.andNot(held(s));
        }
        for (int i = lost.nextSetBit(0); i >= 0; i = lost.nextSetBit(i + 1)) {
          seenFrom[i] = s + 1;
        }
        seen.andNot(lost);
      }
      return this;
    }

    /** Takes over what another search prepared, for the same tip and peers. */
    Search like(Search other) {
      seenFrom = other.seenFrom;
      return this;
    }

    private boolean isSeenFrom(int index, int stretch) {
      return index < seenFrom.length && stretch >= seenFrom[index];
    }

    /** Whether an element is uncovered at some height. */
    boolean misses(int index) {
      Element element = log.get(index);
      int birth = birth(element);
      int last = last(element);
      int first = stretch(birth);
      if (isSeenFrom(index, first)) {
        return false;
      }
      for (int s = first; birth <= last && s < starts.length && starts[s] <= last; s++) {
        if (!isSeen(index, element, s)) {
          return true;
        }
      }
      return false;
    }

    void look(int index) {
      Element element = log.get(index);
      int birth = birth(element);
      int last = last(element);
      int first = stretch(birth);
      if (isSeenFrom(index, first)) {
        return;
      }
      for (int s = first; birth <= last && s < starts.length && starts[s] <= last; s++) {
        if (whole[s] || isSeen(index, element, s)) {
          continue;
        }
        int from = Math.max(birth, starts[s]);
        int to = Math.min(last, end(s));
        if (from == starts[s] && to == end(s)) {
          whole[s] = true;
        } else {
          missing.add(from, to);
        }
      }
    }

    void finish() {
      for (int s = 0; s < starts.length; s++) {
        if (whole[s]) {
          missing.add(starts[s], end(s));
        }
      }
    }

    private int end(int s) {
      return s + 1 < starts.length ? Math.min(tip, starts[s + 1] - 1) : tip;
    }

    private int birth(Element element) {
      return Math.max(0, element.birth() == Element.AT_BIRTHDAY ? birthday : element.birth());
    }

    /** The last height where an element is needed; none if the scan is not for it. */
    private int last(Element element) {
      return epochsOnly && !element.isForEpochs() ? -1 : Math.min(tip, element.end());
    }

    /** Whether enough peers scanned for an element in a stretch, or the peer to ask did. */
    private boolean isSeen(int index, Element element, int s) {
      if (enough[s] > index || (inParts && peers == 1 && held(s).get(index))) {
        return true;
      }
      int count = 0;
      int counted = -1;
      for (Numbered numbered : over.get(s)) {
        if (numbered.peer() == counted || !covers(numbered, index, element)) {
          continue;
        }
        counted = numbered.peer();
        count++;
        if (count == peers || numbered.span().view().peer().equals(asked)) {
          return true;
        }
      }
      return false;
    }

    private boolean covers(Numbered numbered, int index, Element element) {
      Span span = numbered.span();
      if (span.view().finds(index, element)) {
        return true;
      }
      if (numbered.view() < 0 || !(element instanceof OwnOutPoint coin)) {
        return false;
      }
      if (bornOf[numbered.view()] != index) {
        bornOf[numbered.view()] = index;
        born[numbered.view()] = orderOfBirth(adding.get(numbered.view()), coin);
      }
      return span.order() >= born[numbered.view()];
    }
  }
}
