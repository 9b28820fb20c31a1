package org.murmur.regtest.chain;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.internal.gcs.BasicFilter;
import org.murmur.bip37.internal.gcs.FilterHeaders;
import org.murmur.bip37.merkle.FullBlock;

/**
 * The compact filters of a chain's blocks, and the chain of their headers (BIP-0157). It follows
 * the chain. A block that a reorganisation disconnects keeps its filter, as in Core's index.
 * Thread-safe, under the chain's lock.
 */
public final class FilterIndex {

  /** Makes the filter of a block. */
  @FunctionalInterface
  public interface Rule {

    /**
     * Returns the coded set of BIP-0158: CompactSize N, then bits. Null says that the index has not
     * come this far yet. The spent scripts are those of the coins that the block spends, in the
     * order of its inputs.
     */
    @Nullable Bytes filter(int height, Block block, List<Bytes> spent);
  }

  /**
   * The filter of one block.
   *
   * @param previous hash of the block before
   * @param filter the coded set of BIP-0158: CompactSize N, then bits
   * @param hash the filter's double SHA-256
   * @param header the double SHA-256 of this hash and the header of the block before
   */
  public record Entry(
      int height, Hash256 block, Hash256 previous, Bytes filter, Hash256 hash, Hash256 header) {}

  private final Chain chain;
  private final Rule rule;
  private final Map<Hash256, Entry> entries = new HashMap<>();

  /** Makes an index by any rule: {@link Chain#filters} has the honest one. */
  public FilterIndex(Chain chain, Rule rule) {
    this.chain = chain;
    this.rule = rule;
  }

  /** BIP-0158's rule. */
  static Bytes basic(int height, Block block, List<Bytes> spent) {
    return BasicFilter.of(FullBlock.parse(block.raw()), spent).toPayload();
  }

  /** Finds the filter of a block that is or was active: null if there is none. */
  public @Nullable Entry entry(Hash256 block) {
    synchronized (chain) {
      catchUp();
      return entries.get(block);
    }
  }

  /** Finds the coded set of a block's filter: null if there is none. */
  public @Nullable Bytes filter(Hash256 block) {
    Entry entry = entry(block);
    return entry == null ? null : entry.filter();
  }

  /** Returns the filters from a height up to a block that has one, the lowest first. */
  public List<Entry> range(int from, Hash256 stop) {
    List<Entry> range = new ArrayList<>();
    synchronized (chain) {
      for (Entry e = entry(stop); e != null && e.height() >= from; e = entries.get(e.previous())) {
        range.add(e);
      }
    }
    Collections.reverse(range);
    return range;
  }

  /** Returns the filter header of a block that has one; zero for others, as before the genesis. */
  public Hash256 header(Hash256 block) {
    synchronized (chain) {
      Entry entry = entries.get(block);
      return entry == null ? Hash256.ZERO : entry.header();
    }
  }

  /** Makes the filters that are missing on the active chain. */
  void catchUp() {
    int height = chain.height() + 1;
    while (height > 0 && !entries.containsKey(chain.blockAt(height - 1).hash())) {
      height--;
    }
    while (height <= chain.height()) {
      Block block = chain.blockAt(height);
      Bytes filter = rule.filter(height, block, chain.spentScripts(height));
      if (filter == null) {
        return;
      }
      Hash256 hash = FilterHeaders.hash(filter);
      Hash256 header = FilterHeaders.header(hash, header(block.previous()));
      Entry made = new Entry(height, block.hash(), block.previous(), filter, hash, header);
      entries.put(block.hash(), made);
      height++;
    }
  }
}
