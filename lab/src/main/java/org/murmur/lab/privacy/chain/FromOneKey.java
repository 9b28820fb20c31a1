package org.murmur.lab.privacy.chain;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The mean result of a search from one key of a wallet, over its keys and then over wallets: the
 * share of the wallet's scripts that is found, and the share of the found scripts that is the
 * wallet's.
 */
public record FromOneKey(double recall, double precision) {

  public static FromOneKey of(SyntheticChain chain, @Nullable ScriptClusters linked) {
    int users = chain.plan().users();
    long[] size = new long[users];
    for (int script = 0; script < chain.scripts(); script++) {
      size[chain.owner(script)]++;
    }
    int[] common = new int[chain.scripts()];
    long[] key = new long[chain.scripts()];
    if (linked != null) {
      countOwners(chain, linked, key, common);
    }
    double[] recall = new double[users];
    double[] precision = new double[users];
    for (int script = 0; script < chain.scripts(); script++) {
      int user = chain.owner(script);
      recall[user] += (linked == null ? 1.0 : common[script]) / size[user];
      precision[user] += linked == null ? 1 : common[script] / (double) linked.sizeOf(script);
    }
    double recalls = 0;
    double precisions = 0;
    int wallets = 0;
    for (int user = 0; user < users; user++) {
      if (size[user] > 0) {
        wallets++;
        recalls += recall[user] / size[user];
        precisions += precision[user] / size[user];
      }
    }
    return new FromOneKey(recalls / wallets, precisions / wallets);
  }

  /** By script: the number of scripts in its cluster with the same owner. */
  private static void countOwners(
      SyntheticChain chain, ScriptClusters linked, long[] key, int[] common) {
    for (int script = 0; script < key.length; script++) {
      key[script] = ((long) linked.of(script) << 32) | chain.owner(script);
    }
    long[] sorted = key.clone();
    Arrays.sort(sorted);
    for (int script = 0; script < key.length; script++) {
      common[script] = upper(sorted, key[script]) - upper(sorted, key[script] - 1);
    }
  }

  /** The number of entries that are not above a value. */
  private static int upper(long[] sorted, long value) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] <= value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
