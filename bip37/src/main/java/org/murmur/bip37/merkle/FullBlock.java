package org.murmur.bip37.merkle;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.tx.Tx;

/**
 * A whole block: its header and all its transactions. It decides when two peers disagree about a
 * block.
 *
 * <p>{@link #refusal()} checks the transactions against the header's Merkle root. Proof of work and
 * chain are not checked here. Witness data is not checked either, because txids do not cover it.
 * Immutable.
 *
 * <pre>
 *   80 bytes     header; the Merkle root stands at byte 36
 *   CompactSize  number of transactions
 *   bytes        each transaction, with witness data (BIP-0144) or without
 * </pre>
 */
public final class FullBlock {

  /** The shortest transaction: one input and one output with empty scripts. */
  private static final int MIN_TX_BYTES = 60;

  private final Bytes header;
  private final List<Tx> transactions;
  private @Nullable MerkleTree tree;

  private FullBlock(Bytes header, List<Tx> transactions) {
    this.header = header;
    this.transactions = Collections.unmodifiableList(transactions);
  }

  /**
   * Decodes the payload of a {@code block} message.
   *
   * @param raw the whole payload
   * @return the block, unchecked
   * @throws MalformedException if it is cut short, holds something that is no transaction, claims
   *     more transactions than a block can hold, or bytes are left over
   */
  public static FullBlock parse(Bytes raw) {
    ByteReader in = new ByteReader(raw.unsafeArray());
    Bytes header = in.bytes(MerkleBlock.HEADER_BYTES);
    int count = in.count(MIN_TX_BYTES);
    if (count > PartialMerkleTree.LIMIT) {
      throw new MalformedException(
          count + " transactions, expected at most " + PartialMerkleTree.LIMIT, in.position());
    }
    List<Tx> transactions = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      transactions.add(Tx.read(in));
    }
    in.expectEnd();
    return new FullBlock(header, transactions);
  }

  /**
   * Returns the block's hash.
   *
   * @return the double SHA-256 of the header
   */
  public Hash256 hash() {
    return DoubleSha256.of(header);
  }

  /**
   * Returns the transactions.
   *
   * @return in order, the coinbase first; a view that cannot be changed
   */
  public List<Tx> transactions() {
    return transactions;
  }

  /**
   * Checks the transactions against the header's Merkle root: complete and without repetitions.
   * Also checks that the {@linkplain Tx#hasValuesInRange values are in range}.
   *
   * @return the error, or null
   */
  public @Nullable Reason refusal() {
    if (transactions.isEmpty()) {
      return Reason.NO_TRANSACTIONS;
    }
    if (!tree().root().equals(Hash256.read(header.unsafeArray(), MerkleBlock.ROOT_AT))) {
      return Reason.WRONG_ROOT;
    }
    if (!transactions.get(0).isCoinbase()) {
      // Inner nodes of the tree could pose as 64-byte transactions (CVE-2017-12842), but the first
      // one would have to look like a coinbase, which takes 2^224 attempts.
      return Reason.NO_COINBASE;
    }
    if (tree().hasEqualSiblings()) {
      // The same root with the last transactions repeated (CVE-2012-2459).
      return Reason.EQUAL_CHILDREN;
    }
    return transactions.stream().allMatch(Tx::hasValuesInRange) ? null : Reason.VALUES_OUT_OF_RANGE;
  }

  /**
   * Makes a Merkle block for some of the transactions, as a server with a filter would send it.
   *
   * @param positions in the block
   * @return a merkleblock that {@linkplain MerkleBlock#verify verifies} if this block is sound
   */
  public MerkleBlock prove(BitSet positions) {
    return MerkleBlock.of(header, tree().prove(positions));
  }

  private MerkleTree tree() {
    MerkleTree known = tree;
    if (known == null) {
      List<Hash256> txids = new ArrayList<>(transactions.size());
      transactions.forEach(tx -> txids.add(tx.txid()));
      known = MerkleTree.of(txids);
      tree = known;
    }
    return known;
  }
}
