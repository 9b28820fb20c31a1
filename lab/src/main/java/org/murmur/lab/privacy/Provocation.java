package org.murmur.lab.privacy;

import java.util.List;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.Dice;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.Scripts;
import org.murmur.regtest.TxBuilder;

/**
 * A block with one transaction that matches a client's filter: a payment to it, or a stranger's
 * that matches by chance. Whoever mines the block knows which, and watches whether the client's
 * behaviour tells, too. For one thread.
 */
final class Provocation {

  /** Blocks before a coinbase can be spent, and one. */
  static final int MATURITY = 101;

  /** So many hashes without a match: the filter's rate is too low to be provoked. */
  private static final int PATIENCE = 50_000_000;

  private final RegtestNode node;
  private final Dice dice;
  private int nextCoinbase = 1;

  Provocation(RegtestNode node, Dice dice) {
    this.node = node;
    this.dice = dice;
  }

  /** Mines a block in which the client is paid. */
  void pay(Bytes script) {
    mine(script);
  }

  /** Mines a block in which somebody else is paid whose hash matches a filter. */
  void payStranger(BloomFilter filter) {
    mine(matching(filter));
  }

  /** Announces such a payment, which the client fetches, and mines it only when told to. */
  void announceStranger(BloomFilter filter) {
    node.broadcast(tx(matching(filter)));
  }

  private Bytes matching(BloomFilter filter) {
    byte[] hash = new byte[20];
    for (int i = 0; i < PATIENCE; i++) {
      LittleEndian.putInt64(hash, 0, dice.number());
      LittleEndian.putInt64(hash, 8, dice.number());
      LittleEndian.putInt32(hash, 16, (int) dice.number());
      if (filter.contains(hash, 0, hash.length)) {
        return Scripts.payToWitnessPubKeyHash(Bytes.of(hash));
      }
    }
    throw new IllegalStateException("nothing matches " + filter + " by chance");
  }

  private void mine(Bytes script) {
    node.mine(List.of(tx(script)));
  }

  private Tx tx(Bytes script) {
    Tx coinbase = node.blockAt(nextCoinbase++).tx(0);
    long value = coinbase.outputs().get(0).value() - 1_000;
    return new TxBuilder().spend(coinbase.outPoint(0)).pay(value, script).build();
  }
}
