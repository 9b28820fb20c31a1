package org.murmur.examples;

import java.nio.file.Path;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.WatchTarget;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletRecipe;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.WalletEvent;
import org.murmur.wallet.sync.WalletEvent.Payment.Change;

/** Watches an address or an extended public key until a payment that arrives is confirmed. */
public final class WatchAndFollow {

  private WatchAndFollow() {}

  /**
   * @param args an address or xpub, a new wallet's file, and a peer (HOST:PORT)
   */
  public static void main(String[] args) throws Exception {
    WatchTarget target = WatchTarget.parse(args[0], KeyNetwork.REGTEST);
    var recipe = WalletRecipe.ofDescriptors(ChainParams.REGTEST, target.descriptors());
    try (SpvWallet wallet = SpvWallet.create(Path.of(args[1]), recipe)) {
      wallet.sync(SyncOptions.connect(args[2]).follow(true), event -> heard(wallet, event));
    }
  }

  private static void heard(SpvWallet wallet, SyncEvent event) {
    if (event instanceof WalletEvent.Complete now) {
      System.out.println("height " + now.height() + ": " + now.balance().total() + " satoshi");
    } else if (event instanceof WalletEvent.Payment payment) {
      System.out.println(payment.change() + ": " + payment.entry().net());
      if (payment.change() == Change.CONFIRMED) {
        wallet.stop(); // from any thread; the sync then returns
      }
    }
  }
}
