package org.murmur.wallet.store;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Locale;

/** Says SQLite's errors in words that a wallet's user can act on. */
final class SqliteErrors {

  // Primary result codes, https://www.sqlite.org/rescode.html; extended ones have them in their low
  // byte.
  private static final int BUSY = 5;
  private static final int LOCKED = 6;
  private static final int READONLY = 8;
  private static final int CORRUPT = 11;
  private static final int FULL = 13;
  private static final int CANTOPEN = 14;
  private static final int NOTADB = 26;

  private SqliteErrors() {}

  static StoreException of(Path file, SQLException e) {
    StoreException.Kind kind =
        switch (e.getErrorCode() & 0xff) {
          case BUSY, LOCKED -> StoreException.Kind.LOCKED;
          case READONLY, CANTOPEN -> StoreException.Kind.READ_ONLY;
          case FULL -> StoreException.Kind.DISK_FULL;
          case CORRUPT, NOTADB -> StoreException.Kind.CORRUPT;
          default -> StoreException.Kind.IO;
        };
    return new StoreException(kind, file + ": " + words(kind, String.valueOf(e.getMessage())), e);
  }

  static StoreException ofIo(Path file, IOException e) {
    if (e instanceof AccessDeniedException) {
      return new StoreException(StoreException.Kind.READ_ONLY, file + ": access denied", e);
    }
    String message = String.valueOf(e.getMessage());
    boolean full = message.toLowerCase(Locale.ROOT).contains("no space left");
    StoreException.Kind kind = full ? StoreException.Kind.DISK_FULL : StoreException.Kind.IO;
    return new StoreException(kind, file + ": " + words(kind, message), e);
  }

  private static String words(StoreException.Kind kind, String message) {
    return switch (kind) {
      case LOCKED -> "is in use by another process; wait until it is done or stop it";
      case READ_ONLY -> "may not be written (read-only file or folder)";
      case DISK_FULL -> "no room left on the disk; the wallet is as it was at its last commit";
      case CORRUPT -> "is damaged, or no wallet of this program (" + message + ")";
      default -> message;
    };
  }
}
