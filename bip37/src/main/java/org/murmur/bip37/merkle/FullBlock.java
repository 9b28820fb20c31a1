package org.murmur.bip37.merkle;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.tx.Tx;

/**
 * A whole block: its header and all its transactions. It decides when two peers disagree about a
 * block.
 *
 * <p>{@link #refusal()} checks the transactions against the header's Merkle root, which does not
 * cover witness data; {@link #hasSoundWitness()} checks that. Proof of work and chain are not
 * checked here. Immutable.
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

  /** OP_RETURN, a push of 36 bytes, and the mark of a witness commitment (BIP-0141). */
  private static final Bytes COMMITMENT = Bytes.ofHex("6a24aa21a9ed");

  private static final int COMMITMENT_BYTES = 38;

  /** The coinbase's witness: one item of 32 bytes (BIP-0141). */
  private static final Bytes ONE_ITEM = Bytes.ofHex("0120");

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

  /** {@return the block's hash, the double SHA-256 of the header} */
  public Hash256 hash() {
    return DoubleSha256.of(header);
  }

  /** {@return the transactions, in order, the coinbase first; a view that cannot be changed} */
  public List<Tx> transactions() {
    return transactions;
  }

  /**
   * Checks the transactions against the header's Merkle root: complete and without repetitions.
   * Also checks that each may be in a block ({@link Tx#flaw()}), and that only the first is a
   * coinbase.
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
    boolean valid =
        transactions.stream().noneMatch(tx -> tx.flaw().isPresent())
            && transactions.stream().skip(1).noneMatch(Tx::isCoinbase);
    return valid ? null : Reason.INVALID_TRANSACTION;
  }

  /**
   * Checks the witness data against the commitment in the coinbase (BIP-0141): it is complete and
   * unchanged. Valid only if {@link #refusal()} has no objection.
   *
   * @return false if witness data is missing, changed, or not committed to
   */
  public boolean hasSoundWitness() {
    Tx coinbase = transactions.get(0);
    Bytes committed = commitment(coinbase);
    if (committed == null) {
      return transactions.stream().noneMatch(Tx::hasWitness);
    }
    Bytes witness = coinbase.witness();
    if (witness.length() != ONE_ITEM.length() + Hash256.LENGTH
        || !witness.slice(0, ONE_ITEM.length()).equals(ONE_ITEM)) {
      return false;
    }
    List<Hash256> wtxids = new ArrayList<>(transactions.size());
    // The coinbase holds the commitment, so it counts as zero.
    wtxids.add(Hash256.ZERO);
    transactions.stream().skip(1).forEach(tx -> wtxids.add(tx.wtxid()));
    Bytes reserved = witness.slice(ONE_ITEM.length(), witness.length());
    Bytes both =
        new ByteWriter(2 * Hash256.LENGTH).hash(MerkleTree.root(wtxids)).bytes(reserved).toBytes();
    return DoubleSha256.of(both).equals(Hash256.read(committed.unsafeArray(), COMMITMENT.length()));
  }

  /** The last output that looks like a commitment counts. */
  private static @Nullable Bytes commitment(Tx coinbase) {
    Bytes found = null;
    for (Tx.Output output : coinbase.outputs()) {
      Bytes script = output.script();
      if (script.length() >= COMMITMENT_BYTES
          && script.slice(0, COMMITMENT.length()).equals(COMMITMENT)) {
        found = script;
      }
    }
    return found;
  }

  /**
   * {@return the block's weight (BIP-0141): of the header, the number of transactions, and the
   * transactions; weight units} A valid block has at most 4,000,000.
   */
  public long weight() {
    int around = header.length() + new ByteWriter().compactSize(transactions.size()).length();
    return 4L * around + transactions.stream().mapToLong(Tx::weight).sum();
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
