package org.murmur.p2p.sync;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.murmur.bip37.bytes.Bytes;

/** The element log as the machine holds it: append-only data, births and ends that may move. */
final class WatchedLog {

  private final List<Element> elements;
  private final Set<Bytes> data = new HashSet<>();
  private int lastScript = -1;
  private int coinsAdded;

  WatchedLog(List<Element> elements) {
    this.elements = new ArrayList<>(elements);
    note(0);
  }

  /** Takes a change in. */
  void apply(Input.WatchSetChanged change) {
    if (change.from() != elements.size()) {
      throw new IllegalArgumentException(
          "elements from " + change.from() + ", expected from " + elements.size());
    }
    for (Input.Replacement replacement : change.replaced()) {
      if (!elements.get(replacement.index()).data().equals(replacement.element().data())) {
        throw new IllegalArgumentException("element " + replacement.index() + " changed its data");
      }
      elements.set(replacement.index(), replacement.element());
    }
    elements.addAll(change.added());
    for (Element element : change.added()) {
      coinsAdded += element instanceof Element.OwnOutPoint ? 1 : 0;
    }
    note(change.from());
  }

  int size() {
    return elements.size();
  }

  /** How many own outpoints turned up in this session. */
  int coinsAdded() {
    return coinsAdded;
  }

  Element get(int index) {
    return elements.get(index);
  }

  /** Whether an element is in the log, whatever its birth and end. */
  boolean contains(Bytes element) {
    return data.contains(element);
  }

  /** The index of the last script, or -1: it decides what all scripts still need. */
  int lastScript() {
    return lastScript;
  }

  /** A read-only view that follows changes. */
  List<Element> view() {
    return Collections.unmodifiableList(elements);
  }

  private void note(int from) {
    for (int i = from; i < elements.size(); i++) {
      data.add(elements.get(i).data());
      if (elements.get(i) instanceof Element.Script) {
        lastScript = i;
      }
    }
  }
}
