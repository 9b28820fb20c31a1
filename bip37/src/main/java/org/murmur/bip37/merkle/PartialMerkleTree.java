package org.murmur.bip37.merkle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;

/**
 * The part of a block's Merkle tree that proves some of its transactions (BIP-0037).
 *
 * <p>An unchecked claim, read in place; {@link #extract()} checks it. The number of transactions is
 * not authenticated. Immutable, with equality.
 *
 * <pre>
 *   uint32       transactions in the block
 *   CompactSize  number of hashes
 *   32 bytes     each hash, depth first
 *   CompactSize  number of flag bytes
 *   bytes        flag bits, lowest bit of the first byte first, depth first
 * </pre>
 *
 * <p>Padding bits of the last flag byte are ignored, as in Core.
 */
public final class PartialMerkleTree {

  /**
   * Maximum number of transactions of a block: 4,000,000 weight units, at least 240 each (Core's
   * limit).
   */
  static final int LIMIT = 16_666;

  private final int transactions;
  private final byte[] source;
  private final int hashesAt;
  private final int hashCount;
  private final int flagsAt;
  private final int flagBytes;

  private PartialMerkleTree(
      int transactions, byte[] source, int hashesAt, int hashCount, int flagsAt, int flagBytes) {
    this.transactions = transactions;
    this.source = source;
    this.hashesAt = hashesAt;
    this.hashCount = hashCount;
    this.flagsAt = flagsAt;
    this.flagBytes = flagBytes;
  }

  /** Reads in place; the array must not change. */
  static PartialMerkleTree readInPlace(ByteReader in, byte[] source) {
    int transactions = in.int32();
    int hashCount = in.count(Hash256.LENGTH);
    int hashesAt = in.position();
    in.skip(hashCount * Hash256.LENGTH);
    int flagBytes = in.count(1);
    int flagsAt = in.position();
    in.skip(flagBytes);
    return new PartialMerkleTree(transactions, source, hashesAt, hashCount, flagsAt, flagBytes);
  }

  /**
   * Decodes the serialised form.
   *
   * @param bytes the partial tree without trailing bytes
   * @return the tree, unchecked
   * @throws MalformedException if it is cut short or bytes are left over
   */
  public static PartialMerkleTree parse(Bytes bytes) {
    ByteReader in = new ByteReader(bytes.unsafeArray());
    PartialMerkleTree tree = readInPlace(in, bytes.unsafeArray());
    in.expectEnd();
    return tree;
  }

  /**
   * Makes a tree of its parts, valid or not.
   *
   * @param transactions claimed number of transactions, an unsigned 32-bit integer
   * @param hashes the hashes, depth first
   * @param flags the flag bytes
   * @return the tree, unchecked
   */
  public static PartialMerkleTree of(int transactions, List<Hash256> hashes, Bytes flags) {
    int size = hashes.size() * Hash256.LENGTH;
    byte[] source = new byte[size + flags.length()];
    for (int i = 0; i < hashes.size(); i++) {
      hashes.get(i).write(source, i * Hash256.LENGTH);
    }
    flags.write(source, size);
    return new PartialMerkleTree(transactions, source, 0, hashes.size(), size, flags.length());
  }

  static PartialMerkleTree of(int transactions, List<Hash256> hashes, BitSet flags, int flagCount) {
    byte[] flagBytes = Arrays.copyOf(flags.toByteArray(), (flagCount + 7) / 8);
    return of(transactions, hashes, Bytes.wrap(flagBytes));
  }

  /**
   * Makes the tree of a block without matches: its root only.
   *
   * @param transactions number of transactions in the block
   * @param root the block's Merkle root
   * @return the tree
   */
  public static PartialMerkleTree withoutMatches(int transactions, Hash256 root) {
    return of(transactions, List.of(root), Bytes.wrap(new byte[1]));
  }

  /**
   * Makes the tree that proves some transactions of a block. For several proofs of one block use
   * {@link MerkleTree}.
   *
   * @param txids the block's transactions in order, at least one
   * @param matches the positions to prove
   * @return the tree, as Core would build it
   */
  public static PartialMerkleTree build(List<Hash256> txids, BitSet matches) {
    return MerkleTree.of(txids).prove(matches);
  }

