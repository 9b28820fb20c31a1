package org.murmur.wallet.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Says who writes to a wallet: a lock on a small file beside it, which the system lets go when its
 * holder dies. SQLite's own locks are held for moments only; and the wallet's file itself must not
 * be opened past SQLite, because closing it would drop those.
 */
final class SideLock {

  private final Path wallet;
  private final Path file;
  private @Nullable FileChannel channel;

  SideLock(Path wallet) {
    this.wallet = wallet;
    this.file = wallet.resolveSibling(wallet.getFileName() + ".lock");
  }

  boolean isHeld() {
    return channel != null;
  }

  void acquire() throws StoreException {
    if (isHeld()) {
      return;
    }
    FileChannel opened;
    try {
      opened = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (NoSuchFileException e) {
      throw new StoreException(
          StoreException.Kind.NOT_FOUND, "no such folder: " + file.getParent(), e);
    } catch (AccessDeniedException e) {
      throw new StoreException(
          StoreException.Kind.READ_ONLY, wallet + ": its folder may not be written", e);
    } catch (IOException e) {
      throw SqliteErrors.ofIo(wallet, e);
    }
    try {
      FileLock lock = tryLock(opened);
      if (lock == null) {
        throw new StoreException(
            StoreException.Kind.LOCKED,
            wallet + " is in use by another process; wait until it is done or stop it");
      }
      channel = opened;
      opened = null;
    } catch (IOException e) {
      throw e instanceof StoreException known ? known : SqliteErrors.ofIo(wallet, e);
    } finally {
      closeQuietly(opened);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Another part of this very process holds it.
      return null;
    }
  }

  void release() {
    closeQuietly(channel);
    channel = null;
  }

  private static void closeQuietly(@Nullable FileChannel channel) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        // The lock is gone with the descriptor in any case, and nothing was written.
        assert e != null;
      }
    }
  }
}
