package org.murmur.p2p.cover;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.cover.Element.OwnOutPoint;
import org.murmur.p2p.discovery.PeerAddress;

/**
 * Which elements were scanned for in which blocks, and by which peers: the covering problem of a
 * sync.
 *
 * <p>An element with birth b must be covered on [b, its end or the tip]. A span (blocks served by
 * one peer under one load) covers element i if the filter's content holds it. A load with {@code
 * UPDATE_ALL} also covers an own outpoint from the block that paid it on. That block must have been
 * served in the same load, not later, with the outpoint's script in the filter: the server then
 * added the outpoint itself. Nothing else counts. With cross-checks, an element is covered at a
 * height only if spans of the requested number of different peers cover it there.
 *
 * <p>Three observations keep it cheap. All scripts share one birth, and every filter holds either a
 * prefix of the log or whole epochs, so the last script of each epoch decides for all. Every span
 * knows its order within its load, so "not later" compares two orders. Nothing changes between two
 * heights where a span begins or ends, so it checks whole stretches.
 *
 * <p>Pure: a short-lived value built from a log and spans.
 */
public final class Coverage {

  /**
   * Consecutive blocks served, or promised, under one load.
   *
   * @param peer the peer that served them
   * @param load the load's id; a load is on one connection, so it has one peer
   * @param order a number that grows with the order of requests for spans of this load
   * @param updateAll whether the server adds outpoints
   * @param content which elements of the log the filter held
   * @param from the first height
   * @param to the last height
   */
  public record Span(
      PeerAddress peer,
      long load,
      long order,
      boolean updateAll,
      Content content,
      int from,
      int to) {

    /** The length of the log's prefix that the filter held. */
    int prefix() {
      return content instanceof Content.Prefix prefix ? prefix.size() : 0;
    }
  }

  /**
   * The heights that are still to be requested.
   *
   * @param fresh heights to scan for scripts
   * @param again heights to scan for outpoints only: most of these blocks were scanned before
   */
  public record Needs(Heights fresh, Heights again) {

    /**
     * Returns whether nothing is left to request.
     *
     * @return true if both are empty
     */
    public boolean isEmpty() {
      return fresh.isEmpty() && again.isEmpty();
    }

    /**
     * Returns how many blocks are left to request.
     *
     * @return a number of heights
     */
    public long count() {
      return fresh.count() + again.count();
    }

    /** Heights of either kind, as a new set. */
    Heights all() {
      return new Heights().addAll(fresh).addAll(again);
    }

    /**
     * Removes a range.
     *
     * @param from the first height
     * @param to the last height
     */
    public void remove(int from, int to) {
      fresh.remove(from, to);
      again.remove(from, to);
    }

    /**
     * Removes some heights.
     *
     * @param heights the heights
     */
    public void removeAll(Heights heights) {
      fresh.removeAll(heights);
      again.removeAll(heights);
    }

    /**
     * Keeps only some heights.
     *
     * @param heights the heights
     */
    public void retainAll(Heights heights) {
      fresh.retainAll(heights);
      again.retainAll(heights);
    }
  }

  private static final long NEVER = Long.MAX_VALUE;

  private final List<Element> log;
  private final int birthday;
  private final boolean epochsOnly;
  // The last script, or the last one of every epoch if filters hold epochs: a filter with these has
  // all scripts.
  private final List<Integer> deciding;
  // Spans of the loads with UPDATE_ALL, by the load's number here.
  private final List<List<Span>> adding = new ArrayList<>();
  // Stretch s begins at starts[s] and ends before starts[s + 1]; the first one begins at zero.
  private final int[] starts;
  // The spans over every stretch, grouped by peer.
  private final List<List<Numbered>> over;

  /** A span, with small numbers for its peer and its load; the load's is -1 if it adds nothing. */
  private record Numbered(Span span, int peer, int load) {}

  /**
   * Makes a coverage.
   *
   * @param log the element log
   * @param birthday the height of the wallet's birthday
   * @param spans all spans served or promised, in any order
   */
  public Coverage(List<Element> log, int birthday, List<Span> spans) {
    this(log, birthday, spans, false);
  }

