package org.murmur.regtest.hostile.peers;

import java.util.List;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.PartialMerkleTree;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.wire.Message;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.hostile.Expectation;
import org.murmur.regtest.hostile.Hostile;
import org.murmur.regtest.hostile.Mask;
import org.murmur.regtest.hostile.Scene;

/**
 * Proves a made-up payment by a leaf inside a transaction of 64 bytes (CVE-2017-12842).
 *
 * <pre>
 * block:   root = H(coinbase, H(64 bytes))      told: root = H(coinbase, H(payment, rest))
 * 64 bytes = txid of the payment | rest; its fifth byte, the number of inputs, must be 1
 * </pre>
 *
 * <p>The input of these 64 bytes does not exist: an existing one takes about 2^70 hashes. A client
 * cannot see that, so the lie is the same to it.
 */
public final class Decoy implements Hostile {

  private static final int INPUTS_AT = 4;
  private static final Bytes ROOT_RIGHT_MATCH = Bytes.of(new byte[] {0b01101});
  private static final Bytes REST =
      new ByteWriter(Hash256.LENGTH)
          .bytes(Bytes.wrap(new byte[5])) // the end of the txid that is spent
          .int32(0) // the index of its output
          .uint8(0) // no script
          .int32(-1) // sequence
          .uint8(1) // one output
          .int64(1_000)
          .varBytes(Bytes.wrap(new byte[4])) // its script
          .int32(0) // lock time
          .toBytes();

  @Override
  public String sentence() {
    return "Proves a made-up payment by a leaf inside a transaction of 64 bytes (CVE-2017-12842).";
  }

  @Override
  public Mask mask(Scene scene) {
    Tx payment = payment(scene.script());
    Tx node = Tx.parse(new ByteWriter(64).hash(payment.txid()).bytes(REST).toBytes());
    return TopBlock.with(scene.chain(), node, block -> prove(block, payment));
  }

  private static Tx payment(Bytes script) {
    int number = 0;
    while (true) {
      Tx tx = Announcer.spendingNothing(number++).pay(1_000_000, script).build();
      if (tx.txid().toInternal()[INPUTS_AT] == 1) {
        return tx;
      }
    }
  }

  private static List<Message> prove(Block block, Tx payment) {
    Hash256 rest = Hash256.ofInternal(REST.toArray());
    PartialMerkleTree tree =
        PartialMerkleTree.of(4, List.of(block.txid(0), payment.txid(), rest), ROOT_RIGHT_MATCH);
    return TopBlock.delivering(block, tree, payment);
  }

  @Override
  public Expectation expectation() {
    return Expectation.minedOnTop(DisconnectReason.BAD_PROOF);
  }
}
