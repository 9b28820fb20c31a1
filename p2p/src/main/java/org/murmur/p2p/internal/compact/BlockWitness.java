package org.murmur.p2p.internal.compact;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.internal.cover.WholeScript;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.scan.Settlement;
import org.murmur.p2p.internal.scan.WholeBlocks;
import org.murmur.p2p.internal.wire.Message;

/**
 * Compares the filters of blocks with the wallet's confirmed transactions. Where a filter matches a
 * script and no transaction explains it, or one says more than the filter, the whole block decides:
 * the filter is false, or a peer omitted something, or it was chance.
 */
final class BlockWitness extends MatchedBlocks {

  private final Settlement settlement;
  // The place in the log of each script of the matcher.
  private final List<Integer> places = new ArrayList<>();
  // By height, the places of the scripts that transactions there pay, or spend from; as the log was
  // after so many changes.
  private final Map<Integer, BitSet> explained = new HashMap<>();
  private int changes = -1;
  // Filters that say less than the transactions.
  private final Map<Hash256, Bytes> suspected = new HashMap<>();
  // The lowest height whose agreed filter a whole block proved false.
  private OptionalInt falseAt = OptionalInt.empty();

  BlockWitness(
      Part<? extends CompactPeer> machine,
      WholeBlocks whole,
      BlockFetch fetch,
      WatchedLog log,
      Settlement settlement) {
    super(machine, whole, fetch, log);
    this.settlement = settlement;
  }

  @Override
  void watch(WholeScript script) {
    super.watch(script);
    places.add(script.index());
  }

  @Override
  boolean tested(int height, Message.CFilter filter, int[] matches, int from) {
    BitSet said = new BitSet();
    for (int match : matches) {
      said.set(places.get(match));
    }
    BitSet lacking = explained(height);
    BitSet open = (BitSet) said.clone();
    open.andNot(lacking);
    lacking.andNot(said);
    if (!lacking.isEmpty()) {
      lacking.andNot(testedBefore(from));
    }
    if (!lacking.isEmpty()) {
      suspected.put(filter.block(), filter.filter());
    } else if (open.isEmpty()) {
      return true;
    }
    matched.put(height, filter.block());
    effects.changed();
    return false;
  }

  private BitSet testedBefore(int from) {
    BitSet before = new BitSet();
    places.subList(0, from).forEach(before::set);
    return before;
  }

  /** A copy of what the wallet's transactions explain at a height. */
  private BitSet explained(int height) {
    if (changes != log.changes()) {
      changes = log.changes();
      explained.clear();
      for (Element element : log.view()) {
        if (element instanceof Element.OwnOutPoint coin && coin.confirmed()) {
          explain(coin.birth(), coin.script());
          explain(coin.end(), coin.script());
        }
      }
    }
    return (BitSet) explained.getOrDefault(height, new BitSet()).clone();
  }

  private void explain(int height, int script) {
    if (height != Element.OPEN) {
      explained.computeIfAbsent(height, unused -> new BitSet()).set(script);
    }
  }

  /** A kept filter may have 270 kB, and all filters may be false. */
  @Override
  boolean isFullBelow(int height) {
    return suspected.size() >= MAX_OPEN && waitsBelow(height);
  }

  @Override
  boolean take(int height, FullBlock block, BitSet ours) {
    Bytes filter = suspected.remove(block.hash());
    if (filter != null && FilterCheck.isFalse(filter, block, this::scriptOf)) {
      falseAt = falseAt.isPresent() ? falseAt : OptionalInt.of(height);
      return false;
    }
    settlement.compare(height, block, ours);
    return true;
  }

  /** The lowest height whose agreed filter is proven false, until it is cut. */
  OptionalInt falseAt() {
    return falseAt;
  }

  @Override
  void cutAbove(int height) {
    super.cutAbove(height);
    suspected.keySet().retainAll(matched.values());
    falseAt = falseAt.orElse(-1) > height ? OptionalInt.empty() : falseAt;
  }
}