  /** {@return the claimed number of transactions, an unsigned 32-bit integer} */
  public int transactions() {
    return transactions;
  }

  /** {@return the hashes, depth first} */
  public List<Hash256> hashes() {
    List<Hash256> hashes = new ArrayList<>(hashCount);
    for (int i = 0; i < hashCount; i++) {
      hashes.add(hash(i));
    }
    return Collections.unmodifiableList(hashes);
  }

  /**
   * {@return the flag bytes, the bits, lowest bit of the first byte first, filled up to whole
   * bytes}
   */
  public Bytes flags() {
    return Bytes.of(source, flagsAt, flagsAt + flagBytes);
  }

  private Hash256 hash(int index) {
    return Hash256.read(source, hashesAt + index * Hash256.LENGTH);
  }

  private boolean flag(int index) {
    return (source[flagsAt + (index >> 3)] >> (index & 7) & 1) != 0;
  }

  /**
   * Encodes the tree.
   *
   * @return the serialised form
   */
  public Bytes toBytes() {
    ByteWriter out = new ByteWriter(14 + hashCount * Hash256.LENGTH + flagBytes);
    writeTo(out);
    return out.toBytes();
  }

  void writeTo(ByteWriter out) {
    out.int32(transactions)
        .compactSize(hashCount)
        .bytes(source, hashesAt, hashCount * Hash256.LENGTH)
        .compactSize(flagBytes)
        .bytes(source, flagsAt, flagBytes);
  }

  /**
   * Walks the tree with all checks of Bitcoin Core.
   *
   * <p>A match is proven only if the root is a block's Merkle root. Also, an inner node can pose as
   * a transaction (see {@link MerkleBlock#provable}), and a transaction as an inner node (see
   * {@link Verdict.Proven}).
   *
   * @return root and matches, or the first check that failed
   */
  public Outcome extract() {
    Reason reason = refusal();
    if (reason != null) {
      return new Outcome.Refused(reason);
    }
    Walk walk = new Walk();
    Hash256 root = walk.node(height(), 0);
    if (root == null) {
      return new Outcome.Refused(walk.reason);
    }
    if ((walk.flagsUsed + 7) / 8 != flagBytes) {
      return new Outcome.Refused(Reason.BITS_LEFT_OVER);
    }
    if (walk.hashesUsed != hashCount) {
      return new Outcome.Refused(Reason.HASHES_LEFT_OVER);
    }
    return new Outcome.Proven(root, Collections.unmodifiableList(walk.matches), walk.fakes);
  }

  /**
   * Joins this proof with another one of the same block.
   *
   * @param other proves other transactions, or some of the same
   * @return proves the matches of both, as Core would build it; or empty if one of them is invalid,
   *     or they differ in the root or in the number of transactions
   */
  public Optional<PartialMerkleTree> join(PartialMerkleTree other) {
    Map<Long, Hash256> nodes = new HashMap<>();
    BitSet matches = new BitSet();
    Hash256 root = collect(nodes, matches);
    Hash256 others = other.collect(nodes, matches);
    boolean joins =
        root != null && others != null && root.equals(others) && transactions == other.transactions;
    return joins ? Optional.of(rebuilt(nodes, matches)) : Optional.empty();
  }

  /**
   * Makes a proof of fewer transactions.
   *
   * @param positions of the matches that are kept; others are ignored
   * @return proves these matches, as Core would build it; or empty if this tree is invalid
   */
  public Optional<PartialMerkleTree> only(BitSet positions) {
    Map<Long, Hash256> nodes = new HashMap<>();
    BitSet matches = new BitSet();
    if (collect(nodes, matches) == null) {
      return Optional.empty();
    }
    matches.and(positions);
    return Optional.of(rebuilt(nodes, matches));
  }

