package org.murmur.examples;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletRecipe;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/** Restores a wallet from its words and syncs it, and shows the progress. */
public final class SyncWithProgress {

  private SyncWithProgress() {}

  /**
   * @param args a file of words, a new wallet's file, and a peer (HOST:PORT)
   */
  public static void main(String[] args) throws Exception {
    Mnemonic words = Mnemonic.parse(Files.readString(Path.of(args[0])));
    var recipe =
        WalletRecipe.ofMnemonic(ChainParams.REGTEST, words, "", List.of(OutputType.P2WPKH), 0);
    try (SpvWallet wallet = SpvWallet.create(Path.of(args[1]), recipe)) { // later: SpvWallet.open
      SyncReport report = wallet.sync(SyncOptions.connect(args[2]), SyncWithProgress::heard);
      System.out.println("complete: " + report.complete() + ", height " + report.height());
      System.out.println("satoshi: " + wallet.balance().total());
      wallet.history().list().forEach(tx -> System.out.println(tx.txid() + " " + tx.net()));
    }
  }

  private static void heard(SyncEvent event) { // payments, reorganisations and more come here too
    if (event instanceof SyncEvent.Progress p) {
      System.out.println(p.scanned() + " blocks read, " + p.toScan() + " to go");
    }
  }
}
