package org.murmur.wallet.internal.books;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.internal.cover.WholeScript;
import org.murmur.wallet.internal.ledger.OwnScripts;
import org.murmur.wallet.internal.store.ScriptRun;

/** The own scripts by their bytes and by their place in the element log. Grows, never shrinks. */
public final class ScriptBook implements OwnScripts {

  private final TreeMap<Integer, ScriptRun> runs = new TreeMap<>();
  private final Map<Bytes, Integer> numbers = new HashMap<>();
  // Further places of scripts that have several, by the number of the first.
  private final Map<Integer, List<Integer>> again = new HashMap<>();
  private final List<Integer> derived = new ArrayList<>();

  /** The origin of a script. */
  public record Place(int chain, int child, String address) {}

  ScriptBook(int chains, List<ScriptRun> runs) {
    for (int i = 0; i < chains; i++) {
      derived.add(0);
    }
    runs.forEach(this::add);
  }

  /**
   * Adds scripts after the last ones. Throws {@link IllegalArgumentException} if they do not follow
   * them, in the log and in their chain.
   */
  void add(ScriptRun run) {
    Map.Entry<Integer, ScriptRun> last = runs.lastEntry();
    boolean follows =
        (last == null || run.first() >= last.getKey() + last.getValue().count())
            && run.child() == derived.get(run.chain())
            && run.scripts().size() == run.count()
            && run.addresses().size() == run.count();
    if (!follows) {
      throw new IllegalArgumentException(
          "scripts from element " + run.first() + " on do not follow those before");
    }
    runs.put(run.first(), run);
    for (int i = 0; i < run.count(); i++) {
      // An address may be watched twice, by itself and in a chain: the first place names it.
      Integer first = numbers.putIfAbsent(run.scripts().get(i), run.first() + i);
      if (first != null) {
        again.computeIfAbsent(first, number -> new ArrayList<>(1)).add(run.first() + i);
      }
    }
    derived.set(run.chain(), run.child() + run.count());
  }

  @Override
  public int find(Bytes scriptPubKey) {
    return numbers.getOrDefault(scriptPubKey, FOREIGN);
  }

  /**
   * Returns the origin of a script. Throws {@link IllegalArgumentException} if no script has this
   * index.
   */
  public Place place(int number) {
    ScriptRun run = run(number);
    int i = number - run.first();
    return new Place(run.chain(), run.child() + i, run.addresses().get(i));
  }

  /** Returns a script. Throws {@link IllegalArgumentException} if no script has this index. */
  public Bytes script(int number) {
    ScriptRun run = run(number);
    return run.scripts().get(number - run.first());
  }

  /** Returns all scripts by ascending index. */
  List<WholeScript> whole() {
    List<WholeScript> whole = new ArrayList<>();
    runs.values().forEach(run -> whole.addAll(run.whole()));
    return whole;
  }

  private ScriptRun run(int number) {
    Map.Entry<Integer, ScriptRun> entry = runs.floorEntry(number);
    if (entry == null || number >= entry.getKey() + entry.getValue().count()) {
      throw new IllegalArgumentException("element " + number + " is no script");
    }
    return entry.getValue();
  }

  /** Returns the index in the element log of an address's script, or {@link OwnScripts#FOREIGN}. */
  public int ofAddress(String address) {
    for (ScriptRun run : runs.values()) {
      int i = run.addresses().indexOf(address);
      if (i >= 0) {
        return run.first() + i;
      }
    }
    return FOREIGN;
  }

  /**
   * Finds the address of a place in a chain. Throws {@link IllegalArgumentException} if it is not
   * {@linkplain #derived derived} yet.
   */
  public String address(int chain, int child) {
    for (ScriptRun run : runs.values()) {
      if (run.chain() == chain && child >= run.child() && child < run.child() + run.count()) {
        return run.addresses().get(child - run.child());
      }
    }
    throw new IllegalArgumentException("script " + child + " of chain " + chain + " not derived");
  }

  /** Returns how many scripts of a chain are watched: places 0 to this one, exclusive. */
  public int derived(int chain) {
    return derived.get(chain);
  }

  /**
   * Converts used scripts into used places of a chain; a script in several chains is used in all.
   */
  public BitSet used(int chain, BitSet usedScripts) {
    BitSet used = new BitSet();
    for (int i = usedScripts.nextSetBit(0); i >= 0; i = usedScripts.nextSetBit(i + 1)) {
      setIfIn(chain, i, used);
      for (int further : again.getOrDefault(i, List.of())) {
        setIfIn(chain, further, used);
      }
    }
    return used;
  }

  private void setIfIn(int chain, int number, BitSet used) {
    Map.Entry<Integer, ScriptRun> run = runs.floorEntry(number);
    if (run != null && run.getValue().chain() == chain) {
      used.set(run.getValue().child() + number - run.getKey());
    }
  }
}
