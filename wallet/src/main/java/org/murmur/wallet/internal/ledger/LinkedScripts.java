package org.murmur.wallet.internal.ledger;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The wallet's scripts that the chain links: those spent together, and those that the wallet pays
 * by spending, which are change. Observers have to guess which output is the change; they are
 * assumed to guess right. Immutable: a partition of the scripts, which more payments only make
 * coarser.
 */
public final class LinkedScripts {

  // A representative of each script that a payment of the wallet concerns.
  private final Map<Integer, Integer> parents;

  private LinkedScripts(Map<Integer, Integer> parents) {
    this.parents = parents;
  }

  /** Finds them, by the effects of the wallet's transactions. */
  public static LinkedScripts of(Collection<Effect> effects) {
    LinkedScripts links = new LinkedScripts(new HashMap<>());
    effects.forEach(links::join);
    return links.flat();
  }

  /** Adds a payment, by its effect on the wallet. */
  public LinkedScripts with(Effect effect) {
    LinkedScripts links = new LinkedScripts(new HashMap<>(parents));
    links.join(effect);
    return links.flat();
  }

  /**
   * Returns the number of a script in the group of a script, the same for all of the group; its own
   * if nothing links it.
   */
  public int groupOf(int script) {
    return parents.getOrDefault(script, script);
  }

  /** Returns the groups of two scripts and more, by their numbers, the largest first. */
  public List<BitSet> groups() {
    Map<Integer, BitSet> groups = new HashMap<>();
    parents.forEach((script, root) -> groups.computeIfAbsent(root, r -> new BitSet()).set(script));
    return groups.values().stream()
        .filter(group -> group.cardinality() > 1)
        .sorted(
            Comparator.comparingInt((BitSet group) -> -group.cardinality())
                .thenComparingInt(group -> group.nextSetBit(0)))
        .collect(Collectors.toList());
  }

  private void join(Effect effect) {
    if (!effect.spent().isEmpty()) {
      int first = effect.spent().get(0).script();
      effect.spent().forEach(part -> join(first, part.script()));
      effect.received().forEach(part -> join(first, part.script()));
    }
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

  private LinkedScripts flat() {
    new ArrayList<>(parents.keySet()).forEach(this::root);
    return this;
  }
}
