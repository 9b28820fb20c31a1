package org.murmur.coins.spend;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.internal.script.OutputKind;

/**
 * Coins that are spent together.
 *
 * @param coins at least one
 * @param isPartial whether it is what remained of a script with many coins
 */
record Group(List<InputCoin> coins, boolean isPartial) {

  /** So many coins of a script are enough for one payment (Core's OUTPUT_GROUP_MAX_ENTRIES). */
  private static final int MAX_COINS = 100;

  /** The kind of script, as an observer of the input sees it. */
  OutputKind kind() {
    return OutputKind.of(coins.get(0).script());
  }

  /** Each coin alone. */
  static List<Group> ofOne(List<InputCoin> coins) {
    return coins.stream().map(coin -> new Group(List.of(coin), false)).collect(Collectors.toList());
  }

  /** All coins of a script, up to {@link #MAX_COINS}; those of more coins are drawn. */
  static List<Group> ofScripts(List<InputCoin> coins, Draws draws) {
    Map<Bytes, List<InputCoin>> byScript = new LinkedHashMap<>();
    coins.forEach(
        coin -> byScript.computeIfAbsent(coin.script(), s -> new ArrayList<>()).add(coin));
    List<Group> groups = new ArrayList<>();
    for (List<InputCoin> same : byScript.values()) {
      if (same.size() > MAX_COINS) {
        draws.shuffle(same);
      }
      for (int from = 0; from < same.size(); from += MAX_COINS) {
        int to = Math.min(same.size(), from + MAX_COINS);
        groups.add(new Group(same.subList(from, to), from > 0 && to - from < MAX_COINS));
      }
    }
    return groups;
  }
}
