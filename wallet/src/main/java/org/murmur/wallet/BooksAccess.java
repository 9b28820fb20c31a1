package org.murmur.wallet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.murmur.coins.keys.DescriptorException;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.spend.Draws;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.books.Books;
import org.murmur.wallet.internal.books.CommitOutcome;
import org.murmur.wallet.internal.books.Payments;
import org.murmur.wallet.internal.books.WalletView;
import org.murmur.wallet.internal.ledger.LedgerChange.Transition;
import org.murmur.wallet.internal.session.Environment;
import org.murmur.wallet.internal.session.WalletSession.Written;
import org.murmur.wallet.pay.Planning;
import org.murmur.wallet.sync.WalletEvent;

/**
 * Reads and writes a wallet's books.
 *
 * @param file for messages
 * @param books the wallet's
 * @param network its network
 * @param around clock and random numbers
 */
record BooksAccess(Path file, Books books, ChainParams network, Environment around) {

  static <T> T call(Path file, Supplier<T> task) {
    try {
      return task.get();
    } catch (DescriptorException e) {
      // Every descriptor was sound when it was stored.
      throw WalletException.damaged(file, String.valueOf(e.getMessage()), e);
    }
  }

  <T> T call(Supplier<T> task) {
    if (books.isClosed()) {
      throw closed();
    }
    try {
      return call(file, task);
    } catch (WalletException e) {
      throw books.isClosed() ? closed() : e;
    }
  }

  void run(Runnable task) {
    call(
        () -> {
          task.run();
          return true;
        });
  }

  private WalletException closed() {
    return WalletException.about(
        file, WalletException.Kind.CLOSED, " was closed by this program: open it again");
  }

  <T> T read(Function<WalletView, T> reader) {
    return call(() -> books.read(reader));
  }

  /** Reads to find out whether something is allowed. */
  void look(Consumer<WalletView> check) {
    read(
        view -> {
          check.accept(view);
          return true;
        });
  }

  <T> T list(Function<Listings, T> reader) {
    return read(view -> reader.apply(new Listings(view)));
  }

  KeyNetwork keyNetwork() {
    return WalletRecipe.keyNetwork(network);
  }

  /** Plans with the books as of the last commit. */
  Planning planning(WalletView view) {
    return new Planning(view, keyNetwork(), around.seconds());
  }

  Draws draws() {
    return Draws.ofSeed(around.dice().nextLong());
  }

  /** Several reads of one commit. */
  <T> T together(Supplier<T> reads) {
    return read(view -> reads.get());
  }

  /** A session would wait for the end of this thread's read, and the write for the session. */
  void requireNoRead() {
    if (Thread.holdsLock(books)) {
      throw WalletException.about(
          file,
          WalletException.Kind.WRONG_THREAD,
          " is being read by this thread: write after the read");
    }
  }

  /** Writes, and holds the file's lock meanwhile. */
  <T> T write(Supplier<T> task) {
    requireNoRead();
    return call(
        () -> {
          books.lock();
          try {
            return task.get();
          } finally {
            books.unlock();
          }
        });
  }

  /** Changes the books, and returns the resulting events. The file must be locked. */
  List<WalletEvent.Payment> change(Supplier<List<Transition>> change) {
    return call(() -> events(change.get()));
  }

  /** Changes the books for a machine that may be running. The file must be locked. */
  Written enter(Supplier<CommitOutcome> entry) {
    return call(
        () -> {
          CommitOutcome outcome = entry.get();
          return new Written(outcome.inputs(), events(outcome.transitions()));
        });
  }

  /** Does something to a file that is not open. */
  interface FileTask {
    void run() throws IOException;
  }

  /** Writes a file that is not open. */
  static void write(Path file, FileTask task) {
    try {
      task.run();
    } catch (IOException e) {
      throw WalletException.about(
          file, WalletException.Kind.IO, " cannot be changed: " + e.getMessage(), e);
    }
  }

  private List<WalletEvent.Payment> events(List<Transition> changes) {
    return changes.isEmpty() ? List.of() : books.read(view -> new Payments(view).events(changes));
  }
}
