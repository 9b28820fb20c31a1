package org.murmur.regtest.node;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.PartialMerkleTree;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.Block;

/**
 * A filtered block on its way to a peer.
 *
 * @param witness whether the peer asked for witness data
 * @param matches the positions of the transactions that match the filter
 * @param tree the proof that is sent
 * @param proven the positions of the transactions that it proves
 * @param sent the messages after the proof
 */
public record FilteredBlock(
    Block block,
    boolean witness,
    BitSet matches,
    PartialMerkleTree tree,
    BitSet proven,
    List<Message> sent) {

  public FilteredBlock {
    sent = List.copyOf(sent);
  }

  static FilteredBlock honest(Block block, boolean witness, BitSet matches) {
    return proving(block, witness, matches, matches);
  }

  private static FilteredBlock proving(
      Block block, boolean witness, BitSet matches, BitSet proven) {
    PartialMerkleTree tree =
        proven.isEmpty()
            ? PartialMerkleTree.withoutMatches(block.size(), block.header().merkleRoot())
            : PartialMerkleTree.build(block.txids(), proven);
    List<Message> sent = new ArrayList<>();
    proven.stream().forEach(i -> sent.add(message(block.tx(i), witness)));
    return new FilteredBlock(block, witness, matches, tree, proven, sent);
  }

  static Message.TxMessage message(Tx tx, boolean witness) {
    return new Message.TxMessage(witness ? tx : tx.withoutWitness());
  }

  public Hash256 hash() {
    return block.hash();
  }

  /** Returns one of its transactions as it is sent, whether it matches or not. */
  public Message message(int position) {
    return message(block.tx(position), witness);
  }

  /** Proves and sends the transactions at other positions, with a valid proof. */
  public FilteredBlock proving(BitSet positions) {
    return proving(block, witness, matches, positions);
  }

  /** Sends another proof, perhaps a wrong one. */
  public FilteredBlock with(PartialMerkleTree proof) {
    return new FilteredBlock(block, witness, matches, proof, proven, sent);
  }

  /** Sends other messages after the proof. */
  public FilteredBlock sending(List<Message> messages) {
    return new FilteredBlock(block, witness, matches, tree, proven, messages);
  }

  List<Message> messages() {
    List<Message> all = new ArrayList<>();
    all.add(new Message.MerkleBlockMessage(MerkleBlock.of(block.header().bytes(), tree)));
    all.addAll(sent);
    return all;
  }
}
