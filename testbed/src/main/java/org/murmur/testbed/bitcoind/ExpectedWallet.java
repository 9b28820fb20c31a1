package org.murmur.testbed.bitcoind;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The report of the node's own wallet at one instant: balances, transactions, coins. All amounts in
 * satoshi.
 *
 * <p>The node divides the total into {@code trusted + pending + immature}, where its own
 * unconfirmed change is trusted; Murmur divides the same total into {@code confirmed + unconfirmed
 * + immature}. The second division follows from the transactions: confirmed is the sum of the
 * confirmed ones' net amounts less what is immature, unconfirmed the sum of the pending ones'.
 *
 * @param tip the tip's block hash in display order
 * @param trusted the node's balance of confirmed coins and its own change, less what is spent
 * @param pending the node's balance of unconfirmed coins from others
 * @param immature coinbases with fewer than 100 confirmations
 * @param transactions every transaction of the active chain or the memory pool that moves the
 *     wallet's coins: lowest first, pending ones last
 * @param coins what is unspent even by pending transactions, pending and immature ones included
 */
public record ExpectedWallet(
    int height,
    String tip,
    long trusted,
    long pending,
    long immature,
    List<Transaction> transactions,
    List<Coin> coins) {

  /**
   * A transaction as the wallet sees it: the txid in display order, its block's height or null, its
   * net effect on the balance in satoshi (negative if it takes away, fees included).
   */
  public record Transaction(String txid, @Nullable Integer height, long net, boolean coinbase) {}

  /**
   * An unspent output of the wallet: the txid in display order, the value in satoshi, the height of
   * its block or null.
   */
  public record Coin(String txid, int vout, long value, @Nullable Integer height, String address) {}

  /** Returns the total balance in satoshi. */
  public long total() {
    return trusted + pending + immature;
  }

  /** Returns the satoshi in mature outputs that no confirmed transaction spends. */
  public long confirmed() {
    return net(true) - immature;
  }

  /** Returns the change by pending transactions in satoshi; it may be negative. */
  public long unconfirmed() {
    return net(false);
  }

  private long net(boolean inChain) {
    return transactions.stream()
        .filter(tx -> (tx.height() != null) == inChain)
        .mapToLong(Transaction::net)
        .sum();
  }
}
