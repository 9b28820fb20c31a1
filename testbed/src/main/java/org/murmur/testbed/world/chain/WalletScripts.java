package org.murmur.testbed.world.chain;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.murmur.bip37.bytes.Bytes;

/** The wallet's scripts that will be paid, and the index of each in its chain. */
final class WalletScripts {

  private final List<Bytes> all;
  private final Map<Bytes, Integer> places = new HashMap<>();

  WalletScripts(List<Bytes> receive, List<Bytes> change) {
    all = new ArrayList<>(receive);
    all.addAll(change);
    for (List<Bytes> chain : List.of(receive, change)) {
      for (int i = 0; i < chain.size(); i++) {
        places.put(chain.get(i), i);
      }
    }
  }

  List<Bytes> all() {
    return all;
  }

  boolean owns(Bytes script) {
    return places.containsKey(script);
  }

  /** The index of a script in one of the chains, or -1. */
  int place(List<Bytes> chain, Bytes script) {
    Integer place = places.get(script);
    return place != null && chain.get(place).equals(script) ? place : -1;
  }
}
