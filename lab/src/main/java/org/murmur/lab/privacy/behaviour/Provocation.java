package org.murmur.lab.privacy.behaviour;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.chain.TxBuilder;

/**
 * A block with one transaction that matches a client's filter: a payment to it, a spend of its
 * coins, or a false positive. The miner knows which, and checks whether the client's behaviour
 * reveals it. For one thread.
 */
final class Provocation {

  /** The coinbase maturity in blocks, plus one. */
  static final int MATURITY = 101;

  /** Gives up after this many tries without a match: the filter's rate is too low. */
  private static final int PATIENCE = 50_000_000;

  private static final long FEE = 1_000;

  /** The amount left of a swept coin, in satoshi: the same for every owner. */
  private static final long SWEPT = 100_000_000;

  private final RegtestNode node;
  private final Dice dice;
  private final Deque<OutPoint> strangersCoins = new ArrayDeque<>();
  private int nextCoinbase = 1;

  Provocation(RegtestNode node, Dice dice) {
    this.node = node;
    this.dice = dice;
  }

  /** Mines a block with a payment to the client, and returns the new coin. */
  OutPoint pay(Bytes script) {
    Tx tx = payment(script);
    node.mine(List.of(tx));
    return tx.outPoint(0);
  }

  /** Mines a block with a payment to another script whose hash matches a filter. */
  void payStranger(BloomFilter filter) {
    node.mine(List.of(payment(matching(filter))));
  }

  /** Mines a block in which one of the client's coins is swept completely to another script. */
  void spend(OutPoint coin) {
    node.mine(List.of(sweep(coin)));
  }

  /**
   * Mines coins that are not the client's and whose outpoints match a filter by chance, for later
   * spending.
   */
  void mintStrangersCoins(BloomFilter filter, int count) {
    List<Tx> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Tx tx = withMatchingOutPoint(filter);
      all.add(tx);
      strangersCoins.add(tx.outPoint(0));
    }
    node.mine(all);
  }

  /** Mines a block in which one of these coins is swept completely to another script. */
  void spendStrangers() {
    node.mine(List.of(sweep(strangersCoins.remove())));
  }

  private Bytes matching(BloomFilter filter) {
    byte[] hash = new byte[20];
    for (int i = 0; i < PATIENCE; i++) {
      LittleEndian.putInt64(hash, 0, dice.number());
      LittleEndian.putInt64(hash, 8, dice.number());
      LittleEndian.putInt32(hash, 16, (int) dice.number());
      if (filter.contains(hash, 0, hash.length)) {
        return OutputScripts.payToWitnessPubKeyHash(Bytes.of(hash));
      }
    }
    throw new IllegalStateException("nothing matches " + filter + " by chance");
  }

  private Tx withMatchingOutPoint(BloomFilter filter) {
    Tx coinbase = nextCoinbase();
    Bytes script = somebody();
    long value = coinbase.outputs().get(0).value() - FEE;
    for (int i = 0; i < PATIENCE; i++) {
      Tx tx = new TxBuilder().spend(coinbase.outPoint(0)).pay(value - i, script).build();
      if (filter.contains(tx.outPoint(0).toBytes())) {
        return tx;
      }
    }
    throw new IllegalStateException("no outpoint matches " + filter + " by chance");
  }

  private Bytes somebody() {
    return OutputScripts.payToWitnessPubKeyHash(dice.bytes(20));
  }

  private Tx nextCoinbase() {
    return node.blockAt(nextCoinbase++).tx(0);
  }

  private Tx payment(Bytes script) {
    Tx coinbase = nextCoinbase();
    long value = coinbase.outputs().get(0).value() - FEE;
    return new TxBuilder().spend(coinbase.outPoint(0)).pay(value, script).build();
  }

  private Tx sweep(OutPoint coin) {
    return new TxBuilder().spend(coin).pay(SWEPT, somebody()).build();
  }
}
