package org.murmur.wallet.internal.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.murmur.wallet.failure.WalletException;

/**
 * Decides which process writes to a wallet: a lock on a small file next to it, whatever symbolic
 * links lead to the wallet. The system releases it when its holder dies. SQLite's own locks last
 * for moments only, and nothing but SQLite may open the wallet's file, because closing it would
 * release those.
 */
public final class LockFile {

  /**
   * Locks of this process. The file is not even opened for one that is held: on POSIX systems,
   * closing it again would let go of the lock for all.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path wallet;
  private final Path file;
  private @Nullable FileChannel channel;

  /** Names the file. Does not open it. */
  public LockFile(Path wallet) {
    Path real = realName(wallet);
    this.wallet = wallet;
    this.file = real.resolveSibling(real.getFileName() + ".lock");
  }

  /**
   * Follows symbolic links, also to a file that is not there yet.
   *
   * @return the same file; the argument if its folder is missing, which opening the file will say
   */
  public static Path realName(Path wallet) {
    try {
      return wallet.toRealPath();
    } catch (IOException e) {
      Path folder = wallet.getParent();
      try {
        return folder == null ? wallet : folder.toRealPath().resolve(wallet.getFileName());
      } catch (IOException missing) {
        return wallet;
      }
    }
  }

  /**
   * Refuses a file with several hard links: none of its names is the real one. Systems that do not
   * count links (Windows) are not checked.
   */
  public static void requireOneName(Path wallet) {
    int links = links(wallet);
    if (links > 1) {
      throw WalletException.about(
          wallet,
          WalletException.Kind.SEVERAL_NAMES,
          " has "
              + links
              + " hard links: under two names a wallet gets damaged and may pay twice. Delete the"
              + " other name, or give this one a file of its own. A backup is a copy, never a"
              + " link");
    }
  }

  private static int links(Path wallet) {
    try {
      return Files.getAttribute(wallet, "unix:nlink") instanceof Integer links ? links : 1;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return 1;
    }
  }

  /**
   * {@return whether this object holds the lock; true between {@link #acquire} and {@link
   * #release}}
   */
  public boolean isHeld() {
    return channel != null;
  }

  /** Acquires the lock. Does nothing if this object holds it. */
  public void acquire() throws IOException {
    if (isHeld()) {
      return;
    }
    if (!HELD.add(file)) {
      throw WalletException.about(
          wallet, WalletException.Kind.LOCKED, " is in use by another part of this program");
    }
    try {
      channel = lock();
    } finally {
      if (channel == null) {
        HELD.remove(file);
      }
    }
  }

  private FileChannel lock() throws IOException {
    FileChannel opened = null;
    boolean done = false;
    try {
      opened = openPrivately();
      if (opened.tryLock() == null) {
        throw WalletException.about(
            wallet,
            WalletException.Kind.LOCKED,
            " is in use by another process"
                + holder()
                + "; wait until it is done or stop it (a session that follows never ends by"
                + " itself)");
      }
      noteHolder(opened);
      done = true;
      return opened;
    } catch (NoSuchFileException e) {
      throw WalletException.about(
          wallet, WalletException.Kind.MISSING, ": its folder does not exist", e);
    } catch (AccessDeniedException e) {
      throw WalletException.about(
          wallet, WalletException.Kind.READ_ONLY, ": its folder may not be written", e);
    } finally {
      if (!done) {
        closeQuietly(opened);
      }
    }
  }

  /**
   * Writes the number of this process, for the message of {@link #holder}. Linux and Android say
   * it; Android has no ProcessHandle.
   */
  private static void noteHolder(FileChannel opened) {
    try {
      Path self = Files.readSymbolicLink(Paths.get("/proc/self"));
      opened.truncate(0);
      opened.write(ByteBuffer.wrap(self.toString().getBytes(StandardCharsets.US_ASCII)), 0);
    } catch (IOException | UnsupportedOperationException e) {
      // The message does without it.
    }
  }

  /** Which process holds the lock; nothing if that is not known. */
  private String holder() {
    try {
      String text = new String(Files.readAllBytes(file), StandardCharsets.US_ASCII);
      return text.matches("\\d{1,10}") ? " (" + text + ")" : "";
    } catch (IOException e) {
      return "";
    }
  }

  /** For its owner only, also if it was there: whoever can open it can hold the lock. */
  private FileChannel openPrivately() throws IOException {
    // The file is written to: a link would empty another one.
    Set<OpenOption> options =
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    Set<PosixFilePermission> owner = PosixFilePermissions.fromString("rw-------");
    FileChannel opened;
    try {
      opened = FileChannel.open(file, options, PosixFilePermissions.asFileAttribute(owner));
    } catch (UnsupportedOperationException e) {
      return FileChannel.open(file, options);
    }
    try {
      if (!Files.getPosixFilePermissions(file).equals(owner)) {
        Files.setPosixFilePermissions(file, owner);
      }
    } catch (IOException e) {
      // It is somebody else's, who decides.
    }
    return opened;
  }

  /** Releases the lock, if this object holds it. */
  public void release() {
    if (isHeld()) {
      closeQuietly(channel);
      channel = null;
      HELD.remove(file);
    }
  }

  private static void closeQuietly(@Nullable FileChannel channel) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        // The lock is gone with the descriptor in any case, and nothing was written.
      }
    }
  }
}
