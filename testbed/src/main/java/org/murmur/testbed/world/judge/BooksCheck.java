package org.murmur.testbed.world.judge;

import static org.murmur.testbed.world.judge.Require.require;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.regtest.WalletTruth;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.ChainCoin;
import org.murmur.testbed.world.client.Holdings;

/** Compares a wallet's books with the blocks. */
final class BooksCheck {

  private BooksCheck() {}

  /**
   * Nothing unproven is reported as confirmed: each transaction is where the wallet says, on the
   * client's chain.
   */
  static void proven(Holdings holdings, List<Block> chain) {
    require(
        chain.size() == holdings.height() + 1,
        "tip %s is at height %d, not %d",
        holdings.tip(),
        chain.size() - 1,
        holdings.height());
    for (Holdings.Entry entry : holdings.transactions()) {
      if (entry.height() != WalletTruth.UNCONFIRMED && !isProven(entry, chain)) {
        throw new AssertionError(entry + " is reported as confirmed, and is not in that block");
      }
    }
  }

  private static boolean isProven(Holdings.Entry entry, List<Block> chain) {
    if (entry.height() < 0 || entry.height() >= chain.size()) {
      return false;
    }
    Block block = chain.get(entry.height());
    return Objects.equals(block.hash(), entry.block()) && block.txids().contains(entry.txid());
  }

  /** At the end: the wallet's books agree with the blocks. */
  static void equalsTruth(Holdings holdings, WalletTruth truth, Hash256 tip, boolean pendingToo) {
    require(
        holdings.tip().equals(tip),
        "the client ended at height %d, the chain is at %d",
        holdings.height(),
        truth.height());
    Map<Hash256, String> expected = new HashMap<>();
    Map<Hash256, String> actual = new HashMap<>();
    for (WalletTruth.Entry entry : truth.transactions()) {
      if (pendingToo || entry.height() != WalletTruth.UNCONFIRMED) {
        expected.put(entry.txid(), entry.height() + " " + entry.netSat());
      }
    }
    for (Holdings.Entry entry : holdings.transactions()) {
      if (pendingToo || entry.height() != WalletTruth.UNCONFIRMED) {
        actual.put(entry.txid(), entry.height() + " " + entry.netSat());
      }
    }
    Map<Hash256, String> lost = new HashMap<>(expected);
    lost.entrySet().removeAll(actual.entrySet());
    Map<Hash256, String> invented = new HashMap<>(actual);
    invented.entrySet().removeAll(expected.entrySet());
    require(
        lost.isEmpty() && invented.isEmpty(),
        "of %d transactions (txid, height, satoshi) the wallet lacks %s and has instead %s",
        expected.size(),
        lost,
        invented);
    sums(holdings, truth, pendingToo);
  }

  private static void sums(Holdings holdings, WalletTruth truth, boolean pendingToo) {
    long immature = 0;
    long all = 0;
    Set<OutPoint> coins = new HashSet<>();
    for (ChainCoin coin : truth.coins()) {
      all += coin.value();
      coins.add(coin.outPoint());
      // Like a node's own wallet: one confirmation more than consensus asks for.
      if (coin.coinbase() && truth.height() - coin.height() + 1 <= ChainCoin.MATURITY) {
        immature += coin.value();
      }
    }
    require(
        holdings.confirmedSat() == all - immature && holdings.immatureSat() == immature,
        "balance %d confirmed and %d immature, expected %d and %d",
        holdings.confirmedSat(),
        holdings.immatureSat(),
        all - immature,
        immature);
    if (pendingToo) {
      require(
          holdings.unconfirmedSat() == truth.unconfirmedSat(),
          "balance %d unconfirmed, expected %d",
          holdings.unconfirmedSat(),
          truth.unconfirmedSat());
    }
    boolean nothingPends =
        holdings.transactions().stream()
            .noneMatch(entry -> entry.height() == WalletTruth.UNCONFIRMED);
    if (nothingPends) {
      require(
          holdings.coins().equals(coins),
          "%d coins, expected %d",
          holdings.coins().size(),
          coins.size());
    }
  }
}
