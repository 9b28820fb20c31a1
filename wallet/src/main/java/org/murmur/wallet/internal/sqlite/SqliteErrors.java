package org.murmur.wallet.internal.sqlite;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.murmur.wallet.failure.WalletException;

/** Says SQLite's errors in words that a wallet's user can act on. */
final class SqliteErrors {

  // Primary result codes, https://www.sqlite.org/rescode.html; extended ones have them in their low
  // byte.
  private static final int BUSY = 5;
  private static final int LOCKED = 6;
  private static final int READONLY = 8;
  private static final int IOERR = 10;
  private static final int CORRUPT = 11;
  private static final int FULL = 13;

  /** Our statements are all tested: one that fails found another schema than we wrote. */
  private static final int ERROR = 1;

  private static final int CANTOPEN = 14;
  private static final int NOTADB = 26;

  /** SQLite has no such code: its library for this machine could not be loaded. */
  private static final int NO_CODE = 0;

  /** The index of a write-ahead log grows by 32 KiB; with less than twice that a disk is full. */
  private static final long LITTLE_ROOM_BYTES = 64 * 1024;

  private SqliteErrors() {}

  static WalletException of(Path file, SQLException e) {
    if (e.getErrorCode() == NO_CODE && e.getCause() != null) {
      return WalletException.about(
          file,
          WalletException.Kind.IO,
          ": SQLite's library for this machine cannot be loaded ("
              + e.getCause().getMessage()
              + "). The wallet was not touched. -Dorg.sqlite.tmpdir=FOLDER names a folder where"
              + " programs may be unpacked and run",
          e);
    }
    WalletException.Kind kind =
        switch (e.getErrorCode() & 0xff) {
          case BUSY, LOCKED -> WalletException.Kind.LOCKED;
          case READONLY, CANTOPEN -> WalletException.Kind.READ_ONLY;
          case FULL -> WalletException.Kind.DISK_FULL;
          case CORRUPT, NOTADB, ERROR -> WalletException.Kind.CORRUPT;
          case IOERR -> isFull(file) ? WalletException.Kind.DISK_FULL : WalletException.Kind.IO;
          default -> WalletException.Kind.IO;
        };
    return WalletException.about(file, kind, words(kind, file, String.valueOf(e.getMessage())), e);
  }

  static WalletException ofIo(Path file, IOException e) {
    if (e instanceof AccessDeniedException) {
      return WalletException.about(file, WalletException.Kind.READ_ONLY, ": access denied", e);
    }
    WalletException.Kind kind =
        isFull(file) ? WalletException.Kind.DISK_FULL : WalletException.Kind.IO;
    return WalletException.about(file, kind, words(kind, file, String.valueOf(e.getMessage())), e);
  }

  /** The same trouble for a wallet that is not there yet: there is no last commit to speak of. */
  static WalletException inCreation(Path file, WalletException e) {
    return switch (e.kind()) {
      case DISK_FULL ->
          WalletException.about(
              file, e.kind(), ": no room left on the disk; no wallet was made, make room first", e);
      case IO ->
          WalletException.about(file, e.kind(), ": no wallet was made (" + e.getMessage() + ")", e);
      default -> e;
    };
  }

  /** Asked of the disk: what the system says is in the user's language, and not always to us. */
  private static boolean isFull(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null) {
      return false;
    }
    try {
      return Files.getFileStore(folder).getUsableSpace() < LITTLE_ROOM_BYTES;
    } catch (IOException e) {
      return false;
    }
  }

  private static String words(WalletException.Kind kind, Path file, String message) {
    return switch (kind) {
      case LOCKED -> " is in use by another process; wait until it is done or stop it";
      case READ_ONLY ->
          Files.exists(file) && !Files.isReadable(file)
              ? " may not be read: its permissions do not let this user"
              : " may not be written (read-only file or folder)";
      case DISK_FULL ->
          ": no room left on the disk; the wallet is as it was at its last commit. Make room"
              + " and sync again";
      case CORRUPT -> " is damaged, or no wallet of this program (" + message + ")";
      default ->
          ": reading or writing failed; the wallet is as it was at its last commit ("
              + message
              + ")";
    };
  }
}
