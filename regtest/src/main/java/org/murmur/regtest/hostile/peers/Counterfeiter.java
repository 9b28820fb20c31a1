package org.murmur.regtest.hostile.peers;

import java.util.BitSet;
import java.util.List;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.merkle.PartialMerkleTree;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.wire.Message;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.regtest.hostile.Expectation;
import org.murmur.regtest.hostile.Hostile;
import org.murmur.regtest.hostile.Mask;
import org.murmur.regtest.hostile.Scene;

/** Mines a block whose transaction pays the wallet a value that no output can have. */
public final class Counterfeiter implements Hostile {

  private final long value;

  /**
   * Makes one.
   *
   * @param value of the output, in satoshi
   */
  public Counterfeiter(long value) {
    this.value = value;
  }

  @Override
  public String sentence() {
    return "Mines a block whose transaction pays the wallet " + value + " satoshi.";
  }

  @Override
  public Mask mask(Scene scene) {
    OutPoint reward = scene.chain().blockAt(1).tx(0).outPoint(0);
    Tx tx = new TxBuilder().spend(reward).pay(value, scene.script()).build();
    return TopBlock.with(scene.chain(), tx, Counterfeiter::prove);
  }

  private static List<Message> prove(Block block) {
    BitSet second = new BitSet();
    second.set(1);
    return TopBlock.delivering(block, PartialMerkleTree.build(block.txids(), second), block.tx(1));
  }

  @Override
  public Expectation expectation() {
    return Expectation.minedOnTop(DisconnectReason.INVALID_TRANSACTION);
  }
}
