package org.murmur.lab.privacy;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.murmur.bip37.BloomFilter;

/** Tests every script there is against filters: all filters at once, so bytes are made once. */
final class Sweep {

  private Sweep() {}

  /**
   * Finds what matches.
   *
   * @param elements of all scripts, those from before the chain included
   * @param filters equal ones are tested once
   * @return by filter: the numbers of the scripts that match, ascending
   */
  static Map<BloomFilter, int[]> matches(Elements elements, Collection<BloomFilter> filters) {
    List<BloomFilter> distinct = List.copyOf(new LinkedHashSet<>(filters));
    Ints[] found = new Ints[distinct.size()];
    for (int i = 0; i < found.length; i++) {
      found[i] = new Ints();
    }
    byte[] element = new byte[Elements.MAX_BYTES];
    int universe = elements.universe();
    for (int script = 0; script < universe; script++) {
      int length = elements.script(script, element);
      for (int i = 0; i < found.length; i++) {
        if (distinct.get(i).contains(element, 0, length)) {
          found[i].add(script);
        }
      }
    }
    Map<BloomFilter, int[]> all = new HashMap<>();
    for (int i = 0; i < found.length; i++) {
      all.put(distinct.get(i), found[i].toArray());
    }
    return all;
  }
}
