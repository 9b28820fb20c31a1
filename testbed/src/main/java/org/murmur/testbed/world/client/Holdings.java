package org.murmur.testbed.world.client;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.regtest.WalletTruth;

/**
 * A wallet's report of its coins and transactions.
 *
 * @param confirmedSat mature outputs not spent by a confirmed transaction, in satoshi
 * @param immatureSat coinbases too young, in satoshi
 * @param unconfirmedSat the signed change by pending transactions, in satoshi
 * @param transactions those that count: confirmed and pending ones
 * @param coins outputs that no confirmed or pending transaction spends
 */
public record Holdings(
    int height,
    Hash256 tip,
    long confirmedSat,
    long immatureSat,
    long unconfirmedSat,
    List<Entry> transactions,
    Set<OutPoint> coins) {

  public Holdings {
    transactions = List.copyOf(transactions);
    coins = Set.copyOf(coins);
  }

  /**
   * A transaction that counts: its block's height or {@link WalletTruth#UNCONFIRMED}, and the
   * satoshi that the wallet gained.
   */
  public record Entry(Hash256 txid, int height, @Nullable Hash256 block, long netSat) {}
}
