package org.murmur.p2p.scan;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.bip37.merkle.Reason;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Refusal;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.wire.InventoryItem;
import org.murmur.p2p.wire.Message;

/** Whole blocks: asked for one at a time of each peer, so that its silence can be told. */
public final class WholeBlocks {

  private final Effects effects;

  public WholeBlocks(Effects effects) {
    this.effects = effects;
  }

  /**
   * What came of a message.
   *
   * @param refusal why the peer has to go, or none
   * @param block the block that was asked for, checked; null if it is refused
   */
  public record Outcome(Refusal refusal, @Nullable FullBlock block) {}

  /** Asks a peer for a whole block. */
  void ask(Peer peer, Hash256 block) {
    effects.send(peer, new Message.GetData(List.of(new InventoryItem(InventoryItem.BLOCK, block))));
    peer.beginsToOwe(effects.now());
    ScanLink link = ScanLink.of(peer);
    link.wholeBlock = block;
    link.wholeBlockSince = effects.now();
    link.wholeBlockPing = effects.ping(peer);
  }

  /** Takes a whole block. */
  public Outcome received(Peer peer, Message.BlockMessage message) {
    ScanLink link = ScanLink.of(peer);
    Hash256 asked = link.wholeBlock;
    if (asked == null) {
      return refused(DisconnectReason.UNASKED, "a whole block that was not asked for");
    }
    FullBlock block;
    try {
      block = FullBlock.parse(message.raw());
    } catch (MalformedException e) {
      return refused(DisconnectReason.PROTOCOL_ERROR, "block: " + e.getMessage());
    }
    if (!block.hash().equals(asked)) {
      return refused(DisconnectReason.UNASKED, "block " + block.hash() + ", asked for " + asked);
    }
    Reason reason = block.refusal();
    if (reason != null) {
      return refused(
          DisconnectReason.BAD_PROOF,
          "the whole block " + asked + " is not sound: " + Refusal.words(reason));
    }
    link.wholeBlock = null;
    link.wholeBlockAt = effects.now();
    effects.changed();
    return new Outcome(Refusal.NONE, block);
  }

  private static Outcome refused(DisconnectReason reason, String detail) {
    return new Outcome(new Refusal(reason, detail), null);
  }

  /** A pong; returns whether a block that it stands behind has not come, and will not. */
  public boolean ponged(Peer peer, long nonce) {
    ScanLink link = ScanLink.of(peer);
    if (link.wholeBlock == null || link.wholeBlockPing != nonce) {
      return false;
    }
    link.wholeBlock = null;
    effects.changed();
    return true;
  }
}
