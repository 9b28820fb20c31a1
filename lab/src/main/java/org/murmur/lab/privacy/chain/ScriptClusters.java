package org.murmur.lab.privacy.chain;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Scripts that spending has linked: a union-find over scripts that were inputs of one transaction,
 * and optionally over change found by a heuristic.
 *
 * <p>For one thread during construction, then immutable and safe to share.
 */
public final class ScriptClusters {

  private final int[] parent;
  private final int[] size;

  /** The scripts ordered by cluster, and by cluster number the start of its scripts. */
  private final int[] members;

  private final int[] first;
  private int[] bySize = {};

  private ScriptClusters(int scripts) {
    parent = new int[scripts];
    size = new int[scripts];
    members = new int[scripts];
    first = new int[scripts];
    for (int i = 0; i < scripts; i++) {
      parent[i] = i;
      size[i] = 1;
    }
  }

  /**
   * Links the scripts that were spent together up to a height, inclusive: a signer of two inputs
   * has both keys. With {@code shadow} it also links change: the only output of a transaction to a
   * new script, if all others go to known scripts (the shadow heuristic).
   */
  public static ScriptClusters of(SyntheticChain chain, int height, boolean shadow) {
    ScriptClusters clusters = new ScriptClusters(chain.scripts());
    int end = chain.firstTx(height + 1);
    for (int tx = chain.firstTx(1); tx < end; tx++) {
      int first = chain.firstInput(tx);
      int last = chain.firstInput(tx + 1);
      if (first == last) {
        continue;
      }
      int payer = chain.scriptOf(chain.spent(first));
      for (int input = first + 1; input < last; input++) {
        clusters.join(payer, chain.scriptOf(chain.spent(input)));
      }
      int change = shadow ? freshAmongKnown(chain, tx) : -1;
      if (change >= 0) {
        clusters.join(payer, change);
      }
    }
    clusters.flatten();
    return clusters;
  }

  /** Points every script directly at its cluster's number, so that reads change nothing. */
  private void flatten() {
    int begin = 0;
    int largest = 0;
    for (int script = 0; script < parent.length; script++) {
      parent[script] = root(script);
      if (parent[script] == script) {
        first[script] = begin;
        begin += size[script];
        largest = Math.max(largest, size[script]);
      }
    }
    bySize = new int[largest + 1];
    int[] filled = first.clone();
    for (int script = 0; script < parent.length; script++) {
      members[filled[parent[script]]++] = script;
      bySize[size[script]] += parent[script] == script ? 1 : 0;
    }
  }

  private static int freshAmongKnown(SyntheticChain chain, int tx) {
    int first = chain.firstCoin(tx);
    int end = chain.firstCoin(tx + 1);
    int fresh = -1;
    for (int coin = first; coin < end; coin++) {
      int script = chain.scriptOf(coin);
      if (chain.firstCoinOf(script) >= first) {
        if (fresh >= 0) {
          return -1;
        }
        fresh = script;
      }
    }
    return end - first < 2 ? -1 : fresh;
  }

  private void join(int one, int other) {
    int a = root(one);
    int b = root(other);
    if (a == b) {
      return;
    }
    boolean under = size[a] < size[b];
    int root = under ? b : a;
    int child = under ? a : b;
    parent[child] = root;
    size[root] += size[child];
  }

  /** The cluster of a script: the number of one of its scripts. */
  public int of(int script) {
    return parent[script];
  }

  private int root(int script) {
    int at = script;
    while (parent[at] != at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  }

  /** Passes all scripts of a cluster, ascending, to the consumer. */
  public void forEach(int cluster, IntConsumer taker) {
    for (int i = first[cluster]; i < first[cluster] + size[cluster]; i++) {
      taker.accept(members[i]);
    }
  }

  /** The number of scripts in the cluster of a script, itself included. */
  public int sizeOf(int script) {
    return size[of(script)];
  }

  /** For each size up to a limit: the number of clusters of exactly that size. */
  public int[] counts(int limit) {
    return Arrays.copyOf(bySize, limit + 1);
  }
}
