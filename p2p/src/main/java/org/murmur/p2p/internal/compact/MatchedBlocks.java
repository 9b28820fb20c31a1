package org.murmur.p2p.internal.compact;

import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.cover.Heights;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.internal.cover.WholeScript;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.scan.WholeBlocks;
import org.murmur.p2p.internal.wire.Message;

/**
 * Has the blocks fetched whose filters call for it, and reads them in the order of the chain: a
 * spend is recognised only if its coin is known. A block is fetched once, unless scripts that were
 * derived later match its filter. The wallet's transactions come from these blocks.
 */
class MatchedBlocks extends Part<CompactPeer> implements WholeBlocks.Reader {

  /** Blocks that are fetched or kept at once: 16 MB without witness data (BIP-0141). */
  static final int MAX_OPEN = 16;

  final WatchedLog log;
  // Heights whose blocks wait to be read.
  final TreeMap<Integer, Hash256> matched = new TreeMap<>();
  private final Map<Hash256, FullBlock> here = new HashMap<>();
  private final BlockFetch fetch;
  // The scripts of the wallet, and the coins that blocks of this session paid to them. The log gets
  // these only when they are on disk.
  private final Set<Bytes> scripts = new HashSet<>();
  private final Map<Integer, Bytes> scriptAt = new HashMap<>();
  private final Map<OutPoint, Bytes> coins = new HashMap<>();

  MatchedBlocks(
      Part<? extends CompactPeer> machine, WholeBlocks whole, BlockFetch fetch, WatchedLog log) {
    super(machine);
    this.fetch = fetch;
    this.log = log;
    whole.add(this);
  }

  /** A script of the wallet, which is not empty; called in the order of the matcher's indexes. */
  void watch(WholeScript script) {
    scripts.add(script.scriptPubKey());
    scriptAt.put(script.index(), script.scriptPubKey());
  }

  /**
   * Takes the result of testing the filter of a block.
   *
   * @param matches the indexes in the matcher of the scripts that match
   * @param from the index in the matcher of the first script that was tested
   * @return whether nothing is left to do at this height
   */
  boolean tested(int height, Message.CFilter filter, int[] matches, int from) {
    if (matches.length > 0) {
      matched.put(height, filter.block());
      effects.changed();
    }
    return matches.length == 0;
  }

  /**
   * Takes a block.
   *
   * @param ours the positions of the wallet's transactions, without those whose proof would be
   *     invalid
   * @return whether the height is done
   */
  boolean take(int height, FullBlock block, BitSet ours) {
    if (!ours.isEmpty()) {
      journal.block(height, block, ours, effects.now());
    }
    return true;
  }

  /** The script of a coin of the wallet; null for other coins. */
  @Nullable Bytes scriptOf(OutPoint coin) {
    int index = log.indexOf(coin.toBytes());
    Bytes paid = coins.get(coin);
    return paid == null && index >= 0 && log.get(index) instanceof Element.OwnOutPoint own
        ? scriptAt.get(own.script())
        : paid;
  }

  /** Removes the heights whose blocks wait to be read. */
  final void removeFrom(Heights heights) {
    matched.keySet().forEach(height -> heights.remove(height, height));
  }

  /** How many blocks wait to be read. */
  final int left() {
    return matched.size();
  }

  /** Whether no filters from a height on should come until some blocks below it are read. */
  boolean isFullBelow(int height) {
    return false;
  }

  /** Whether blocks below a height wait to be read. */
  final boolean waitsBelow(int height) {
    return !matched.headMap(height).isEmpty();
  }

  /** Requests the lowest blocks. */
  final void plan() {
    // They come last: an ordinary node sees no requests for filters, and a peer that may have
    // omitted something must not decide about it.
    Collection<? extends CompactPeer> scanning = roster.peers(service::isFrom);
    int open = here.size();
    for (Map.Entry<Integer, Hash256> next : matched.entrySet()) {
      boolean lowest = next.getKey().equals(matched.firstKey());
      if (journal.isFull() || (open >= MAX_OPEN && !lowest)) {
        return;
      }
      if (!here.containsKey(next.getValue())) {
        fetch.fetch(next.getKey(), scanning);
        open++;
      }
    }
  }

  /** Whether some peer may still send the lowest block that waits. */
  final boolean hasHope() {
    return !matched.isEmpty()
        && !here.containsKey(matched.firstEntry().getValue())
        && fetch.hasHope(matched.firstKey());
  }

  /** Whether only the byte limit keeps the lowest block from being requested. */
  final boolean isHeldUp() {
    return !matched.isEmpty()
        && !here.containsKey(matched.firstEntry().getValue())
        && !fetch.isPending(matched.firstEntry().getValue())
        && fetch.isHeldUp();
  }

  /**
   * Reads blocks below a height, as far as they are here; returns their heights.
   *
   * @param untested the lowest height whose filter was not tested yet
   */
  final Heights readBelow(int untested) {
    Heights read = new Heights();
    Iterator<Map.Entry<Integer, Hash256>> lowest = matched.entrySet().iterator();
    while (lowest.hasNext()) {
      Map.Entry<Integer, Hash256> next = lowest.next();
      FullBlock block = here.get(next.getValue());
      if (block == null || next.getKey() >= untested) {
        break;
      }
      lowest.remove();
      here.remove(next.getValue());
      if (take(next.getKey(), block, ours(block.transactions()))) {
        read.add(next.getKey(), next.getKey());
      }
    }
    return read;
  }

  private BitSet ours(List<Tx> block) {
    BitSet ours = new BitSet();
    for (int i = 0; i < block.size(); i++) {
      Tx tx = block.get(i);
      boolean isOurs = tx.inputs().stream().anyMatch(input -> isWatched(input.outPoint()));
      for (int output = 0; output < tx.outputs().size(); output++) {
        Bytes script = tx.outputs().get(output).script();
        if (scripts.contains(script)) {
          coins.put(tx.outPoint(output), script);
          isOurs = true;
        }
      }
      ours.set(i, isOurs && MerkleBlock.provable(tx));
    }
    return ours;
  }

  private boolean isWatched(OutPoint outPoint) {
    return coins.containsKey(outPoint) || log.contains(outPoint.toBytes());
  }

  @Override
  public final void read(FullBlock block) {
    if (matched.containsValue(block.hash())) {
      here.put(block.hash(), block);
    }
  }

  /** Blocks above a height left the chain. */
  void cutAbove(int height) {
    matched.tailMap(height, false).clear();
    here.keySet().retainAll(new HashSet<>(matched.values()));
    fetch.cutAbove();
  }
}
