package org.murmur.fuzz;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.murmur.wallet.HistoryEntry;
import org.murmur.wallet.ReceiveAddress;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.TransactionDetail;
import org.murmur.wallet.WalletException;

/**
 * A damaged wallet file, opened and read through the library's door: it is read, or refused with a
 * {@link WalletException}, and nothing else. Input that begins with a 0 is a row of patches to the
 * real file {@code wallet.murmur} (three bytes where, one how many, then the bytes; a length of 255
 * cuts the file there); any other is the file itself.
 */
public final class WalletFiles {

  private static final int PATCH_HEADER = 4;
  private static final int CUT = 255;

  private static final byte[] REAL = real();
  private static final Path FOLDER = folder();

  private WalletFiles() {}

  private static byte[] real() {
    try (InputStream in =
        Objects.requireNonNull(WalletFiles.class.getResourceAsStream("/wallet.murmur"))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path folder() {
    Path memory = Path.of("/dev/shm");
    try {
      return Files.isWritable(memory)
          ? Files.createTempDirectory(memory, "murmur-fuzz")
          : Files.createTempDirectory("murmur-fuzz");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    if (input.length == 0) {
      return;
    }
    Path file = FOLDER.resolve("w");
    Files.write(file, input[0] == 0 ? patched(input) : Arrays.copyOfRange(input, 1, input.length));
    try (SpvWallet wallet = SpvWallet.open(file)) {
      readAll(wallet);
    } catch (WalletException e) {
      Check.that(e.getMessage() != null, "a refusal without a word");
    } finally {
      clear();
    }
  }

  private static byte[] patched(byte[] patches) {
    byte[] file = REAL.clone();
    int at = 1;
    while (at + PATCH_HEADER <= patches.length) {
      int place =
          ((patches[at] & 0xff) << 16 | (patches[at + 1] & 0xff) << 8 | (patches[at + 2] & 0xff))
              % REAL.length;
      int length = patches[at + 3] & 0xff;
      at += PATCH_HEADER;
      if (length == CUT) {
        return Arrays.copyOf(file, place);
      }
      length = Math.min(length, Math.min(patches.length - at, file.length - place));
      System.arraycopy(patches, at, file, place, length);
      at += length;
    }
    return file;
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

  private static void clear() throws IOException {
    try (var files = Files.list(FOLDER)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
