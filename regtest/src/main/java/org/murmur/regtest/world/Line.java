package org.murmur.regtest.world;

import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.ServerFilter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.sync.Link;
import org.murmur.p2p.wire.Message;
import org.murmur.regtest.NodeSession;

/** A connection between the client and a node, and what the node's side of it is like. */
final class Line {

  final Link link;
  final Node node;
  final NodeSession session;
  boolean open = true;
  // Nothing overtakes anything: when the last message of each direction arrives.
  long upFree;
  long downFree;
  // When the session is to be asked again; later questions than this are void.
  long askAt = Long.MAX_VALUE;

  // Of the client's own: the load whose filter was sent last, and blocks it still waits for.
  @Nullable BloomFilter sentFilter;
  long sentLoad = -1;
  int blocksOwed;

  // What the node announced.
  final Set<Hash256> announced = new HashSet<>();

  // Under the private preset: what this line was used for, and what of the wallet's it announced
  // or handed over.
  final Set<Hash256> told = new HashSet<>();
  final Set<FilterRole> mempools = EnumSet.noneOf(FilterRole.class);
  @Nullable Bytes shown;
  // The last block asked for under each filter.
  final Map<Bytes, Hash256> asked = new HashMap<>();

  private long filterVersion = -1;
  private Filter filter = Filter.NONE;

  /** A node's copy of a filter at one moment. */
  static final class Filter {
    static final Filter NONE = new Filter(null);
    private final @Nullable BloomFilter copy;
    private final BitSet held = new BitSet();
    private final BitSet asked = new BitSet();

    Filter(@Nullable BloomFilter copy) {
      this.copy = copy;
    }

    /** A later copy. If it is the same one grown, it holds what it held. */
    static Filter after(Filter before, BloomFilter copy) {
      Filter later = new Filter(copy);
      if (before.copy != null && holdsAllOf(copy, before.copy)) {
        later.held.or(before.held);
        later.asked.or(before.held);
      }
      return later;
    }

    private static boolean holdsAllOf(BloomFilter copy, BloomFilter before) {
      if (!copy.parameters().equals(before.parameters())) {
        return false;
      }
      // Equal lengths and parameters: only bits can differ.
      Bytes now = copy.toPayload();
      Bytes then = before.toPayload();
      for (int i = 0; i < then.length(); i++) {
        if ((then.at(i) & ~now.at(i)) != 0) {
          return false;
        }
      }
      return true;
    }

    /** Takes from a set the numbers of those elements that the copy holds. */
    void strike(BitSet wanted, List<Bytes> elements) {
      if (copy == null) {
        return;
      }
      for (int i = wanted.nextSetBit(0); i >= 0; i = wanted.nextSetBit(i + 1)) {
        // The same is asked again and again.
        if (!asked.get(i)) {
          asked.set(i);
          held.set(i, copy.contains(elements.get(i)));
        }
        if (held.get(i)) {
          wanted.clear(i);
        }
      }
    }
  }

  /** What a node sends, and the filter it had when it did. */
  record Parcel(Message message, Filter filter) {}

  Line(Link link, Node node, NodeSession session) {
    this.link = link;
    this.node = node;
    this.session = session;
  }

  /** The node announces something. */
  void announces(Message.Inv inv) {
    inv.items().forEach(item -> announced.add(item.hash()));
  }

  /** The node's copy of the filter as it is now, with what it has added of its own accord. */
  Filter filter() {
    if (session.filterVersion() != filterVersion) {
      filterVersion = session.filterVersion();
      ServerFilter live = session.filter();
      filter = live == null ? Filter.NONE : Filter.after(filter, live.filter());
    }
    return filter;
  }
}
