package org.murmur.wallet.internal.books;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.keys.DerivedScript;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.wallet.internal.store.ScriptRun;
import org.murmur.wallet.internal.store.StoredWallet;

/**
 * Derives scripts, and decides how many.
 *
 * <p>A longer look-ahead costs another pass over the chain. So it grows seldom and then by much:
 * when fewer than half of it, or fewer than the gap limit, are left unused.
 */
public final class Derivation {

  /** The largest look-ahead that used scripts cause: some seconds of a slow processor. */
  private static final int MAX_AHEAD = 20_000;

  private final KeyNetwork network;
  private final Map<String, Descriptor> descriptors = new HashMap<>();
  // By descriptor, from the first child on; null if nothing is remembered.
  private final @Nullable Map<String, List<DerivedScript>> remembered;

  /** Makes one. */
  public Derivation(KeyNetwork network) {
    this(network, null);
  }

  private Derivation(KeyNetwork network, @Nullable Map<String, List<DerivedScript>> remembered) {
    this.network = network;
    this.remembered = remembered;
  }

  /** Returns the prefixes of addresses. */
  public KeyNetwork network() {
    return network;
  }

  /**
   * Makes one that derives nothing twice and never forgets: for tests and simulations, which open
   * thousands of wallets of the same words. For one thread.
   */
  public static Derivation remembering(KeyNetwork network) {
    return new Derivation(network, new HashMap<>());
  }

  /** Derives the first runs of an element log. */
  public List<ScriptRun> begin(List<StoredWallet.Chain> chains, int gap, int lookAhead) {
    List<ScriptRun> runs = new ArrayList<>();
    int first = 0;
    for (int i = 0; i < chains.size(); i++) {
      StoredWallet.Chain chain = chains.get(i);
      int count = chain.ranged() ? Math.max(gap, lookAhead) : 1;
      ScriptRun run = run(first, i, chain.descriptor(), 0, count);
      runs.add(run);
      first += run.count();
    }
    return runs;
  }

  ScriptRun run(int first, int chain, String descriptor, int child, int count) {
    List<Bytes> elements = new ArrayList<>(count);
    List<Bytes> scripts = new ArrayList<>(count);
    List<String> addresses = new ArrayList<>(count);
    for (DerivedScript script : derived(descriptor, child, count)) {
      elements.add(script.element());
      scripts.add(script.scriptPubKey());
      addresses.add(script.address());
    }
    return new ScriptRun(first, chain, child, elements, scripts, addresses);
  }

  private List<DerivedScript> derived(String descriptor, int child, int count) {
    if (remembered == null) {
      return descriptor(descriptor).derive(child, count);
    }
    List<DerivedScript> known = remembered.computeIfAbsent(descriptor, d -> new ArrayList<>());
    int missing = child + count - known.size();
    if (missing > 0) {
      known.addAll(descriptor(descriptor).derive(known.size(), missing));
    }
    return known.subList(child, child + count);
  }

  /** Reads a stored descriptor. */
  public Descriptor descriptor(String text) {
    return descriptors.computeIfAbsent(text, t -> Descriptor.stored(t, network));
  }

  /**
   * How many more scripts a chain needs: 0, or enough for a while.
   *
   * <p>Scripts derived late are scanned for in all blocks again. So a chain with many used scripts
   * gets four times as many: a wallet that used 20,000 grows three times.
   */
  static int missing(StoredWallet wallet, int derived, int lastUsed) {
    int used = lastUsed + 1;
    int low = Math.max(wallet.gap(), wallet.lookAhead() / 2);
    if (derived - used >= low) {
      return 0;
    }
    int ahead = Math.max(wallet.lookAhead(), low + wallet.gap());
    return used + Math.max(ahead, Math.min(MAX_AHEAD, 3 * used)) - derived;
  }
}
