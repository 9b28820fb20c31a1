package org.murmur.regtest;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.ChainCoin;

/**
 * The transactions and coins that a wallet should find. They are read from whole blocks, without
 * filters, proofs or peers, so that clients can be compared with it.
 *
 * @param height of the chain it was read from
 * @param confirmedSat mature outputs not spent by a confirmed transaction, in satoshi
 * @param immatureSat outputs of coinbases with fewer than 100 confirmations, in satoshi
 * @param unconfirmedSat the signed change by transactions of the mempool, in satoshi
 * @param transactions those that pay to or spend from the wallet, in the order of the chain, the
 *     unconfirmed ones last
 * @param coins outputs not spent by a confirmed transaction
 */
public record WalletTruth(
    int height,
    long confirmedSat,
    long immatureSat,
    long unconfirmedSat,
    List<Entry> transactions,
    List<ChainCoin> coins) {

  /** The height of a transaction that is in no block. */
  public static final int UNCONFIRMED = -1;

  /**
   * A transaction of the wallet: its block's height or {@link #UNCONFIRMED}, and the satoshi that
   * the wallet gained, negative if it paid.
   */
  public record Entry(Hash256 txid, int height, long netSat) {}

  /** Reads the truth about confirmed transactions. */
  public static WalletTruth scan(Chain chain, Collection<Bytes> scripts) {
    return scan(chain, List.of(), scripts);
  }

  /**
   * Reads the truth about confirmed transactions and those of the mempool, parents before their
   * children.
   */
  public static WalletTruth scan(Chain chain, List<Tx> unconfirmed, Collection<Bytes> scripts) {
    Scan scan = new Scan(new HashSet<>(scripts));
    int height = chain.height();
    for (int i = 0; i <= height; i++) {
      Block block = chain.blockAt(i);
      for (int j = 0; j < block.size(); j++) {
        scan.take(block.tx(j), i);
      }
    }
    List<ChainCoin> coins = List.copyOf(scan.coins.values());
    long immature =
        coins.stream()
            .filter(coin -> !coin.spendableAt(height + 1))
            .mapToLong(ChainCoin::value)
            .sum();
    long all = coins.stream().mapToLong(ChainCoin::value).sum();
    long pending = unconfirmed.stream().mapToLong(tx -> scan.take(tx, UNCONFIRMED)).sum();
    return new WalletTruth(
        height, all - immature, immature, pending, List.copyOf(scan.entries), coins);
  }

  public Map<Hash256, Entry> byTxid() {
    Map<Hash256, Entry> map = new HashMap<>();
    transactions.forEach(entry -> map.put(entry.txid(), entry));
    return map;
  }

  private static final class Scan {

    private final Set<Bytes> scripts;
    private final Map<OutPoint, ChainCoin> coins = new LinkedHashMap<>();
    private final List<Entry> entries = new ArrayList<>();

    Scan(Set<Bytes> scripts) {
      this.scripts = scripts;
    }

    long take(Tx tx, int height) {
      long net = 0;
      boolean concerned = false;
      for (Tx.Input input : tx.inputs()) {
        ChainCoin spent = coins.remove(input.outPoint());
        if (spent != null) {
          concerned = true;
          net -= spent.value();
        }
      }
      List<Tx.Output> outputs = tx.outputs();
      for (int i = 0; i < outputs.size(); i++) {
        Tx.Output output = outputs.get(i);
        if (scripts.contains(output.script())) {
          concerned = true;
          net += output.value();
          OutPoint outPoint = tx.outPoint(i);
          coins.put(
              outPoint,
              new ChainCoin(outPoint, output.value(), output.script(), height, tx.isCoinbase()));
        }
      }
      if (concerned) {
        entries.add(new Entry(tx.txid(), height, net));
      }
      return net;
    }
  }
}
