package org.murmur.wallet.disclosure;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.murmur.wallet.ledger.Effect;

/**
 * Finds the wallet's scripts that the chain links: those spent together, and the change that came
 * back. Observers have to guess which output is the change; they are assumed to guess right.
 */
final class LinkedScripts {

  private final Map<Integer, Integer> parents = new HashMap<>();

  private LinkedScripts() {}

  /**
   * Finds them.
   *
   * @param effects the effects of the wallet's transactions
   * @return groups of two and more, by index in the element log
   */
  static List<BitSet> of(Collection<Effect> effects) {
    LinkedScripts links = new LinkedScripts();
    for (Effect effect : effects) {
      if (!effect.spent().isEmpty()) {
        int first = effect.spent().get(0).script();
        effect.spent().forEach(part -> links.join(first, part.script()));
        effect.received().forEach(part -> links.join(first, part.script()));
      }
    }
    return links.groups();
  }

  private void join(int one, int other) {
    parents.put(root(one), root(other));
  }

  private int root(int script) {
    int at = script;
    int parent = parents.getOrDefault(at, at);
    while (parent != at) {
      at = parent;
      parent = parents.getOrDefault(at, at);
    }
    parents.put(script, at);
    return at;
  }

  private List<BitSet> groups() {
    Map<Integer, BitSet> groups = new HashMap<>();
    for (int script : List.copyOf(parents.keySet())) {
      groups.computeIfAbsent(root(script), r -> new BitSet()).set(script);
    }
    List<BitSet> several = new ArrayList<>();
    for (BitSet group : groups.values()) {
      if (group.cardinality() > 1) {
        several.add(group);
      }
    }
    return several;
  }
}
