package org.murmur.lab.privacy.clients;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.murmur.lab.privacy.chain.OwnWallet;
import org.murmur.lab.privacy.chain.SyntheticChain;

/**
 * A wallet at a height: its used keys and its coins.
 *
 * @param receive the number of used keys for receiving
 * @param change the number of used keys for change
 * @param coins its coins so far, spent ones included, in the order of the chain
 */
public record WalletState(
    SyntheticChain chain,
    OwnWallet wallet,
    int height,
    List<OwnWallet.Key> keys,
    int receive,
    int change,
    List<Integer> coins) {

  public static WalletState at(SyntheticChain chain, OwnWallet wallet, int height) {
    List<OwnWallet.Key> keys = wallet.keys().subList(0, wallet.usedAt(height));
    int change = (int) keys.stream().filter(OwnWallet.Key::change).count();
    int end = chain.firstCoin(chain.firstTx(height + 1));
    List<Integer> coins = new ArrayList<>();
    for (OwnWallet.Key key : keys) {
      for (int coin = chain.firstCoinOf(key.script());
          coin >= 0 && coin < end;
          coin = chain.nextCoin(coin)) {
        coins.add(coin);
      }
    }
    coins.sort(null);
    return new WalletState(chain, wallet, height, keys, keys.size() - change, change, coins);
  }

  /** Its transactions so far: those that pay it, and those that spend its coins. */
  public SortedSet<Integer> transactions() {
    SortedSet<Integer> all = new TreeSet<>();
    for (int coin : coins) {
      all.add(chain.txOf(coin));
      if (isSpent(coin)) {
        all.add(chain.spender(coin));
      }
    }
    return all;
  }

  public boolean isSpent(int coin) {
    return chain.spender(coin) < chain.firstTx(height + 1);
  }
}
