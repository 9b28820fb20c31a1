package org.murmur.p2p.internal.scan;

import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.Verdict;
import org.murmur.p2p.internal.peers.Budget;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;

/**
 * Checks the depth of Merkle trees that may fake it (CVE-2017-12842).
 *
 * <p>A peer that sends such a tree is asked for the whole block, which shows the number of
 * transactions. Until then the block counts as not scanned, and the peer is not blamed: two
 * payments of any sender can make an honest tree look like this. A peer that proved a block has it,
 * so it is disconnected if it does not send it.
 */
public final class Depths extends Part<ScanPeer> implements WholeBlocks.Reader {

  /** Whether the depth of a tree is right. */
  enum Judgement {
    RIGHT,
    WRONG,
    UNKNOWN
  }

  private final Budget budget;
  private final WholeBlocks whole;
  private final Map<Hash256, Integer> transactions = new HashMap<>();

  public Depths(Part<? extends ScanPeer> machine, Budget budget, WholeBlocks whole) {
    super(machine);
    this.budget = budget;
    this.whole = whole;
    whole.add(this);
  }

  /** Judges the depth of a proof whose root is right. */
  Judgement judge(MerkleBlock proof, Verdict.Proven proven) {
    Integer known = transactions.get(proof.blockHash());
    if (known != null) {
      return known == proof.tree().transactions() ? Judgement.RIGHT : Judgement.WRONG;
    }
    return proven.mayFakeItsDepth() ? Judgement.UNKNOWN : Judgement.RIGHT;
  }

  /** Notes that a peer sent a doubtful tree of an active block. */
  void doubt(ScanPeer peer, int height) {
    peer.scan().doubts.add(new ScanLink.Doubt(height, chain.hashAt(height)));
  }

  /** Takes the number of transactions from a whole block. */
  @Override
  public void read(FullBlock block) {
    transactions.put(block.hash(), block.transactions().size());
  }

  /** Requests one doubtful block from each peer, each block from one peer only. */
  public void advance() {
    for (ScanPeer peer : roster.peers()) {
      Deque<ScanLink.Doubt> doubts = peer.scan().doubts;
      doubts.removeIf(doubt -> !isActive(doubt) || transactions.containsKey(doubt.block()));
      if (whole.isFree(peer) && budget.allowsWholeBlock()) {
        doubts.stream()
            .map(ScanLink.Doubt::block)
            .filter(block -> !whole.isAsked(block))
            .findFirst()
            .ifPresent(block -> whole.ask(peer, block));
      }
    }
  }

  /** The first block that the byte limit leaves undecided, if there is one. */
  public Optional<ScanLink.Doubt> heldUp() {
    return budget.allowsWholeBlock()
        ? Optional.empty()
        : roster.peers().stream().flatMap(peer -> peer.scan().doubts.stream()).findFirst();
  }

  /** Refuses a peer that does not send the block that it proved. */
  @Override
  public Refusal notSent(ScanPeer peer, Hash256 asked) {
    for (ScanLink.Doubt doubt : peer.scan().doubts) {
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

  private boolean isActive(ScanLink.Doubt doubt) {
    return doubt.height() <= chain.height() && chain.hashAt(doubt.height()).equals(doubt.block());
  }
}
