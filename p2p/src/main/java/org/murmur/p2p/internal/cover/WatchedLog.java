package org.murmur.p2p.internal.cover;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;

/** The machine's element log: append-only data, with births and ends that may change. */
public final class WatchedLog {

  private final List<Element> elements;
  // The first place of each element's data, filled on first use.
  private @Nullable Map<Bytes, Integer> places;
  private int lastScript = -1;
  private int coinsAdded;
  private int changes;

  public WatchedLog(List<Element> elements) {
    this.elements = new ArrayList<>(elements);
    noteScripts(0);
  }

  /**
   * Appends elements.
   *
   * @throws IllegalArgumentException if the log does not end before that index
   */
  public void append(int from, List<Element> added) {
    if (from != elements.size()) {
      throw new IllegalArgumentException(
          "elements from " + from + ", expected from " + elements.size());
    }
    elements.addAll(added);
    changes++;
    for (Element element : added) {
      coinsAdded += element instanceof Element.OwnOutPoint ? 1 : 0;
    }
    if (places != null) {
      addTo(places, from);
    }
    noteScripts(from);
  }

  /**
   * Replaces an element whose birth or end has changed.
   *
   * @throws IllegalArgumentException if the data differs
   */
  public void replace(int index, Element element) {
    if (!elements.get(index).data().equals(element.data())) {
      throw new IllegalArgumentException("element " + index + " changed its data");
    }
    elements.set(index, element);
    changes++;
  }

  /** {@return how many elements there are, 0 or more} */
  public int size() {
    return elements.size();
  }

  /** A number that grows whenever an element is appended or replaced. */
  public int changes() {
    return changes;
  }

  /** Returns how many own outpoints were appended. */
  public int coinsAdded() {
    return coinsAdded;
  }

  public Element get(int index) {
    return elements.get(index);
  }

  /** Returns whether an element is in the log, whatever its birth and end. */
  public boolean contains(Bytes element) {
    return places().containsKey(element);
  }

  /**
   * Returns where an element is in the log.
   *
   * @return the first place of it, or -1 if it is not there
   */
  public int indexOf(Bytes element) {
    return places().getOrDefault(element, -1);
  }

  /**
   * {@return the index of the last script, which decides what all scripts still need; the index, or
   * -1 if there is none}
   */
  public int lastScript() {
    return lastScript;
  }

  /** {@return the elements, a read-only view that follows changes} */
  public List<Element> view() {
    return Collections.unmodifiableList(elements);
  }

  private Map<Bytes, Integer> places() {
    Map<Bytes, Integer> known = places;
    if (known == null) {
      known = new HashMap<>(2 * elements.size());
      addTo(known, 0);
      places = known;
    }
    return known;
  }

  private void addTo(Map<Bytes, Integer> some, int from) {
    for (int i = from; i < elements.size(); i++) {
      some.putIfAbsent(elements.get(i).data(), i);
    }
  }

  private void noteScripts(int from) {
    for (int i = elements.size() - 1; i >= from; i--) {
      if (elements.get(i) instanceof Element.Script) {
        lastScript = i;
        return;
      }
    }
  }
}
