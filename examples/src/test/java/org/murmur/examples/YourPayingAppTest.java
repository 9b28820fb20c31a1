package org.murmur.examples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletRecipe;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;

/** A test of an app that pays: the embedded node mines what the app sent. */
class YourPayingAppTest {
  @Test
  void theAppPays(@TempDir Path folder) throws Exception {
    String words = "abandon ".repeat(11) + "about";
    var recipe = WalletRecipe.ofWords(ChainParams.REGTEST, words);
    String file = folder.resolve("w").toString();
    try (RegtestNode node = RegtestNode.start();
        SpvWallet wallet = SpvWallet.create(Path.of(file), recipe)) {
      var script =
          Address.parse(wallet.receive().current().address(), KeyNetwork.REGTEST).scriptPubKey();
      var coin = new OutPoint(node.mine(101).get(0).tx(0).txid(), 0);
      node.mine(List.of(new TxBuilder().spend(coin).pay(70_000, script).build()));
      wallet.sync(SyncOptions.connect(node.address()), SyncListener.NONE);
      PayAnAddress.main(new String[] {file, YourAppTest.ADDRESS, "20000sat", "2", node.address()});
      var values = node.mine(1).get(0).tx(1).outputs().stream().map(output -> output.value());
      assertTrue(values.anyMatch(value -> value == 20_000));
    }
  }
}
