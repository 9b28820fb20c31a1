package org.murmur.regtest.hostile.peers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.PartialMerkleTree;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.wire.Headers;
import org.murmur.p2p.wire.InventoryItem;
import org.murmur.p2p.wire.Message;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.BlockAssembly;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.hostile.Mask;

/** Has one more mined block on top of the honest chain, which every honest node refuses. */
class TopBlock implements Mask {

  private static final long SPACING = 600;

  private final Hash256 below;
  private final Block block;
  private final List<Message> proof;
  private boolean known;

  /** Shows its header only. */
  TopBlock(Chain chain, Duration ahead) {
    this(chain, List.of(), ahead, block -> List.of());
  }

  private TopBlock(Chain chain, List<Tx> transactions, Duration ahead, Proof proof) {
    Block tip = chain.tip();
    int height = chain.height() + 1;
    this.below = tip.hash();
    this.block =
        BlockAssembly.mine(
            below,
            height,
            tip.time() + SPACING + ahead.toSeconds(),
            OutputScripts.anyoneCanSpend(2),
            Chain.subsidy(height),
            0,
            transactions);
    this.proof = List.copyOf(proof.of(block));
  }

  /** The answer to a request for the block. */
  interface Proof {
    List<Message> of(Block block);
  }

  /** Announces its second transaction. */
  static TopBlock with(Chain chain, Tx tx, Proof proof) {
    return new TopBlock(chain, List.of(tx), Duration.ZERO, proof);
  }

  /** The messages that prove and deliver a transaction. */
  static List<Message> delivering(Block block, PartialMerkleTree tree, Tx tx) {
    return List.of(
        new Message.MerkleBlockMessage(MerkleBlock.of(block.header().bytes(), tree)),
        new Message.TxMessage(tx));
  }

  @Override
  public boolean hears(Message message) {
    if (message instanceof Message.GetHeaders ask) {
      known = ask.locator().contains(block.hash());
    }
    return true;
  }

  @Override
  public List<Message> answers(Message message) {
    List<Message> answers = new ArrayList<>();
    if (message instanceof Message.GetData ask) {
      for (InventoryItem item : ask.items()) {
        if (item.hash().equals(block.hash())) {
          boolean whole = item.type() == InventoryItem.BLOCK;
          answers.addAll(whole ? List.of(new Message.BlockMessage(block.raw())) : proof);
        }
      }
    }
    return answers;
  }

  @Override
  public List<Message> says(Message message) {
    if (!(message instanceof Message.HeadersMessage told) || known) {
      return List.of(message);
    }
    Headers headers = told.headers();
    boolean toTheTop = headers.isEmpty() || headers.hash(headers.count() - 1).equals(below);
    return toTheTop ? List.of(new Message.HeadersMessage(withTop(headers))) : List.of(message);
  }

  private Headers withTop(Headers headers) {
    List<byte[]> parts = new ArrayList<>();
    parts.add(headers.toStored().toArray());
    parts.add(block.header().bytes().toArray());
    byte[] all = new byte[parts.get(0).length + Headers.HEADER_LENGTH];
    System.arraycopy(parts.get(0), 0, all, 0, parts.get(0).length);
    System.arraycopy(parts.get(1), 0, all, parts.get(0).length, Headers.HEADER_LENGTH);
    return Headers.ofStored(Bytes.wrap(all));
  }
}
