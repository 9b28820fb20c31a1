package org.murmur.bip37.merkle;

/**
 * Why a partial Merkle tree, or a whole block, proves nothing. Each is a check that Bitcoin Core
 * makes too.
 */
public enum Reason {
  /** It claims a block without transactions. */
  NO_TRANSACTIONS,

  /** It is a whole block that does not begin with a coinbase. */
  NO_COINBASE,

  /** It claims more transactions than a block can hold, 16,666. */
  TOO_MANY_TRANSACTIONS,

  /** It brings more hashes than the block has transactions. */
  MORE_HASHES_THAN_TRANSACTIONS,

  /** It has fewer flag bits than hashes, though every node needs one. */
  FEWER_BITS_THAN_HASHES,

  /** The walk through the tree ran out of flag bits. */
  OUT_OF_BITS,

  /** The walk through the tree ran out of hashes. */
  OUT_OF_HASHES,

  /** A node has two equal children: a transaction was doubled (CVE-2012-2459). */
  EQUAL_CHILDREN,

  /** Flag bits are left over, more than fill the last byte. */
  BITS_LEFT_OVER,

  /** Hashes are left over. */
  HASHES_LEFT_OVER,

  /** The tree is sound, but its root is not the one in the block's header. */
  WRONG_ROOT,

  /** A transaction of the block pays less than nothing, or more than all bitcoins. */
  VALUES_OUT_OF_RANGE
}
