package org.murmur.wallet.internal.sqlite;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.Match;
import org.murmur.bip37.merkle.Outcome;
import org.murmur.bip37.merkle.PartialMerkleTree;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.ledger.Confirmation;

/**
 * The wallet's transactions of one block, with the proof of them, as one row keeps them.
 *
 * <pre>
 *   32 bytes     the block's hash
 *   CompactSize  its time
 *   CompactSize  number of transactions, by position in the block; of each:
 *     CompactSize  position
 *     its facts, as StoredFacts writes them
 *   CompactSize  number of partial Merkle trees, one if they could be joined; of each:
 *     uint32       transactions in the block
 *     varBytes     flags
 *     CompactSize  number of hashes; of each, depth first:
 *       uint8        0: 32 bytes follow; 1: it is the txid of the transaction
 *                    whose place above follows as CompactSize
 * </pre>
 */
final class PackedBlock {

  /** The shortest transaction, and what stands before it. */
  private static final int MIN_FACT_BYTES = 70;

  private final int height;
  // Null while it has no transactions.
  private @Nullable Hash256 hash;
  private long time;
  private final Map<Hash256, Fact> facts = new LinkedHashMap<>();
  private final List<PartialMerkleTree> trees = new ArrayList<>();

  /** Makes one without transactions. */
  public PackedBlock(int height) {
    this.height = height;
  }

  /**
   * Reads what {@link #toBytes} made. Throws {@link IllegalArgumentException} if it is something
   * else, or there can be no such transactions.
   */
  public static PackedBlock of(long height, ByteReader in) {
    PackedBlock block = new PackedBlock((int) height);
    Hash256 hash = in.hash();
    block.hash = hash;
    block.time = in.compactSize();
    int count = in.count(MIN_FACT_BYTES);
    for (int i = 0; i < count; i++) {
      block.readFact(in, hash);
    }
    List<Hash256> txids = new ArrayList<>(block.facts.keySet());
    int trees = in.count(1);
    for (int i = 0; i < trees; i++) {
      block.trees.add(readTree(in, txids));
    }
    return block;
  }

  private void readFact(ByteReader in, Hash256 block) {
    Confirmation where = new Confirmation(height, block, Table.small(in), time);
    Fact fact = StoredFacts.read(in, where);
    facts.put(fact.tx().txid(), fact);
  }

  private static PartialMerkleTree readTree(ByteReader in, List<Hash256> txids) {
    int transactions = in.int32();
    Bytes flags = in.varBytes();
    int count = in.count(2);
    List<Hash256> hashes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      boolean isOurs = in.uint8() == 1;
      hashes.add(isOurs ? txids.get(Table.small(in)) : in.hash());
    }
    return PartialMerkleTree.of(transactions, hashes, flags);
  }

  /** Packs transactions and proofs, if there are any. */
  public byte[] toBytes(Hash256 block) {
    List<Fact> sorted = facts();
    sorted.sort(Comparator.comparingInt(StoredFacts::position));
    ByteWriter out = new ByteWriter(256 * sorted.size()).hash(block).compactSize(time);
    out.compactSize(sorted.size());
    Map<Hash256, Integer> places = new HashMap<>();
    for (Fact fact : sorted) {
      places.put(fact.tx().txid(), places.size());
      StoredFacts.write(fact, out.compactSize(StoredFacts.position(fact)));
    }
    out.compactSize(trees.size());
    for (PartialMerkleTree tree : trees) {
      out.int32(tree.transactions()).varBytes(tree.flags());
      List<Hash256> hashes = tree.hashes();
      out.compactSize(hashes.size());
      for (Hash256 node : hashes) {
        Integer place = places.get(node);
        if (place == null) {
          out.uint8(0).hash(node);
        } else {
          out.uint8(1).compactSize(place);
        }
      }
    }
    return out.toArray();
  }

  /** Returns the block's height. */
  public int height() {
    return height;
  }

  /** Returns the block's hash; null while there are no transactions. */
  public @Nullable Hash256 hash() {
    return hash;
  }

  /** Returns a copy of the transactions by position in the block, as they were read. */
  public List<Fact> facts() {
    return new ArrayList<>(facts.values());
  }

  /** Returns what is known of a transaction; null if it is not here. */
  public @Nullable Fact fact(Hash256 txid) {
    return facts.get(txid);
  }

  /** Removes a transaction; with the last one go the hash and the proofs. */
  public void remove(Hash256 txid) {
    facts.remove(txid);
    if (facts.isEmpty()) {
      hash = null;
      trees.clear();
    }
  }

  /**
   * Adds a transaction with its confirmation at this height, or puts it in the place of what was
   * known of it. Throws {@link IllegalArgumentException} if the others are in another block of this
   * height.
   */
  public void put(Fact fact, Confirmation where) {
    facts.remove(fact.tx().txid());
    if (facts.isEmpty()) {
      hash = where.block();
      time = where.time();
    } else if (!Objects.equals(hash, where.block()) || where.time() != time) {
      throw new IllegalArgumentException(
          "transactions of two blocks are said to be at height " + height);
    }
    facts.put(fact.tx().txid(), fact);
  }

  /** Forgets the proofs: the block has left the chain. */
  public void dropProofs() {
    trees.clear();
  }

  /**
   * Takes a proof in, as far as it concerns transactions that are here. It is joined with those of
   * the same block.
   */
  public void prove(PartialMerkleTree proof) {
    List<PartialMerkleTree> others = new ArrayList<>();
    PartialMerkleTree joined = proof;
    for (PartialMerkleTree known : trees) {
      Optional<PartialMerkleTree> both = known.join(joined);
      joined = both.orElse(joined);
      if (!both.isPresent()) {
        others.add(known);
      }
    }
    trees.clear();
    trees.addAll(others);
    BitSet ours = ours(joined);
    if (!ours.isEmpty()) {
      trees.add(joined.only(ours).orElse(joined));
    }
  }

  /** The matches of a tree that are transactions here. */
  private BitSet ours(PartialMerkleTree tree) {
    BitSet ours = new BitSet();
    if (tree.extract() instanceof Outcome.Proven proven) {
      for (Match match : proven.matches()) {
        ours.set(match.position(), fact(match.txid()) != null);
      }
    }
    return ours;
  }

  /** Returns a proof of a transaction, and perhaps of others; null if there is none. */
  public @Nullable PartialMerkleTree proof(Hash256 txid) {
    for (PartialMerkleTree tree : trees) {
      if (tree.extract() instanceof Outcome.Proven proven
          && proven.matches().stream().anyMatch(match -> match.txid().equals(txid))) {
        return tree;
      }
    }
    return null;
  }
}
