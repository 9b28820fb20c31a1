package org.murmur.wallet.store;

import java.nio.file.Path;
import java.util.List;

/** Creates and opens the stores of wallets. Thread safe. */
public interface StoreFactory {

  /**
   * Makes a wallet's file and opens it for writing. It is whole, or not there.
   *
   * @param file where; nothing may be there
   * @param wallet what it is
   * @param scripts the beginning of the element log
   * @return the store, locked
   */
  WalletStore create(Path file, StoredWallet wallet, List<ScriptRun> scripts);

  /**
   * Opens a wallet's file for reading.
   *
   * @param file where it is
   * @return the store, not locked
   */
  WalletStore open(Path file);
}
