package org.murmur.bip37.merkle;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.murmur.bip37.bytes.Hash256;

/**
 * Builds the partial tree that proves some transactions of a block, as Core builds it. Depth first:
 * a flag for every visited node, and a hash for every node without visited children.
 */
final class PartialMerkleTreeBuilder {

  private final int transactions;
  private final BitSet matches;
  private final List<Hash256> hashes = new ArrayList<>();
  private final BitSet flags = new BitSet();
  private int flagCount;

  /** For one tree. */
  PartialMerkleTreeBuilder(int transactions, BitSet matches) {
    this.transactions = transactions;
    this.matches = matches;
  }

  /** The nodes of a block's tree, as far as they are known. */
  interface Nodes {
    /** Returns a node's hash; height 0 has the txids. */
    Hash256 hash(int height, int position);
  }

  PartialMerkleTree build(int height, Nodes nodes) {
    walk(height, 0, nodes);
    return PartialMerkleTree.of(transactions, hashes, flags, flagCount);
  }

  private void walk(int height, int position, Nodes nodes) {
    long first = (long) position << height;
    int next = matches.nextSetBit((int) first);
    long end = Math.min(transactions, (long) (position + 1) << height);
    boolean matchBelow = next >= 0 && next < end;
    flags.set(flagCount++, matchBelow);
    if (height == 0 || !matchBelow) {
      hashes.add(nodes.hash(height, position));
      return;
    }
    walk(height - 1, 2 * position, nodes);
    if (end > (2L * position + 1) << (height - 1)) {
      walk(height - 1, 2 * position + 1, nodes);
    }
  }
}
