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
 * Which elements were looked for in which blocks, and by whom: the covering problem that a sync is.
 *
 * <p>An element with birth b must be covered on [b, its end or the tip]. A span (blocks served by
 * one peer under one load) covers element i if the filter's content holds it. If the load has
 * {@code UPDATE_ALL} it also covers an own outpoint from the block that paid it on, if that block
 * was served in the same load, not later, with the outpoint's script in the filter: the server then
 * added the outpoint itself. Nothing else counts. To be sure is to cover the same by more than one
 * peer: then an element is covered at a height only if spans of that many different peers cover it
 * there.
 *
 * <p>Three observations keep it cheap. All scripts share one birth, and every filter holds either a
 * prefix of the log or whole epochs, so the last script of each epoch decides for all. Every span
 * knows when it was asked for in its load, so "not later" is a comparison of orders. And between
 * two heights where a span begins or ends nothing changes, so heights are looked at by the stretch.
 *
 * <p>Pure: a value built from a log and spans, asked and thrown away.
 */
public final class Coverage {

  /**
   * Consecutive blocks served, or promised, under one load.
   *
   * @param peer who served them
   * @param load the load's id; a load is on one connection, so it has one peer
   * @param order a number that grows with the order in which spans of this load were asked for
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

    /** How many of the first elements of the log the filter held, all of them. */
    int prefix() {
      return content instanceof Content.Prefix prefix ? prefix.size() : 0;
    }
  }

  /**
   * What is still to be asked for.
   *
   * @param fresh heights at which scripts have to be looked for
   * @param again heights at which only outpoints have: most of these blocks were looked at before
   */
  public record Needs(Heights fresh, Heights again) {

    /**
     * Returns whether nothing is left to ask for.
     *
     * @return true if both are empty
     */
    public boolean isEmpty() {
      return fresh.isEmpty() && again.isEmpty();
    }

    /**
     * Returns how many blocks are left to ask for.
     *
     * @return a number of heights
     */
    public long count() {
      return fresh.count() + again.count();
    }

    /** Heights of either kind, as a set of its own. */
    Heights all() {
      return new Heights().addAll(fresh).addAll(again);
    }

    /**
     * Takes out a range.
     *
     * @param from the first height
     * @param to the last height
     */
    public void remove(int from, int to) {
      fresh.remove(from, to);
      again.remove(from, to);
    }

    /**
     * Takes out some heights.
     *
     * @param heights which
     */
    public void removeAll(Heights heights) {
      fresh.removeAll(heights);
      again.removeAll(heights);
    }

    /**
     * Keeps only some heights.
     *
     * @param heights which
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
  // The last script, or the last one of every epoch where a filter holds epochs: who has them has
  // all.
  private final List<Integer> deciding;
  // Spans of the loads with UPDATE_ALL, by the load's number here.
  private final List<List<Span>> adding = new ArrayList<>();
  // Stretch s begins at starts[s] and ends before starts[s + 1]; the first one begins at zero.
  private final int[] starts;
  // The spans over every stretch, those of one peer side by side.
  private final List<List<Numbered>> over;

  /** A span, with its peer and its load as small numbers; the load's is -1 if it adds nothing. */
  private record Numbered(Span span, int peer, int load) {}

  /**
   * Makes it.
   *
   * @param log the element log
   * @param birthday the height of the wallet's birthday
   * @param spans all that was served, or is promised, in any order
   */
  public Coverage(List<Element> log, int birthday, List<Span> spans) {
    this(log, birthday, spans, false);
  }

  /**
   * Makes it.
   *
   * @param log the element log
   * @param birthday the height of the wallet's birthday
   * @param spans all that was served, or is promised, in any order
   * @param epochsOnly whether only what epochs look for need have been looked for: not an outpoint
   *     whose spend is confirmed, which was found otherwise, nor one that no block paid yet
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

  /** The stretch that a height lies in. */
  private int stretch(int height) {
    int found = Arrays.binarySearch(starts, height);
    return found >= 0 ? found : -found - 2;
  }

  /**
   * Returns where looking for scripts begins.
   *
   * @return the height of the wallet's birthday
   */
  public int birthday() {
    return birthday;
  }

  /**
   * Returns the heights that at least one element still has to be looked for at.
   *
   * @param tip the highest block
   * @return empty if everything is covered to the tip
   */
  public Heights uncovered(int tip) {
    return uncovered(tip, 1);
  }

  /**
   * Returns the heights that at least one element was looked for at by too few peers.
   *
   * @param tip the highest block
   * @param peers how many different peers have to have looked, at least 1
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
   * Returns the heights that one of some elements still has to be looked for at.
   *
   * @param indexes the elements' indexes in the log; of the scripts of an epoch one is enough
   * @param tip the highest block
   * @return empty if they were looked for up to the tip
   */
  public Heights uncovered(Iterable<Integer> indexes, int tip) {
    Heights missing = new Heights();
    Search search = new Search(missing, tip, 1, null, prefixesSeenByEnough(1));
    indexes.forEach(search::look);
    search.finish();
    return missing;
  }

  /**
   * Returns what has to be asked for until so many peers have looked.
   *
   * @param tip the highest block
   * @param peers how many different peers have to have looked, at least 1
   * @param asked the peer to ask, which is not asked again for what it served; null for any
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
   * Returns whether a filter looks for an element at a height, were it served next in its load.
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

  /** When, in a load, the server saw a coin being paid to a script it looked for. */
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

  /** How many first elements of the log were looked for by so many peers, for every stretch. */
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

  /** Collects the heights at which too few peers looked for one of some elements. */
  private final class Search {

    private final Heights missing;
    private final int tip;
    private final int peers;
    private final @Nullable PeerAddress asked;
    // So many first elements of the log were looked for by enough peers, for every stretch.
    private final int[] enough;
    // Stretches that are missing from end to end.
    private final boolean[] whole = new boolean[starts.length];
    // When the element at hand was born in every load, and for which element that was found out.
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

    /** Whether enough peers looked for an element in a stretch, or the one to be asked did. */
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
