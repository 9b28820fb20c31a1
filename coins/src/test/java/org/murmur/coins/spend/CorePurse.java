package org.murmur.coins.spend;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.testbed.bitcoind.JsonRpc;

/** Coins of a real node that need no signature, for deposits of any values. */
final class CorePurse {

  /** OP_TRUE: needs no signature. A block may hold it, though nodes do not relay it. */
  private static final Bytes ANYONE = Bytes.ofHex("51");

  private static final int COINBASES = 20;
  private static final long COINBASE = 5_000_000_000L;

  private final JsonRpc node;
  private OutPoint coin;
  private long left = COINBASES * COINBASE;

  /** The value of the first blocks in one output that anyone can spend. */
  CorePurse(JsonRpc node) {
    this.node = node;
    TxBuilder all = new TxBuilder();
    for (JsonNode hash : node.call("generatetodescriptor", COINBASES, "raw(" + ANYONE + ")")) {
      JsonNode coinbase = node.call("getblock", hash.asText(), 1).get("tx").get(0);
      all.spend(new OutPoint(Hash256.ofDisplay(coinbase.asText()), 0));
    }
    node.call("generatetodescriptor", 100, "raw(6a)");
    Tx first = all.pay(left, ANYONE).build();
    mine(first.raw().toHex());
    coin = new OutPoint(first.txid(), 0);
  }

  /** Mines a block with one transaction, which is in hex or in the memory pool. */
  void mine(String transaction) {
    node.call("generateblock", "raw(6a)", List.of(transaction));
  }

  /** Mines one transaction that pays all of these. */
  void deposit(List<Tx.Output> outputs) {
    TxBuilder builder = new TxBuilder().spend(coin);
    for (Tx.Output output : outputs) {
      builder.pay(output.value(), output.script());
      left -= output.value();
    }
    Tx tx = builder.pay(left, ANYONE).build();
    coin = new OutPoint(tx.txid(), outputs.size());
    mine(tx.raw().toHex());
  }
}