  /**
   * Makes a coverage.
   *
   * @param log the element log
   * @param birthday the height of the wallet's birthday
   * @param spans all spans served or promised, in any order
   * @param epochsOnly whether only elements of epochs are needed: no outpoint whose spend is
   *     confirmed, since that was found otherwise, and none that no block has paid yet
   */
  public Coverage(List<Element> log, int birthday, List<Span> spans, boolean epochsOnly) {
    this.log = log;
    this.birthday = birthday;
    this.epochsOnly = epochsOnly;
    boolean prefixes = spans.stream().allMatch(span -> span.content() instanceof Content.Prefix);
    this.deciding = prefixes ? lastScript(log) : lastScripts(log);
    this.starts = starts(spans);
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

  /** Gives peers and loads small numbers; returns the spans ordered by peer. */
  private List<Numbered> number(List<Span> spans) {
    Map<PeerAddress, Integer> peers = new HashMap<>();
    Map<Long, Integer> loads = new HashMap<>();
    List<Numbered> numbered = new ArrayList<>(spans.size());
    for (Span span : spans) {
      int peer = peers.computeIfAbsent(span.peer(), address -> peers.size());
      int load = -1;
      if (span.updateAll()) {
        load = loads.computeIfAbsent(span.load(), id -> loads.size());
        if (load == adding.size()) {
          adding.add(new ArrayList<>());
        }
        adding.get(load).add(span);
      }
      numbered.add(new Numbered(span, peer, load));
    }
    numbered.sort(Comparator.comparingInt(Numbered::peer));
    return numbered;
  }

  /** The stretch of a height. */
  private int stretch(int height) {
    int found = Arrays.binarySearch(starts, height);
    return found >= 0 ? found : -found - 2;
  }

  /**
   * Returns where the scan for scripts begins.
   *
   * @return the height of the wallet's birthday
   */
  public int birthday() {
    return birthday;
  }

  /**
   * Returns the heights where at least one element is uncovered.
   *
   * @param tip the highest block
   * @return empty if everything is covered to the tip
   */
  public Heights uncovered(int tip) {
    return uncovered(tip, 1);
  }

  /**
   * Returns the heights where too few peers scanned for at least one element.
   *
   * @param tip the highest block
   * @param peers how many different peers are needed, at least 1
   * @return empty if everything is covered to the tip by so many
   */
  public Heights uncovered(int tip, int peers) {
    return needs(tip, peers, null).all();
  }

  /**
   * Returns the height up to which everything is covered.
   *
   * @param tip the highest block
   * @return the tip, or the height before the first hole
   */
  public int completeTo(int tip) {
    Heights uncovered = uncovered(tip);
    return uncovered.isEmpty() ? tip : uncovered.first() - 1;
  }

  /**
   * Returns the heights where at least one of some elements is uncovered.
   *
   * @param indexes the elements' indexes in the log; of the scripts of an epoch one is enough
   * @param tip the highest block
   * @return empty if they are covered up to the tip
   */
  public Heights uncovered(Iterable<Integer> indexes, int tip) {
    Heights missing = new Heights();
    Search search = new Search(missing, tip, 1, null, prefixesSeenByEnough(1));
    indexes.forEach(search::look);
    search.finish();
    return missing;
  }

  /**
   * Returns the heights to request until enough peers have scanned them.
   *
   * @param tip the highest block
   * @param peers how many different peers are needed, at least 1
   * @param asked the peer to ask, which is not asked again for blocks that it served; null for any
   * @return a new value
   */
  public Needs needs(int tip, int peers, @Nullable PeerAddress asked) {
    Needs needs = new Needs(new Heights(), new Heights());
    int[] enough = prefixesSeenByEnough(peers);
    Search fresh = new Search(needs.fresh(), tip, peers, asked, enough);
    deciding.forEach(fresh::look);
    fresh.finish();
    Search again = new Search(needs.again(), tip, peers, asked, enough);
    for (int i = 0; i < log.size(); i++) {
      if (!(log.get(i) instanceof Element.Script)) {
        again.look(i);
      }
    }
    again.finish();
    needs.again().removeAll(needs.fresh());
    return needs;
  }

  /**
   * Returns whether a filter would match an element in a block served next in its load.
   *
   * @param index the element's index in the log
   * @param load the filter's load
   * @param elements how many elements of the log it holds
   * @return true if the element is in it, or the server added it
   */
  public boolean holds(int index, long load, int elements) {
    if (index < elements) {
      return true;
    }
    if (log.get(index) instanceof OwnOutPoint coin) {
      for (List<Span> spans : adding) {
        if (spans.get(0).load() == load) {
          return orderOfBirth(spans, coin) != NEVER;
        }
      }
    }
    return false;
  }

  /** When, in a load, the server saw a payment to a coin whose script it matched. */
  private static long orderOfBirth(List<Span> load, OwnOutPoint coin) {
    long first = NEVER;
    for (Span span : load) {
      if (span.content().holds(coin.script())
          && span.from() <= coin.birth()
          && coin.birth() <= span.to()) {
        first = Math.min(first, span.order());
      }
    }
    return first;
  }

  /** The length of the log's prefix that enough peers scanned for, for every stretch. */
  private int[] prefixesSeenByEnough(int peers) {
    int[] enough = new int[starts.length];
    for (int s = 0; s < starts.length; s++) {
      enough[s] = peers == 1 ? longestPrefix(over.get(s)) : prefixSeenByEnough(over.get(s), peers);
    }
    return enough;
  }

  private static int longestPrefix(List<Numbered> spans) {
    int longest = 0;
    for (Numbered numbered : spans) {
      longest = Math.max(longest, numbered.span().prefix());
    }
    return longest;
  }

  private static int prefixSeenByEnough(List<Numbered> spans, int peers) {
    List<Integer> prefixes = new ArrayList<>();
    int peer = -1;
    for (Numbered numbered : spans) {
      int elements = numbered.span().prefix();
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

  /** Collects the heights where too few peers scanned for one of some elements. */
  private final class Search {

    private final Heights missing;
    private final int tip;
    private final int peers;
    private final @Nullable PeerAddress asked;
    // The length of the log's prefix that enough peers scanned for, for every stretch.
    private final int[] enough;
    // Stretches that are missing completely.
    private final boolean[] whole = new boolean[starts.length];
    // The current element's birth in every load, and the element it was computed for.
    private final long[] born = new long[adding.size()];
    private final int[] bornOf = new int[adding.size()];

    Search(Heights missing, int tip, int peers, @Nullable PeerAddress asked, int[] enough) {
      this.missing = missing;
      this.tip = tip;
      this.peers = peers;
      this.asked = asked;
      this.enough = enough;
      Arrays.fill(bornOf, -1);
    }

    void look(int index) {
      Element element = log.get(index);
      int birth = Math.max(0, element.birth() == Element.AT_BIRTHDAY ? birthday : element.birth());
      int last = Math.min(tip, element.end());
      if (last < birth || (epochsOnly && !element.isForEpochs())) {
        return;
      }
      for (int s = stretch(birth); s < starts.length && starts[s] <= last; s++) {
        if (enough[s] > index || whole[s] || isSeen(index, element, s)) {
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

    /** Whether enough peers scanned for an element in a stretch, or the peer to ask did. */
    private boolean isSeen(int index, Element element, int s) {
      int count = 0;
      int counted = -1;
      for (Numbered numbered : over.get(s)) {
        if (numbered.peer() == counted || !covers(numbered, index, element)) {
          continue;
        }
        counted = numbered.peer();
        count++;
        if (count == peers || numbered.span().peer().equals(asked)) {
          return true;
        }
      }
      return false;
    }

    private boolean covers(Numbered numbered, int index, Element element) {
      Span span = numbered.span();
      if (span.content().holds(index)) {
        return true;
      }
      if (numbered.load() < 0 || !(element instanceof OwnOutPoint coin)) {
        return false;
      }
      if (bornOf[numbered.load()] != index) {
        bornOf[numbered.load()] = index;
        born[numbered.load()] = orderOfBirth(adding.get(numbered.load()), coin);
      }
      return span.order() >= born[numbered.load()];
    }
  }
}
