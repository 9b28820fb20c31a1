package org.murmur.fuzz;

import org.jspecify.annotations.Nullable;
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
    try (DamagedWallet damaged = new DamagedWallet(input);
        SpvWallet wallet = SpvWallet.open(damaged.file())) {
      readAll(wallet);
    } catch (WalletException e) {
      Check.that(e.getMessage() != null, "a refusal without a word");
    }
  }

  private interface Reading {
    @Nullable Object read() throws WalletException;
  }

  /** What is damaged in one place can still be read in another: so each on its own. */
  private static void readAll(SpvWallet wallet) throws WalletException {
    tryRead(wallet::info);
    tryRead(wallet::balance);
    tryRead(wallet::chain);
    tryRead(wallet::coins);
    tryRead(wallet::peers);
    tryRead(wallet::peerBook);
    tryRead(wallet::fullHistory);
    tryRead(() -> wallet.privacy(Universe.of(Network.REGTEST)));
    tryRead(
        () -> wallet.forecast(SyncOptions.connect("127.0.0.1:1"), Universe.of(Network.REGTEST)));
    tryRead(wallet::exportDescriptors);
    tryRead(wallet::exportXpubs);
    tryRead(() -> wallet.exportMnemonic(null));
    tryRead(
        () -> {
          for (HistoryEntry entry : wallet.history()) {
            TransactionDetail detail = wallet.transaction(entry.txid()).orElse(null);
            Check.that(detail != null, "in the history, and no transaction");
            wallet.why(entry.txid().toDisplay());
          }
          return null;
        });
    tryRead(
        () -> {
          for (ReceiveAddress address : wallet.addresses()) {
            wallet.why(address.address());
            break;
          }
          return wallet.address();
        });
  }

  private static void tryRead(Reading reading) {
    try {
      reading.read();
    } catch (WalletException e) {
      Check.that(e.getMessage() != null, "a refusal without a word");
    }
  }
}
