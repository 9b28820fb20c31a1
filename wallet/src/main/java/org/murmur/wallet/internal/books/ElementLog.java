package org.murmur.wallet.internal.books;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.Ledger;
import org.murmur.wallet.internal.ledger.LedgerChange.Watch;
import org.murmur.wallet.internal.store.LoggedOutPoint;
import org.murmur.wallet.internal.store.ScriptRun;

/**
 * The append-only log of everything that peers are asked to look for, in memory. It collects
 * additions and replacements until they are taken for writing.
 */
final class ElementLog {

  /**
   * Maximum number of unvouched outpoints in the log: inputs of foreign payments, and own outputs
   * of unconfirmed transactions. They can be invented for nothing, and an element stays in the log
   * and in every filter. So an accepted one counts for ever, even after its payment is gone or
   * replaced: an attacker who knows which outpoints others are about to spend can use these for
   * nothing, too. This is a small part of the 6,700 elements that a filter's 36,000 bytes hold at
   * the usual rate.
   *
   * <p>An omitted outpoint is not lost. An own output is added when a block holds its transaction,
   * as if it had never been pending. A foreign spend of an omitted input is not seen, so the
   * payment is found missing in peers' memory pools instead of replaced.
   */
  static final int MAX_UNVOUCHED = 1_000;

  /**
   * This many more for every coin that a block really paid, so that the limit grows with a busy
   * wallet: a payment has about two inputs.
   */
  static final int UNVOUCHED_FOR_A_COIN = 2;

  private final ScriptEpochs epochs;
  private final List<Element> elements = new ArrayList<>();
  // Places of outpoints, filled on first use.
  private @Nullable Map<OutPoint, Integer> places;

  private int coins;
  private int unvouched;
  private int changedFrom;
  private final List<ScriptRun> newScripts = new ArrayList<>();
  private final Map<Integer, Element> replaced = new LinkedHashMap<>();

  ElementLog(List<ScriptRun> scripts, List<LoggedOutPoint> logged, ScriptEpochs epochs) {
    this.epochs = epochs;
    int nextRun = 0;
    int nextOutPoint = 0;
    while (nextRun < scripts.size() || nextOutPoint < logged.size()) {
      int index = elements.size();
      if (nextRun < scripts.size() && scripts.get(nextRun).first() == index) {
        appendScripts(scripts.get(nextRun++));
      } else if (nextOutPoint < logged.size() && logged.get(nextOutPoint).index() == index) {
        append(element(logged.get(nextOutPoint++)));
      } else {
        throw new IllegalArgumentException("element " + index + " is missing");
      }
    }
    changedFrom = elements.size();
  }

  private static Element element(LoggedOutPoint o) {
    return o.script() < 0
        ? new Element.PendingInput(o.outPoint(), o.birth(), o.end())
        : new Element.OwnOutPoint(o.outPoint(), o.script(), o.birth(), o.end(), o.mined());
  }

  private static boolean isConfirmed(OutPoint outPoint, Ledger ledger) {
    Fact fact = ledger.fact(outPoint.txid());
    return fact != null && fact.confirmation() != null;
  }

  int size() {
    return elements.size();
  }

  List<Element> elements() {
    return Collections.unmodifiableList(elements);
  }

  int indexOf(OutPoint outPoint) {
    return places().getOrDefault(outPoint, -1);
  }

  private Map<OutPoint, Integer> places() {
    Map<OutPoint, Integer> known = places;
    if (known == null) {
      known = new HashMap<>(2 * elements.size());
      for (int i = 0; i < elements.size(); i++) {
        if (!(elements.get(i) instanceof Element.Script)) {
          known.put(outPoint(elements.get(i)), i);
        }
      }
      places = known;
    }
    return known;
  }

  private void appendScripts(ScriptRun run) {
    int child = run.child();
    for (Bytes element : run.elements()) {
      elements.add(new Element.Script(element, epochs.of(run.chain(), child)));
      child++;
    }
  }

  private void append(Element element) {
    if (places != null) {
      places.put(outPoint(element), elements.size());
    }
    elements.add(element);
    count(element, 1);
  }

  private void count(Element element, int more) {
    if (isCoin(element)) {
      coins += more;
    } else {
      unvouched += more;
    }
  }

  private static boolean isCoin(Element element) {
    return element instanceof Element.OwnOutPoint own && own.confirmed();
  }

  /** Whether there is no room for unvouched outpoints. */
  boolean isFull() {
    return unvouched >= MAX_UNVOUCHED + (long) UNVOUCHED_FOR_A_COIN * coins;
  }

  private boolean hasRoom(Element element) {
    return isCoin(element) || !isFull();
  }

  private static OutPoint outPoint(Element element) {
    if (element instanceof Element.OwnOutPoint own) {
      return own.outPoint();
    }
    return ((Element.PendingInput) element).outPoint();
  }

  /** Appends a run that begins at the log's end. */
  void add(ScriptRun run) {
    if (run.first() != elements.size()) {
      throw new IllegalArgumentException(
          "scripts from " + run.first() + ", expected from " + elements.size());
    }
    appendScripts(run);
    newScripts.add(run);
  }

  /** Records the state of an outpoint, if it is new and there is room for it. */
  void update(Watch watch, Ledger ledger) {
    Element element =
        watch.own()
            ? new Element.OwnOutPoint(
                watch.outPoint(),
                watch.script(),
                watch.birth(),
                watch.end(),
                isConfirmed(watch.outPoint(), ledger))
            : new Element.PendingInput(watch.outPoint(), watch.birth(), watch.end());
    int index = indexOf(watch.outPoint());
    if (index < 0) {
      if (hasRoom(element)) {
        append(element);
      }
    } else if (!elements.get(index).equals(element)) {
      count(elements.set(index, element), -1);
      count(element, 1);
      if (index < changedFrom) {
        replaced.put(index, element);
      }
    }
  }

  /** The changes since the last call. */
  record Change(
      int from,
      List<Element> added,
      List<Input.Replacement> replaced,
      List<ScriptRun> scripts,
      List<LoggedOutPoint> outPoints) {

    boolean isEmpty() {
      return added.isEmpty() && replaced.isEmpty();
    }
  }

  Change take() {
    List<Element> added = List.copyOf(elements.subList(changedFrom, elements.size()));
    List<Input.Replacement> replacements = new ArrayList<>();
    List<LoggedOutPoint> written = new ArrayList<>();
    replaced.forEach(
        (index, element) -> {
          replacements.add(new Input.Replacement(index, element));
          written.add(logged(index, element));
        });
    for (int i = changedFrom; i < elements.size(); i++) {
      if (!(elements.get(i) instanceof Element.Script)) {
        written.add(logged(i, elements.get(i)));
      }
    }
    Change change = new Change(changedFrom, added, replacements, List.copyOf(newScripts), written);
    changedFrom = elements.size();
    newScripts.clear();
    replaced.clear();
    return change;
  }

  private static LoggedOutPoint logged(int index, Element element) {
    int script = element instanceof Element.OwnOutPoint own ? own.script() : -1;
    return new LoggedOutPoint(
        index, outPoint(element), script, element.birth(), element.end(), isCoin(element));
  }
}
