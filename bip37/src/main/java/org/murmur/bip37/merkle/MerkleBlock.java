package org.murmur.bip37.merkle;

import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.tx.Tx;

/**
 * The {@code merkleblock} of BIP-0037: a block's header and a proof of the transactions that
 * matched a filter. Also the format of a node's {@code gettxoutproof}.
 *
 * <p>{@link #verify()} checks the proof against the header. Proof of work and chain are not checked
 * here. Omitted matches cannot be detected. Immutable, with equality.
 *
 * <pre>
 *   80 bytes     header; the Merkle root stands at byte 36
 *   bytes        partial Merkle tree, see {@link PartialMerkleTree}
 * </pre>
 */
public final class MerkleBlock {

  /** Number of bytes of a block header. */
  public static final int HEADER_BYTES = 80;

  static final int ROOT_AT = 36;

  /** A transaction of this size has the form of an inner node: two hashes (CVE-2017-12842). */
  private static final int INNER_NODE_BYTES = 2 * Hash256.LENGTH;

  private final Bytes payload;
  private final PartialMerkleTree tree;
  private @Nullable Hash256 blockHash;

  private MerkleBlock(Bytes payload, PartialMerkleTree tree) {
    this.payload = payload;
    this.tree = tree;
  }

  /**
   * Decodes the payload of a {@code merkleblock}, without a copy.
   *
   * @param payload the whole payload
   * @return the message, unchecked
   * @throws MalformedException if it is cut short or bytes are left over
   */
  public static MerkleBlock parse(Bytes payload) {
    byte[] source = payload.unsafeArray();
    ByteReader in = new ByteReader(source);
    in.skip(HEADER_BYTES);
    PartialMerkleTree tree = PartialMerkleTree.readInPlace(in, source);
    in.expectEnd();
    return new MerkleBlock(payload, tree);
  }

  /**
   * Decodes a payload that is part of an array, with one copy.
   *
   * @param source the array, free to be used again
   * @param from index of the first byte
   * @param to index behind the last byte
   * @return the message, unchecked
   * @throws MalformedException if it is cut short or bytes are left over
   */
  public static MerkleBlock read(byte[] source, int from, int to) {
    return parse(Bytes.of(source, from, to));
  }

  /**
   * Makes a message.
   *
   * @param header 80 bytes
   * @param tree the proof
   * @return the message, unchecked
   * @throws IllegalArgumentException if the header is not 80 bytes long
   */
  public static MerkleBlock of(Bytes header, PartialMerkleTree tree) {
    if (header.length() != HEADER_BYTES) {
      throw new IllegalArgumentException("header of " + header.length() + " bytes, expected 80");
    }
    ByteWriter out = new ByteWriter(HEADER_BYTES + 64);
    out.bytes(header);
    tree.writeTo(out);
    return parse(out.toBytes());
  }

  /**
   * Returns whether a Merkle proof can prove a transaction. A transaction of 64 bytes without
   * witness data could be an inner node of the tree (two hashes), so it counts as unproven
   * (CVE-2017-12842). Nodes have not relayed such transactions since 2019.
   *
   * @param tx a transaction that a proof names
   * @return false if its stripped size is 64 bytes
   */
  public static boolean provable(Tx tx) {
    return tx.strippedSize() != INNER_NODE_BYTES;
  }

  /** {@return the header, a copy of 80 bytes} */
  public Bytes header() {
    return payload.slice(0, HEADER_BYTES);
  }

  /**
   * {@return the block's hash, the double SHA-256 of the header} Computed once, on first use; safe
   * to race.
   */
  public Hash256 blockHash() {
    Hash256 known = blockHash;
    if (known == null) {
      known = DoubleSha256.of(payload.unsafeArray(), 0, HEADER_BYTES);
      blockHash = known;
    }
    return known;
  }

  /** {@return the Merkle root in the header} */
  public Hash256 merkleRoot() {
    return Hash256.read(payload.unsafeArray(), ROOT_AT);
  }

  /** {@return the proof, the partial tree, unchecked} */
  public PartialMerkleTree tree() {
    return tree;
  }

  /** {@return the payload, the bytes as received} */
  public Bytes toPayload() {
    return payload;
  }

  /**
   * Checks that the proof is sound and belongs to the header.
   *
   * @return the matches, or the reason for refusal
   */
  public Verdict verify() {
    Outcome outcome = tree.extract();
    if (outcome instanceof Outcome.Proven proven) {
      return proven.root().equals(merkleRoot())
          ? new Verdict.Proven(proven.matches(), proven.mayFakeItsDepth())
          : new Verdict.Refused(Reason.WRONG_ROOT);
    }
    return new Verdict.Refused(((Outcome.Refused) outcome).reason());
  }

  /**
   * Makes the proof of one of the matches. A proof that is shown to others must not reveal that the
   * other matches belong together.
   *
   * @param txid a match
   * @return proves this transaction only, as Core would build it; or empty if the proof is invalid
   *     or has no such match
   */
  public Optional<MerkleBlock> only(Hash256 txid) {
    BitSet position = new BitSet();
    if (verify() instanceof Verdict.Proven proven) {
      proven.matches().stream()
          .filter(match -> match.txid().equals(txid))
          .forEach(match -> position.set(match.position()));
    }
    return position.isEmpty()
        ? Optional.empty()
        : tree.only(position).map(narrowed -> of(header(), narrowed));
  }

  /** Equal payloads. */
  @Override
  public boolean equals(Object other) {
    return other instanceof MerkleBlock b && payload.equals(b.payload);
  }

  @Override
  public int hashCode() {
    return payload.hashCode();
  }

  /** Block hash and proof. */
  @Override
  public String toString() {
    return "MerkleBlock[" + blockHash() + ", " + tree + "]";
  }
}
