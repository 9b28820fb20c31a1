package org.murmur.p2p.sync;

import java.util.HashMap;
import java.util.Map;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.Verdict;

/**
 * How deep the trees of blocks are, where a proof alone does not tell (CVE-2017-12842).
 *
 * <p>Whoever sends a tree that may fake its depth is asked for the whole block, which says how many
 * transactions there are. Until it is here the block counts as passed over, and its sender is not
 * blamed: two payments that anybody made can look like this in an honest tree. Who sends a proof
 * has the block; who does not hand it over is let go.
 */
final class Depths {

  /** A block that a peer proved, as of then. */
  record Doubt(int height, Hash256 block) {}

  /** What is known of a tree. */
  enum Judgement {
    RIGHT,
    WRONG,
    UNKNOWN
  }

  private final Session session;
  private final Map<Hash256, Integer> transactions = new HashMap<>();

  Depths(Session session) {
    this.session = session;
  }

  /** Judges a proof that is sound but for its depth. */
  Judgement judge(MerkleBlock proof, Verdict.Proven proven) {
    Integer known = transactions.get(proof.blockHash());
    if (known != null) {
      return known == proof.tree().transactions() ? Judgement.RIGHT : Judgement.WRONG;
    }
    return proven.mayFakeItsDepth() ? Judgement.UNKNOWN : Judgement.RIGHT;
  }

  /** A peer sent a proof of an active block, of which nothing is known. */
  void doubt(Peer peer, int height) {
    peer.doubts.add(new Doubt(height, session.chain.hashAt(height)));
  }

  /** A whole block is here, sound. */
  void learn(Hash256 hash, FullBlock block) {
    transactions.put(hash, block.transactions().size());
  }

  /** Asks each peer for one of the blocks that it proved. */
  void advance() {
    for (Peer peer : session.peers.values()) {
      peer.doubts.removeIf(doubt -> !isActive(doubt) || transactions.containsKey(doubt.block()));
      if (!peer.doubts.isEmpty() && peer.wholeBlock == null) {
        Settlement.askWhole(session, peer, peer.doubts.element().block());
      }
    }
  }

  /** The pong behind a question: what has not come will not come. */
  Refusal ponged(Peer peer, long nonce) {
    Hash256 asked = peer.wholeBlock;
    if (asked == null || peer.wholeBlockPing != nonce) {
      return Refusal.NONE;
    }
    for (Doubt doubt : peer.doubts) {
      if (doubt.block().equals(asked) && isActive(doubt)) {
        return new Refusal(
            DisconnectReason.LACKS_BLOCKS,
            Obstacle.LACKS_BLOCKS,
            "sent a Merkle proof of block "
                + asked
                + " at height "
                + doubt.height()
                + " that only the whole block can confirm, and does not send that");
      }
    }
    return Refusal.NONE;
  }

  private boolean isActive(Doubt doubt) {
    return doubt.height() <= session.chain.height()
        && session.chain.hashAt(doubt.height()).equals(doubt.block());
  }
}
