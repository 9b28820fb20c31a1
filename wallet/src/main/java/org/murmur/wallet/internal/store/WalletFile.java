package org.murmur.wallet.internal.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.murmur.wallet.failure.WalletException;

/**
 * Renames and deletes the file of a wallet, and those that lie beside it while it is used or being
 * created. No process may write to the wallet meanwhile, and this one may not have it open.
 */
public final class WalletFile {

  /** Endings of the files that SQLite and an upgrade keep beside the file. */
  private static final List<String> BESIDE =
      List.of("-wal", "-shm", "-journal", ".new", ".new-wal", ".new-shm", ".new-journal");

  /** How often this process has a file open. */
  private static final Map<Path, Integer> OPEN = new HashMap<>();

  /** Files that this process renames or deletes now. */
  private static final Set<Path> CHANGING = new HashSet<>();

  private WalletFile() {}

  /** A wallet's file that is open in this process. Nothing renames or deletes it meanwhile. */
  public static final class Use {

    private final Path name;
    private boolean over;

    private Use(Path name) {
      this.name = name;
    }

    /** Says that it is closed. A second call does nothing. */
    public void end() {
      synchronized (OPEN) {
        if (!over) {
          over = true;
          OPEN.computeIfPresent(name, (file, uses) -> uses == 1 ? null : uses - 1);
        }
      }
    }
  }

  /**
   * Says that a file is about to be opened.
   *
   * @return to be ended when it is closed, or cannot be opened
   */
  public static Use use(Path file) {
    Path name = name(file);
    synchronized (OPEN) {
      if (CHANGING.contains(name)) {
        throw WalletException.about(
            file,
            WalletException.Kind.LOCKED,
            " is being renamed or deleted by another part of this program");
      }
      OPEN.merge(name, 1, Integer::sum);
      return new Use(name);
    }
  }

  /** The same for every way that leads there. */
  private static Path name(Path file) {
    return LockFile.realName(file.toAbsolutePath());
  }

  /**
   * Renames a wallet whose store was closed in order. Keeps the file's folder or moves it to
   * another on the same disk.
   *
   * @throws IOException if the file cannot be renamed; nothing has changed then
   */
  public static void rename(Path from, Path to) throws IOException {
    withLock(
        from,
        () -> {
          if (Files.exists(to)) {
            throw WalletException.about(to, WalletException.Kind.EXISTS, " exists already");
          }
          Path log = beside(from, "-wal");
          if (Files.exists(log) && Files.size(log) > 0) {
            throw WalletException.about(
                from, WalletException.Kind.LOCKED, " is being read by another process");
          }
          Files.move(from, to);
        });
  }

  /**
   * Deletes a wallet.
   *
   * @param file its file; it may be damaged
   * @throws IOException if the file cannot be deleted
   */
  public static void delete(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw WalletException.about(file, WalletException.Kind.MISSING, " does not exist");
    }
    withLock(file, () -> Files.delete(file));
  }

  /** Changes a file that nobody writes to, and removes what lay beside it under its old name. */
  private static void withLock(Path file, Work work) throws IOException {
    Path name = name(file);
    synchronized (OPEN) {
      if (OPEN.containsKey(name) || !CHANGING.add(name)) {
        throw WalletException.about(
            file,
            WalletException.Kind.LOCKED,
            " is open in this program: close the wallet everywhere first");
      }
    }
    try {
      withLockFile(file, work);
    } finally {
      synchronized (OPEN) {
        CHANGING.remove(name);
      }
    }
  }

  private static void withLockFile(Path file, Work work) throws IOException {
    LockFile lock = new LockFile(file.toAbsolutePath());
    lock.acquire();
    try {
      work.run();
      for (String suffix : BESIDE) {
        Files.deleteIfExists(beside(file, suffix));
      }
      Files.deleteIfExists(beside(file, ".lock"));
    } finally {
      lock.release();
    }
  }

  private static Path beside(Path file, String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  private interface Work {
    void run() throws IOException;
  }
}
