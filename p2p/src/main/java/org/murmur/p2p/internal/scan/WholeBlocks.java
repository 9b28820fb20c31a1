package org.murmur.p2p.internal.scan;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.bip37.merkle.Reason;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Patience;
import org.murmur.p2p.internal.peers.Question;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.DisconnectReason;

/**
 * Requests whole blocks, one at a time from each peer, so that a missing answer shows. Each block
 * is downloaded once and goes to all readers.
 */
public final class WholeBlocks extends Part<ScanPeer> {

  /** A part that requests whole blocks. */
  public interface Reader {

    /** A block has come that passed its checks; another reader may have requested it. */
    void read(FullBlock block);

    /**
     * A peer does not send a requested block. Returns the reason to disconnect it, or {@link
     * Refusal#NONE}.
     */
    default Refusal notSent(ScanPeer peer, Hash256 block) {
      return Refusal.NONE;
    }
  }

  private final List<Reader> readers = new ArrayList<>();

  public WholeBlocks(Part<? extends ScanPeer> machine) {
    super(machine);
  }

  /** Passes all blocks to a reader, after earlier readers. */
  public void add(Reader reader) {
    readers.add(reader);
  }

  /** Whether a peer says that it has whole blocks, the last ones at least, and owes us none. */
  public boolean mayServe(ScanPeer peer) {
    return serves(peer) && isFree(peer);
  }

  /** Whether a peer says that it has whole blocks, the last ones at least. */
  public boolean serves(ScanPeer peer) {
    Message.Version version = peer.version();
    return version != null
        && (version.services() & (Services.NETWORK | Services.NETWORK_LIMITED)) != 0;
  }

  /** Whether a peer owes no whole block. */
  boolean isFree(ScanPeer peer) {
    return peer.whole == null;
  }

  /** Whether no peer owes a whole block. */
  public boolean isIdle() {
    return roster.peers().stream().allMatch(this::isFree);
  }

  /** Whether a peer owes this block. */
  public boolean isAsked(Hash256 block) {
    return roster.peers().stream()
        .anyMatch(peer -> peer.whole != null && peer.whole.block().equals(block));
  }

  /** Requests a block without witness data from a peer that has no open request. */
  public void ask(ScanPeer peer, Hash256 block) {
    ask(peer, block, false);
  }

  /** Requests a block with its witness data from a peer that has no open request. */
  public void askWithWitness(ScanPeer peer, Hash256 block) {
    ask(peer, block, true);
  }

  private void ask(ScanPeer peer, Hash256 block, boolean witness) {
    if (!isFree(peer)) {
      throw new IllegalStateException(peer.link() + " still owes a block");
    }
    int type = witness ? InventoryItem.WITNESS_BLOCK : InventoryItem.BLOCK;
    Message request = new Message.GetData(List.of(new InventoryItem(type, block)));
    Question question =
        effects.ask(
            peer, Question.Kind.WHOLE_BLOCK, 1, request, asked -> closed(peer, block, asked));
    peer.whole = new ScanPeer.WholeBlock(block, witness, question);
  }

  /** Takes a block message. Returns the reason to disconnect the peer, or {@link Refusal#NONE}. */
  public Refusal received(ScanPeer peer, Message.BlockMessage message) {
    ScanPeer.WholeBlock asked = peer.whole;
    if (asked == null) {
      return new Refusal(DisconnectReason.UNASKED, "a whole block that was not requested");
    }
    FullBlock block;
    try {
      block = FullBlock.parse(message.raw());
    } catch (MalformedException e) {
      return new Refusal(DisconnectReason.PROTOCOL_ERROR, "block: " + e.getMessage());
    }
    if (!block.hash().equals(asked.block())) {
      return new Refusal(
          DisconnectReason.UNASKED, "block " + block.hash() + ", asked for " + asked.block());
    }
    Reason reason = block.refusal();
    if (reason != null) {
      return new Refusal(
          DisconnectReason.BAD_PROOF,
          "the whole block " + asked.block() + " is not sound: " + Refusal.words(reason));
    }
    if (asked.witness() && !block.hasSoundWitness()) {
      return new Refusal(
          DisconnectReason.BAD_PROOF,
          "the whole block " + asked.block() + " came with witness data that is not its own");
    }
    peer.whole = null;
    peer.questions().earns(Patience.Answer.PROGRESS, effects.now());
    peer.questions().answered(asked.question(), 1, effects.now());
    effects.changed();
    readers.forEach(reader -> reader.read(block));
    return Refusal.NONE;
  }

  /** The pong after a block: if the block has not come, it will not come. */
  private Refusal closed(ScanPeer peer, Hash256 block, Question question) {
    if (question.owed() == 0) {
      return Refusal.NONE;
    }
    peer.whole = null;
    effects.changed();
    Refusal refusal = Refusal.NONE;
    for (Reader reader : readers) {
      Refusal next = reader.notSent(peer, block);
      refusal = refusal.isRefusal() ? refusal : next;
    }
    return refusal;
  }
}
