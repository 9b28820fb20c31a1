package org.murmur.fuzz;

import org.murmur.p2p.chain.Network;
import org.murmur.wallet.HistoryEntry;
import org.murmur.wallet.ReceiveAddress;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.SyncOptions;
import org.murmur.wallet.TransactionDetail;
import org.murmur.wallet.WalletException;
import org.murmur.wallet.privacy.Universe;

/**
 * A {@linkplain DamagedWallet damaged wallet file}, opened and read through the library's door: it
 * is read, or refused with a {@link WalletException}, and nothing else.
 */
public final class WalletFiles {

  private WalletFiles() {}

  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    if (input.length == 0) {
      return;
    }
    try (DamagedWallet damaged = new DamagedWallet(input)) {
      damaged.tryRead(
          () -> {
            try (SpvWallet wallet = SpvWallet.open(damaged.file())) {
              readAll(damaged, wallet);
            }
            return null;
          });
    }
  }

  /** What is damaged in one place can still be read in another: so each on its own. */
  private static void readAll(DamagedWallet damaged, SpvWallet wallet) {
    damaged.tryRead(wallet::info);
    damaged.tryRead(wallet::balance);
    damaged.tryRead(wallet::chain);
    damaged.tryRead(wallet::coins);
    damaged.tryRead(wallet::peers);
    damaged.tryRead(wallet::peerBook);
    damaged.tryRead(wallet::fullHistory);
    damaged.tryRead(() -> wallet.privacy(Universe.of(Network.REGTEST)));
    damaged.tryRead(
        () -> wallet.forecast(SyncOptions.connect("127.0.0.1:1"), Universe.of(Network.REGTEST)));
    damaged.tryRead(wallet::exportDescriptors);
    damaged.tryRead(wallet::exportXpubs);
    damaged.tryRead(() -> wallet.exportMnemonic(null));
    damaged.tryRead(
        () -> {
          for (HistoryEntry entry : wallet.history()) {
            TransactionDetail detail = wallet.transaction(entry.txid()).orElse(null);
            Check.that(detail != null, "in the history, and no transaction");
            wallet.why(entry.txid().toDisplay());
          }
          return null;
        });
    damaged.tryRead(
        () -> {
          for (ReceiveAddress address : wallet.addresses()) {
            wallet.why(address.address());
            break;
          }
          return wallet.address();
        });
  }
}
