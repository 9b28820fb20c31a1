package org.murmur.bip37.merkle;

/** Why a partial Merkle tree or a whole block is refused. Bitcoin Core makes the same checks. */
public enum Reason {
  /** It claims a block without transactions. */
  NO_TRANSACTIONS,

  /** It is a whole block that does not begin with a coinbase. */
  NO_COINBASE,

  /** It claims more transactions than a block can hold, 16,666. */
  TOO_MANY_TRANSACTIONS,

  /** It has more hashes than the block has transactions. */
  MORE_HASHES_THAN_TRANSACTIONS,

  /** It has fewer flag bits than hashes, but every node needs one. */
  FEWER_BITS_THAN_HASHES,

  /** The walk through the tree ran out of flag bits. */
  OUT_OF_BITS,

  /** The walk through the tree ran out of hashes. */
  OUT_OF_HASHES,

  /** A node has two equal children: transactions are repeated (CVE-2012-2459). */
  EQUAL_CHILDREN,

  /** Flag bits are left over, more than fill the last byte. */
  BITS_LEFT_OVER,

  /** Hashes are left over. */
  HASHES_LEFT_OVER,

  /** The tree is valid, but its root differs from the header's. */
  WRONG_ROOT,

  /**
   * The block has a transaction that no valid block can hold ({@link
   * org.murmur.bip37.tx.Tx#flaw()}), or a second coinbase.
   */
  INVALID_TRANSACTION
}
