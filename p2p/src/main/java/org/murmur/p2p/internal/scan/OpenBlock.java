package org.murmur.p2p.internal.scan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.Match;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.tx.Tx;

/** A merkleblock whose matched transactions are still coming. */
final class OpenBlock {

  /**
   * Bytes of transactions, without witness data, that a block can hold: a fourth of Core's
   * MAX_BLOCK_WEIGHT.
   */
  static final int MAX_BYTES = 1_000_000;

  final MerkleBlock proof;
  private final List<Match> matches;
  private final Map<Hash256, @Nullable Tx> transactions = new HashMap<>();
  private int missing;
  private int bytes;
  private final boolean setAside;

  OpenBlock(MerkleBlock proof, List<Match> matches) {
    this(proof, matches, false);
  }

  private OpenBlock(MerkleBlock proof, List<Match> matches, boolean setAside) {
    this.proof = proof;
    this.matches = matches;
    this.setAside = setAside;
    for (Match match : matches) {
      transactions.put(match.txid(), null);
    }
    missing = transactions.size();
  }

  /**
   * Makes one that does not count, because its proof is doubtful. Its transactions still arrive,
   * since they were requested.
   */
  static OpenBlock setAside(MerkleBlock proof, List<Match> matches) {
    return new OpenBlock(proof, matches, true);
  }

  boolean isSetAside() {
    return setAside;
  }

  /** Whether it matched at the coinbase's place and is none, or the other way round. */
  boolean misplaces(Tx tx) {
    return matches.stream()
        .anyMatch(
            match -> match.txid().equals(tx.txid()) && tx.isCoinbase() != (match.position() == 0));
  }

  /**
   * Takes a transaction if it matched and is missing; returns whether it did. Together they are no
   * larger than a block: an oversized block stays incomplete. So does a block with a misplaced one.
   */
  boolean take(Tx tx) {
    if (misplaces(tx)) {
      return false;
    }
    if (!transactions.containsKey(tx.txid()) || transactions.get(tx.txid()) != null) {
      return false;
    }
    if (bytes + tx.raw().length() > MAX_BYTES) {
      return false;
    }
    transactions.put(tx.txid(), tx);
    bytes += tx.raw().length();
    missing--;
    return true;
  }

  boolean isWhole() {
    return missing == 0;
  }

  /** Fills missing transactions from earlier ones on the link. */
  void fill(Map<Hash256, Tx> seen) {
    for (Match match : matches) {
      Tx tx = seen.get(match.txid());
      if (tx != null) {
        take(tx);
      }
    }
  }

  /** The transactions in block order, without any of 64 bytes (CVE-2017-12842). */
  List<Tx> proven() {
    List<Tx> proven = new ArrayList<>();
    for (Match match : matches) {
      Tx tx = transactions.get(match.txid());
      if (tx != null && MerkleBlock.provable(tx)) {
        proven.add(tx);
      }
    }
    return proven;
  }
}
