package org.murmur.p2p.internal.chain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;

/**
 * All side headers, up to a limit. Above it, tips with the least work are removed first, so that
 * the rest stays connected.
 */
final class SideHeaders {

  private final int limit;
  private final Map<Hash256, SideHeader> byHash = new HashMap<>();

  /** Headers without children, least work first. */
  private final TreeSet<SideHeader> tips = new TreeSet<>();

  SideHeaders(int limit) {
    this.limit = limit;
  }

  @Nullable SideHeader get(Hash256 hash) {
    return byHash.get(hash);
  }

  int size() {
    return byHash.size();
  }

  int limit() {
    return limit;
  }

  /** Adds headers of one branch, parents first, and evicts headers of other branches. */
  void add(List<SideHeader> headers) {
    for (SideHeader header : headers) {
      byHash.put(header.hash, header);
      SideHeader parent = header.parent;
      if (parent != null && parent.children++ == 0) {
        tips.remove(parent);
      }
      tips.add(header);
    }
    evict(headers.get(headers.size() - 1));
  }

  /**
   * Moves headers between side branches and the active chain during a reorganisation, and updates
   * the parents of the rest. Those that leave become active above the fork; those that come were
   * active there, lowest first and perhaps not all.
   */
  void exchange(int forkHeight, List<SideHeader> leaving, List<SideHeader> coming) {
    for (SideHeader header : leaving) {
      header.fate = SideHeader.Fate.ACTIVE;
      byHash.remove(header.hash);
    }
    List<SideHeader> rest = new ArrayList<>(byHash.values());
    rest.sort(Comparator.comparingInt(header -> header.height)); // parents before children
    for (SideHeader header : rest) {
      rehang(header, forkHeight, coming);
      header.fork = header.forkHeight();
    }
    byHash.values().removeIf(header -> header.fate == SideHeader.Fate.DROPPED);
    for (SideHeader header : coming) {
      byHash.put(header.hash, header);
    }
    recount();
    evict(null);
  }

  private static void rehang(SideHeader header, int forkHeight, List<SideHeader> coming) {
    SideHeader parent = header.parent;
    if (parent != null) {
      switch (parent.fate) {
        case STAYS -> {}
        case ACTIVE -> header.parent = null;
        case DROPPED -> header.fate = SideHeader.Fate.DROPPED;
      }
      return;
    }
    int above = header.height - 1 - forkHeight; // how far above the fork its active parent was
    if (above > coming.size()) {
      header.fate = SideHeader.Fate.DROPPED;
    } else if (above > 0) {
      header.parent = coming.get(above - 1);
    }
  }

  private void recount() {
    tips.clear();
    for (SideHeader header : byHash.values()) {
      header.children = 0;
    }
    for (SideHeader header : byHash.values()) {
      SideHeader parent = header.parent;
      if (parent != null) {
        parent.children++;
      }
    }
    for (SideHeader header : byHash.values()) {
      if (header.children == 0) {
        tips.add(header);
      }
    }
  }

  /** Removes tips with the least work until the limit holds, except those of one branch. */
  private void evict(@Nullable SideHeader kept) {
    while (byHash.size() > limit) {
      Iterator<SideHeader> least = tips.iterator();
      SideHeader tip = least.next();
      if (tip.equals(kept)) {
        tip = least.next();
      }
      tips.remove(tip);
      byHash.remove(tip.hash);
      SideHeader parent = tip.parent;
      if (parent != null && --parent.children == 0) {
        tips.add(parent);
      }
    }
  }
}
