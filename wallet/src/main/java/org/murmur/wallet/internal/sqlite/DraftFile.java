package org.murmur.wallet.internal.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.murmur.wallet.internal.store.LockFile;
import org.murmur.wallet.internal.store.ScriptRun;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.store.sql.SqlEngine;

/**
 * A wallet's file while it is built, under another name. It appears under its own when it is whole;
 * what a crash left under the other name is swept up by the next attempt.
 */
final class DraftFile {

  private DraftFile() {}

  /** All or nothing: whoever gets its exception has no words to what would be there. */
  static SqliteStore becomes(
      SqlEngine engine, Path target, LockFile lock, StoredWallet wallet, List<ScriptRun> scripts)
      throws IOException {
    Path draft = target.resolveSibling(target.getFileName() + ".new");
    Path last = draft;
    try {
      sweep(draft);
      createPrivate(draft);
      SqliteStore.build(engine, draft, wallet, scripts);
      // A log that another wallet of this name left behind is not this one's.
      sweepBeside(target);
      Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
      last = target;
      return SqliteStore.openBuilt(engine, target, lock);
    } catch (Throwable e) {
      sweepQuietly(last);
      throw e;
    }
  }

  /** Removes a database and what SQLite keeps beside it. */
  private static void sweep(Path database) throws IOException {
    Files.deleteIfExists(database);
    sweepBeside(database);
  }

  private static void sweepBeside(Path database) throws IOException {
    for (String suffix : List.of("-wal", "-shm", "-journal")) {
      Files.deleteIfExists(database.resolveSibling(database.getFileName() + suffix));
    }
  }

  private static void sweepQuietly(Path database) {
    try {
      sweep(database);
    } catch (IOException e) {
      // The next attempt sweeps again; what went wrong before is what matters.
    }
  }

  /** An empty file for its owner only, where the system knows owners; SQLite's own follow it. */
  private static void createPrivate(Path draft) throws IOException {
    try {
      Files.createFile(
          draft,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (UnsupportedOperationException e) {
      Files.createFile(draft);
    }
  }
}
