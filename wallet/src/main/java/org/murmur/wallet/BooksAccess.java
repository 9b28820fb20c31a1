package org.murmur.wallet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.murmur.wallet.books.Books;
import org.murmur.wallet.books.CommitOutcome;
import org.murmur.wallet.keys.DescriptorException;
import org.murmur.wallet.ledger.LedgerChange.Transition;
import org.murmur.wallet.listing.Payments;
import org.murmur.wallet.session.WalletSession.Written;
import org.murmur.wallet.store.StoreException;
import org.murmur.wallet.sync.WalletEvent;

/**
 * Reads and writes a wallet's books, and turns the file's exceptions into {@link WalletException}.
 *
 * @param file for messages
 * @param books the wallet's
 */
record BooksAccess(Path file, Books books) {

  /** Reads or writes the books. */
  interface Task<T> {
    T run() throws StoreException, WalletException;
  }

  /** Changes the books. */
  interface Change {
    List<Transition> run() throws StoreException, WalletException;
  }

  /** Changes the books, and what a running machine knows of them. */
  interface Entry {
    CommitOutcome run() throws StoreException, WalletException;
  }

  static <T> T call(Path file, Task<T> task) throws WalletException {
    try {
      return task.run();
    } catch (StoreException e) {
      throw failure(e);
    } catch (DescriptorException e) {
      // Every descriptor was sound when it was stored.
      throw new WalletException(
          WalletException.Kind.CORRUPT, file + " is damaged (" + e.getMessage() + ")", e);
    }
  }

  <T> T call(Task<T> task) throws WalletException {
    if (books.isClosed()) {
      throw closed();
    }
    try {
      return call(file, task);
    } catch (WalletException e) {
      throw books.isClosed() ? closed() : e;
    }
  }

  private WalletException closed() {
    return new WalletException(
        WalletException.Kind.CLOSED, file + " was closed by this program: open it again");
  }

  <T> T read(Books.Reader<T> reader) throws WalletException {
    return call(() -> books.read(reader));
  }

  <T> T list(Function<Listings, T> reader) throws WalletException {
    return read(view -> reader.apply(new Listings(view)));
  }

  /** Several reads of one commit. */
  <T> T together(Task<T> reads) throws WalletException {
    try {
      return read(
          view -> {
            try {
              return reads.run();
            } catch (WalletException e) {
              throw new Carried(e);
            }
          });
    } catch (Carried e) {
      throw e.failure;
    }
  }

  /** Leaves the books, which then forget what they have read. */
  private static final class Carried extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final WalletException failure;

    Carried(WalletException failure) {
      super(failure);
      this.failure = failure;
    }
  }

  /** Writes, and holds the file's lock meanwhile. */
  <T> T write(Task<T> task) throws WalletException {
    return call(
        () -> {
          books.lock();
          try {
            return task.run();
          } finally {
            books.unlock();
          }
        });
  }

  /** Changes the books, and returns the resulting events. The file must be locked. */
  List<WalletEvent> change(Change change) throws WalletException {
    return call(() -> events(change.run()));
  }

  /** Changes the books for a machine that may be running. The file must be locked. */
  Written enter(Entry entry) throws WalletException {
    return call(
        () -> {
          CommitOutcome outcome = entry.run();
          return new Written(outcome.inputs(), events(outcome.transitions()));
        });
  }

  /** Does something to a file that is not open. */
  interface FileTask {
    void run() throws IOException;
  }

  /** Writes a file that is not open. */
  static void write(Path file, FileTask task) throws WalletException {
    try {
      task.run();
    } catch (StoreException e) {
      throw failure(e);
    } catch (IOException e) {
      throw new WalletException(
          WalletException.Kind.IO, file + " cannot be changed: " + e.getMessage(), e);
    }
  }

  private List<WalletEvent> events(List<Transition> changes) throws StoreException {
    return changes.isEmpty() ? List.of() : books.read(view -> new Payments(view).events(changes));
  }

  static WalletException failure(IOException e) {
    return new WalletException(
        e instanceof StoreException known ? kind(known) : WalletException.Kind.IO,
        String.valueOf(e.getMessage()),
        e);
  }

  private static WalletException.Kind kind(StoreException e) {
    return switch (e.kind()) {
      case EXISTS -> WalletException.Kind.EXISTS;
      case NOT_FOUND -> WalletException.Kind.NOT_FOUND;
      case LOCKED -> WalletException.Kind.LOCKED;
      case SEVERAL_NAMES -> WalletException.Kind.SEVERAL_NAMES;
      case DISK_FULL -> WalletException.Kind.DISK_FULL;
      case READ_ONLY -> WalletException.Kind.READ_ONLY;
      case CORRUPT -> WalletException.Kind.CORRUPT;
      case NEWER_FORMAT -> WalletException.Kind.NEWER_FORMAT;
      case IO -> WalletException.Kind.IO;
    };
  }
}
