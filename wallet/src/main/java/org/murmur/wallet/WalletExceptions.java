package org.murmur.wallet;

import java.io.IOException;
import org.murmur.wallet.store.StoreException;

/** Says the store's troubles in the door's words. */
final class WalletExceptions {

  private WalletExceptions() {}

  static WalletException of(StoreException e) {
    WalletException.Kind kind =
        switch (e.kind()) {
          case EXISTS -> WalletException.Kind.EXISTS;
          case NOT_FOUND -> WalletException.Kind.NOT_FOUND;
          case LOCKED -> WalletException.Kind.LOCKED;
          case DISK_FULL -> WalletException.Kind.DISK_FULL;
          case READ_ONLY -> WalletException.Kind.READ_ONLY;
          case CORRUPT -> WalletException.Kind.CORRUPT;
          case NEWER_FORMAT -> WalletException.Kind.NEWER_FORMAT;
          case IO -> WalletException.Kind.IO;
        };
    return new WalletException(kind, String.valueOf(e.getMessage()), e);
  }

  static WalletException of(IOException e) {
    return e instanceof StoreException known
        ? of(known)
        : new WalletException(WalletException.Kind.IO, String.valueOf(e.getMessage()), e);
  }
}