  /** Adds all nodes that this tree shows, and its matches; returns its root, or null if invalid. */
  private @Nullable Hash256 collect(Map<Long, Hash256> nodes, BitSet matches) {
    if (!(extract() instanceof Outcome.Proven proven)) {
      return null;
    }
    proven.matches().forEach(match -> matches.set(match.position()));
    Walk walk = new Walk();
    walk.nodes = nodes;
    walk.node(height(), 0);
    return proven.root();
  }

  private PartialMerkleTree rebuilt(Map<Long, Hash256> nodes, BitSet matches) {
    PartialMerkleTreeBuilder builder = new PartialMerkleTreeBuilder(transactions, matches);
    return builder.build(
        height(), (height, position) -> Objects.requireNonNull(nodes.get(key(height, position))));
  }

  private static long key(int height, int position) {
    return (long) height << Integer.SIZE | position;
  }

  /** The error in the counts, or null. */
  private @Nullable Reason refusal() {
    if (transactions == 0) {
      return Reason.NO_TRANSACTIONS;
    }
    if (Integer.compareUnsigned(transactions, LIMIT) > 0) {
      return Reason.TOO_MANY_TRANSACTIONS;
    }
    if (hashCount > transactions) {
      return Reason.MORE_HASHES_THAN_TRANSACTIONS;
    }
    return flagBytes < (hashCount + 7) / 8 ? Reason.FEWER_BITS_THAN_HASHES : null;
  }

  private int height() {
    return 32 - Integer.numberOfLeadingZeros(transactions - 1);
  }

  private int width(int height) {
    return (transactions + (1 << height) - 1) >> height;
  }

  private final class Walk {

    private List<Match> matches = List.of();
    private boolean fakes;
    private Reason reason = Reason.WRONG_ROOT;
    private int flagsUsed;
    private int hashesUsed;
    // Where visited nodes are noted, if they are wanted.
    private @Nullable Map<Long, Hash256> nodes;

    /** Returns the hash of a node, or null once a check has failed. */
    @Nullable Hash256 node(int height, int position) {
      Hash256 hash = visit(height, position);
      if (nodes != null && hash != null) {
        nodes.put(key(height, position), hash);
      }
      return hash;
    }

    private @Nullable Hash256 visit(int height, int position) {
      if (flagsUsed == 8 * flagBytes) {
        return refuse(Reason.OUT_OF_BITS);
      }
      boolean flagged = flag(flagsUsed++);
      if (height == 0 || !flagged) {
        return leaf(flagged, position);
      }
      Hash256 left = node(height - 1, 2 * position);
      if (left == null) {
        return null;
      }
      if (2 * position + 1 >= width(height - 1)) {
        return DoubleSha256.ofPair(left, left);
      }
      Hash256 right = node(height - 1, 2 * position + 1);
      if (right == null) {
        return null;
      }
      if (right.equals(left)) {
        return refuse(Reason.EQUAL_CHILDREN);
      }
      fakes |= InnerNode.mayBeTransaction(left, right);
      return DoubleSha256.ofPair(left, right);
    }

    private @Nullable Hash256 leaf(boolean flagged, int position) {
      if (hashesUsed == hashCount) {
        return refuse(Reason.OUT_OF_HASHES);
      }
      Hash256 hash = hash(hashesUsed++);
      if (flagged) {
        if (matches.isEmpty()) {
          matches = new ArrayList<>();
        }
        matches.add(new Match(hash, position));
      }
      return hash;
    }

    private @Nullable Hash256 refuse(Reason failed) {
      reason = failed;
      return null;
    }
  }

  /** Equal claims. */
  @Override
  public boolean equals(Object other) {
    return other instanceof PartialMerkleTree t
        && transactions == t.transactions
        && hashCount == t.hashCount
        && toBytes().equals(t.toBytes());
  }

  @Override
  public int hashCode() {
    return 31 * transactions + flags().hashCode();
  }

  /** The counts. */
  @Override
  public String toString() {
    return "PartialMerkleTree[transactions="
        + Integer.toUnsignedString(transactions)
        + ", hashes="
        + hashCount
        + ", flags="
        + flags()
        + "]";
  }
}
