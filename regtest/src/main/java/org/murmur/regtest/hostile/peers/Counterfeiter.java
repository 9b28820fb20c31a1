package org.murmur.regtest.hostile.peers;

import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
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

/** Mines a block with a transaction to the wallet that no valid block can hold. */
public final class Counterfeiter implements Hostile {

  private final String deed;
  private final Function<Scene, Tx> lie;

  private Counterfeiter(String deed, Function<Scene, Tx> lie) {
    this.deed = deed;
    this.lie = lie;
  }

  /**
   * Makes one that pays a value which no output can have.
   *
   * @param value of the output, in satoshi
   * @return the hostile peer
   */
  public static Counterfeiter paying(long value) {
    return new Counterfeiter(
        "pays the wallet " + value + " satoshi",
        scene -> new TxBuilder().spend(reward(scene)).pay(value, scene.script()).build());
  }

  /**
   * Makes one that spends a coin twice in one transaction (CVE-2018-17144).
   *
   * @return the hostile peer
   */
  public static Counterfeiter spendingTwice() {
    return new Counterfeiter(
        "spends an input twice",
        scene ->
            new TxBuilder()
                .spend(reward(scene))
                .spend(reward(scene))
                .pay(1_000_000, scene.script())
                .build());
  }

  /**
   * Makes one that creates coins for the wallet in a second coinbase.
   *
   * @return the hostile peer
   */
  public static Counterfeiter creating() {
    return new Counterfeiter(
        "is a coinbase, though not the first of the block",
        scene ->
            new TxBuilder()
                .spend(new OutPoint(Hash256.ZERO, -1), Bytes.ofHex("020107"), -1, List.of())
                .pay(5_000_000_000L, scene.script())
                .build());
  }

  private static OutPoint reward(Scene scene) {
    return scene.chain().blockAt(1).tx(0).outPoint(0);
  }

  @Override
  public String sentence() {
    return "Mines a block whose transaction " + deed + ".";
  }

  @Override
  public Mask mask(Scene scene) {
    return TopBlock.with(scene.chain(), lie.apply(scene), Counterfeiter::prove);
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
