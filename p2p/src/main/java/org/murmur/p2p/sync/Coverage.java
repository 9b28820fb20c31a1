package org.murmur.p2p.sync;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which elements were looked for in which blocks: the covering problem that a sync is.
 *
 * <p>An element with birth b must be covered on [b, its end or the tip]. A span (blocks served by
 * one peer under one load with the first n elements of the log) covers element i if n &gt; i. If
 * the load has {@code UPDATE_ALL} it also covers an own outpoint from the block that paid it on, if
 * that block was served in the same load, not later, with the outpoint's script in the filter: the
 * server then added the outpoint itself. Nothing else counts.
 *
 * <p>Two observations keep it cheap. All scripts share one birth and every filter holds a prefix of
 * the log, so the last script decides for all. And every span knows when it was asked for in its
 * load, so "not later" is a comparison of orders.
 *
 * <p>Pure: a value built from a log and spans, asked and thrown away.
 */
public final class Coverage {

  /**
   * Consecutive blocks served, or promised, under one load.
   *
   * @param load the load's id
   * @param order a number that grows with the order in which spans of this load were asked for
   * @param updateAll whether the server adds outpoints
   * @param elements how many elements of the log the filter held
   * @param from the first height
   * @param to the last height
   */
  public record Span(long load, long order, boolean updateAll, int elements, int from, int to) {}

  private static final long NEVER = Long.MAX_VALUE;

  private final List<Element> log;
  private final int birthday;
  private final Map<Long, List<Span>> loads = new HashMap<>();
  // All spans by their first height, for sweeping.
  private final List<Span> ascending;
  private final int lastScript;

  /**
   * Makes it.
   *
   * @param log the element log
   * @param birthday the height of the wallet's birthday
   * @param spans all that was served, or is promised, in any order
   */
  public Coverage(List<Element> log, int birthday, List<Span> spans) {
    this.log = log;
    this.birthday = birthday;
    this.ascending = new ArrayList<>(spans);
    this.ascending.sort(Comparator.comparingInt(Span::from));
    for (Span span : spans) {
      loads.computeIfAbsent(span.load(), id -> new ArrayList<>()).add(span);
    }
    int last = log.size() - 1;
    while (last >= 0 && !(log.get(last) instanceof Element.Script)) {
      last--;
    }
    this.lastScript = last;
  }

  /**
   * Returns the same with one span more.
   *
   * @param span what was served, or is promised, besides
   * @return a new coverage
   */
  public Coverage with(Span span) {
    List<Span> spans = new ArrayList<>(ascending);
    spans.add(span);
    return new Coverage(log, birthday, spans);
  }

  /**
   * Returns the heights that at least one element still has to be looked for at.
   *
   * @param tip the highest block
   * @return empty if everything is covered to the tip
   */
  public Heights uncovered(int tip) {
    Heights uncovered = new Heights();
    if (lastScript >= 0) {
      addUncovered(uncovered, lastScript, log.get(lastScript), tip);
    }
    for (int i = 0; i < log.size(); i++) {
      Element element = log.get(i);
      if (!(element instanceof Element.Script)) {
        addUncovered(uncovered, i, element, tip);
      }
    }
    return uncovered;
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
    return log.get(index) instanceof Element.OwnOutPoint coin && orderOfBirth(load, coin) != NEVER;
  }

  /** Adds to a set the heights at which one element still has to be looked for. */
  private void addUncovered(Heights uncovered, int index, Element element, int tip) {
    int birth = element.birth() == Element.AT_BIRTHDAY ? birthday : element.birth();
    int last = Math.min(tip, element.end());
    int next = birth;
    Map<Long, Long> births = null;
    for (Span span : ascending) {
      if (next > last) {
        return;
      }
      if (span.to() < next) {
        continue;
      }
      if (span.from() > last) {
        break;
      }
      if (span.elements() <= index) {
        if (!span.updateAll() || !(element instanceof Element.OwnOutPoint coin)) {
          continue;
        }
        if (births == null) {
          births = new HashMap<>();
        }
        long born = births.computeIfAbsent(span.load(), load -> orderOfBirth(load, coin));
        if (span.order() < born) {
          continue;
        }
      }
      if (span.from() > next) {
        uncovered.add(next, span.from() - 1);
      }
      next = Math.max(next, span.to() + 1);
    }
    uncovered.add(next, last);
  }

  /** When, in a load, the server saw a coin being paid to a script it looked for. */
  private long orderOfBirth(long load, Element.OwnOutPoint coin) {
    long first = NEVER;
    for (Span span : loads.getOrDefault(load, List.of())) {
      if (span.updateAll()
          && span.elements() > coin.script()
          && span.from() <= coin.birth()
          && coin.birth() <= span.to()) {
        first = Math.min(first, span.order());
      }
    }
    return first;
  }
}
