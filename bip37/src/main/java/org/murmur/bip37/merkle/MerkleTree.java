package org.murmur.bip37.merkle;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;

/**
 * The Merkle tree of a block's transactions with all its nodes, from which a server makes proofs.
 *
 * <p>A parent is the double SHA-256 of its two concatenated children; the last node of an odd level
 * is its own sibling. Immutable.
 */
public final class MerkleTree {

  // Level 0 has the txids, the last level the root.
  private final List<Hash256[]> levels;

  private MerkleTree(List<Hash256[]> levels) {
    this.levels = levels;
  }

  /**
   * Computes the tree.
   *
   * @param txids the transactions of a block in order, at least one
   * @return the tree
   * @throws IllegalArgumentException if there are none
   */
  public static MerkleTree of(List<Hash256> txids) {
    if (txids.isEmpty()) {
      throw new IllegalArgumentException("txids empty, expected at least a coinbase");
    }
    List<Hash256[]> levels = new ArrayList<>();
    Hash256[] level = txids.toArray(new Hash256[0]);
    levels.add(level);
    while (level.length > 1) {
      level = parents(level);
      levels.add(level);
    }
    return new MerkleTree(levels);
  }

  /**
   * Computes the root alone.
   *
   * @param txids the transactions of a block in order, at least one
   * @return the Merkle root
   * @throws IllegalArgumentException if there are none
   */
  public static Hash256 root(List<Hash256> txids) {
    if (txids.isEmpty()) {
      throw new IllegalArgumentException("txids empty, expected at least a coinbase");
    }
    Hash256[] level = txids.toArray(new Hash256[0]);
    while (level.length > 1) {
      level = parents(level);
    }
    return level[0];
  }

  /**
   * Returns whether two siblings of the tree are equal. Then there is another list of transactions,
   * with some at the end repeated, that has the same root (CVE-2012-2459); Core treats a block with
   * such a list as mutated.
   *
   * @param txids the transactions of a block in order, at least one
   * @return true if this list may contain repeated transactions
   */
  public static boolean hasEqualSiblings(List<Hash256> txids) {
    return of(txids).hasEqualSiblings();
  }

  boolean hasEqualSiblings() {
    for (Hash256[] level : levels) {
      for (int i = 0; i + 1 < level.length; i += 2) {
        if (level[i].equals(level[i + 1])) {
          return true;
        }
      }
    }
    return false;
  }

  private static Hash256[] parents(Hash256[] level) {
    Hash256[] parents = new Hash256[(level.length + 1) / 2];
    for (int i = 0; i < parents.length; i++) {
      Hash256 left = level[2 * i];
      Hash256 right = 2 * i + 1 < level.length ? level[2 * i + 1] : left;
      parents[i] = DoubleSha256.ofPair(left, right);
    }
    return parents;
  }

  /** {@return the root} */
  public Hash256 root() {
    return levels.get(levels.size() - 1)[0];
  }

  /** {@return the number of transactions, at least 1} */
  public int transactions() {
    return levels.get(0).length;
  }

  /**
   * Makes the partial tree that proves some of the transactions.
   *
   * @param matches positions in the block; those beyond it are ignored
   * @return the partial tree, as Core would build it
   */
  public PartialMerkleTree prove(BitSet matches) {
    return new PartialMerkleTreeBuilder(transactions(), matches)
        .build(levels.size() - 1, (height, position) -> levels.get(height)[position]);
  }
}
