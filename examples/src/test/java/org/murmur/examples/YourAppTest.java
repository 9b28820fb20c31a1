package org.murmur.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.WatchTarget;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletRecipe;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;

/** A test as you would write it of your own app: here a till that waits for one payment. */
class YourAppTest {
  static final String ADDRESS = "bcrt1q6rhpng9evdsfnn833a4f4vej0asu6dk5srld6x";

  @Test
  void theTillCountsPendingMoney(@TempDir Path folder) throws Exception {
    var target = WatchTarget.parse(ADDRESS, KeyNetwork.REGTEST).descriptors();
    var till = WalletRecipe.ofDescriptors(ChainParams.REGTEST, target);
    try (RegtestNode node = RegtestNode.start();
        SpvWallet wallet = SpvWallet.create(folder.resolve("till"), till)) {
      node.mine(101); // the first coinbase is mature now
      var customersCoin = new OutPoint(node.blockAt(1).tx(0).txid(), 0);
      var script = Address.parse(ADDRESS, KeyNetwork.REGTEST).scriptPubKey();
      node.broadcast(new TxBuilder().spend(customersCoin).pay(70_000, script).build());
      wallet.sync(SyncOptions.connect(node.address()), SyncListener.NONE);
      assertEquals(70_000, wallet.balance().unconfirmed());
    }
  }
}
