package org.murmur.wallet;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.spend.PaymentOrder;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.sync.HeaderSource;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.books.Books;
import org.murmur.wallet.internal.books.Derivation;
import org.murmur.wallet.internal.books.WalletView;
import org.murmur.wallet.internal.session.Environment;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.internal.store.WalletFile;
import org.murmur.wallet.internal.store.WalletStore;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.overview.ChainState;
import org.murmur.wallet.overview.Damage;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.StopSignal;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/**
 * A wallet in a file, that syncs with peers of the Bitcoin network.
 *
 * <pre>{@code
 * try (SpvWallet wallet = SpvWallet.open(file)) {
 *   SyncReport report = wallet.sync(SyncOptions.connect("127.0.0.1:18444"), System.out::println);
 *   System.out.println(report.complete() + " " + wallet.balance().total());
 * }
 * }</pre>
 *
 * <p>Thread safe: while one thread syncs, others may read (they see the last commit), pay, or call
 * {@link #stop}. A payment is then written and sent by the session that runs, over its connections.
 * A listener must not pay on the thread that calls it. Several processes may read one wallet; only
 * one at a time writes to it, and a second writer gets an exception at once. All methods that read
 * throw {@link WalletException} if the file cannot be read.
 *
 * <p>An interrupt ends a session on the calling thread as {@link #stop} does, and a wait for peers;
 * the thread stays interrupted. It ends no write and no wait for the wallet's turn, and not a sync
 * of {@link #start}.
 */
public final class SpvWallet implements AutoCloseable {

  private final ChainParams network;
  private final Books books;
  private final BooksAccess access;
  private final Sessions sessions;
  private final @Nullable SharedHeaders shared;
  private final Supplier<HeaderSource> offered;
  private final WalletFile.Use use;

  /** Takes a store that is open. */
  SpvWallet(Path file, WalletStore store, Environment around) {
    this(file, WalletFile.use(file), store, around, null);
  }

  private SpvWallet(
      Path file,
      WalletFile.Use use,
      WalletStore store,
      Environment around,
      @Nullable SharedHeaders shared) {
    this.use = use;
    this.network = network(file, store.wallet());
    this.books = new Books(store, network, WalletRecipe.keyNetwork(network));
    this.access = new BooksAccess(file, books, network, around);
    this.sessions = new Sessions(access);
    this.shared = shared;
    this.offered = books::offered;
    if (shared != null) {
      books.share(() -> shared.others(network, offered));
      shared.join(network, offered);
    }
  }

  /** The headers that it gives to others of this process. */
  Supplier<HeaderSource> offered() {
    return offered;
  }

  private static ChainParams network(Path file, StoredWallet wallet) {
    try {
      return ChainParams.parse(wallet.network());
    } catch (IllegalArgumentException e) {
      throw WalletException.about(file, WalletException.Kind.CORRUPT, ": " + e.getMessage(), e);
    }
  }

  /**
   * Makes a wallet. A crash in the middle leaves a file that is no wallet; it is deleted by the
   * next attempt.
   *
   * @param file where; nothing may be there
   * @param recipe what it is made of
   * @return the wallet, open
   * @throws WalletException if there is one already, or the file cannot be written
   */
  public static SpvWallet create(Path file, WalletRecipe recipe) {
    return create(file, recipe, Storage.jdbc());
  }

  /**
   * Makes a wallet in a storage that is not the usual one.
   *
   * @param file where; nothing may be there
   * @param recipe what it is made of
   * @param storage how it is kept
   * @return the wallet, open
   * @throws WalletException if there is one already, or the file cannot be written
   */
  public static SpvWallet create(Path file, WalletRecipe recipe, Storage storage) {
    Derivation derivation = new Derivation(WalletRecipe.keyNetwork(recipe.network()));
    StoredWallet wallet = recipe.stored(Environment.REAL);
    return opened(
        file,
        () -> {
          WalletStore store =
              storage.create(
                  file,
                  wallet,
                  derivation.begin(wallet.chains(), wallet.gap(), wallet.lookAhead()));
          store.unlock();
          return store;
        },
        Environment.REAL,
        storage.shared());
  }

  /**
   * Opens a wallet. Needs no password, and locks nothing until something is to be written.
   *
   * @param file where it is
   * @return the wallet
   * @throws WalletException if there is none, or it cannot be read
   */
  public static SpvWallet open(Path file) {
    return open(file, Storage.jdbc());
  }

  /**
   * Opens a wallet in a storage that is not the usual one.
   *
   * @param file where it is
   * @param storage how it is kept
   * @return the wallet
   * @throws WalletException if there is none, or it cannot be read
   */
  public static SpvWallet open(Path file, Storage storage) {
    return opened(file, () -> storage.open(file), Environment.REAL, storage.shared());
  }

  /** Opens it with another clock and other random numbers. */
  static SpvWallet open(Path file, Environment around) {
    return opened(file, () -> Storage.jdbc().open(file), around, null);
  }

  /** Takes a store, and closes it if no wallet comes of it. */
  private static SpvWallet opened(
      Path file,
      Supplier<WalletStore> opening,
      Environment around,
      @Nullable SharedHeaders shared) {
    return BooksAccess.call(
        file,
        () -> {
          WalletFile.Use use = WalletFile.use(file);
          @Nullable WalletStore store = null;
          boolean done = false;
          try {
            store = opening.get();
            SpvWallet wallet = new SpvWallet(file, use, store, around, shared);
            done = true;
            return wallet;
          } finally {
            if (!done) {
              use.end();
              if (store != null) {
                store.close();
              }
            }
          }
        });
  }

  /**
   * Renames a wallet's file. Nothing else has to know its name.
   *
   * @param file where it is; no wallet of it may be open
   * @param renamed where it shall be, on the same disk
   * @throws WalletException of kind LOCKED if it is in use, EXISTS if there is a file already; the
   *     file is unchanged then
   */
  public static void rename(Path file, Path renamed) {
    rename(file, renamed, Storage.jdbc());
  }

  /**
   * Renames the file of a wallet in a storage that is not the usual one.
   *
   * @param file where it is; no wallet of it may be open
   * @param renamed where it shall be, on the same disk
   * @param storage how it is kept
   * @throws WalletException of kind LOCKED if it is in use, EXISTS if there is a file already; the
   *     file is unchanged then
   */
  public static void rename(Path file, Path renamed, Storage storage) {
    // Closing it in order leaves nothing beside it.
    open(file, storage).close();
    BooksAccess.write(file, () -> WalletFile.rename(file, renamed));
  }

  /**
   * Deletes a wallet's file, also a damaged one. Only the words can bring its keys back.
   *
   * @param file where it is; no wallet of it may be open
   * @throws WalletException of kind LOCKED if it is in use, MISSING if there is none
   */
  public static void delete(Path file) {
    BooksAccess.write(file, () -> WalletFile.delete(file));
  }

  /** {@return its network, also if what it knows of the chain is damaged; never changes} */
  public ChainParams network() {
    return network;
  }

  /** {@return what it is} */
  public WalletInfo info() {
    return access.call(
        () -> WalletInfo.of(access.file(), network, books.facts(), books.birthday()));
  }

  /**
   * {@return the damage found so far: rows that were skipped because a sync learns them again} Each
   * is reported once, here or to the listener of a sync. The next commit deletes the rows. Damage
   * to other rows is an exception.
   */
  public List<Damage> takeDamage() {
    return books.takeDamage();
  }

  /**
   * Syncs on the calling thread until complete, stopped, or out of peers. Committed data is kept in
   * any case, and the next sync goes on from there.
   *
   * @param options with whom and how
   * @param listener hears what happens
   * @return what was done
   * @throws WalletException if the wallet cannot be written
   * @throws NoUsablePeerException if no peer was left before it was complete
   */
  public SyncReport sync(SyncOptions options, SyncListener listener) throws NoUsablePeerException {
    return sessions.sync(options, listener);
  }

  /**
   * Syncs on a thread of its own. With {@link SyncOptions#follow} it goes on until it is stopped,
   * also while the network is gone. If another sync was stopped and has not ended yet, this one
   * waits for its end.
   *
   * <p>What {@link #sync} throws, for instance because another sync runs that nobody has stopped,
   * comes to the listener as {@link org.murmur.wallet.sync.WalletEvent.Ended}, and is thrown by
   * {@link RunningSync#await}.
   *
   * @param options with whom and how
   * @param executor where the listener is called, for example an app's main thread
   * @param listener hears what happens
   * @return the sync, to wait for or to stop
   */
  public RunningSync start(SyncOptions options, Executor executor, SyncListener listener) {
    return RunningSync.start(sessions, options, executor, listener);
  }

  /**
   * Ends the session that is running, and those that wait for their turn, at their next commit;
   * they return their reports then. Those that {@link #start} began are among them. From any
   * thread; does nothing if there is none. A {@link #sync} on another thread may not have begun
   * yet: it needs a {@link StopSignal}.
   */
  public void stop() {
    sessions.stop();
  }

  /**
   * Forgets what was looked at from somewhere on and syncs again. Waits for other sessions; a sync
   * that follows makes way, and goes on afterwards.
   *
   * @param from where to begin; if that is before the birthday, it becomes the birthday, and if it
   *     is before the wallet's first header, the headers are fetched anew from an earlier one:
   *     until they are here everything counts as pending
   * @param options with whom and how
   * @param listener hears what happens
   * @return what was done
   * @throws WalletException if the wallet cannot be written, or the chain does not reach the height
   * @throws NoUsablePeerException if no peer was left before it was complete
   */
  public SyncReport rescan(Birthday from, SyncOptions options, SyncListener listener)
      throws NoUsablePeerException {
    SyncReport report = sessions.rescan(from, options, listener);
    // A rescan that stopped before all headers came does not know where the chain ends.
    if (report.complete()
        && from instanceof Birthday.AtHeight at
        && at.height() > report.height()) {
      throw new WalletException(
          WalletException.Kind.BAD_INPUT,
          "nothing was looked at again: there is no block at height "
              + at.height()
              + ", the chain ends at height "
              + report.height());
    }
    return report;
  }

  /**
   * {@return the network of the wallet's addresses, for {@link Address#parse(String, KeyNetwork)};
   * never changes}
   */
  public KeyNetwork keyNetwork() {
    return access.keyNetwork();
  }

  /**
   * Sums up what it owns, as of the last commit.
   *
   * @return satoshi
   */
  public Balance balance() {
    return access.list(Listings::balance);
  }

  /**
   * Returns how much a payment can spend, fee included: confirmed coins and trusted change that are
   * mature and not frozen, as {@link WalletPayments#plan(PaymentOrder)} takes them.
   *
   * @return satoshi, as of the last commit; often less than the {@linkplain #balance balance}
   */
  public long spendable() {
    return access.read(view -> access.planning(view).spendable());
  }

  /** {@return how far it is, as of the last commit} */
  public ChainState chain() {
    return access.read(WalletView::chain);
  }

  /**
   * Looks a block up in the wallet's headers, as of the last commit. Reads them all.
   *
   * @param block its hash
   * @return its height; empty if it is not in the active chain
   */
  public OptionalInt heightOf(Hash256 block) {
    if (block.equals(network.genesisHash())) {
      return OptionalInt.of(0);
    }
    return access.call(() -> books.heightOf(block));
  }

  /**
   * Reads, and returns how much of the chain the wallet knew then, both of one commit: between two
   * reads a sync may write. Show both: a wallet that is not {@linkplain ChainState#complete
   * complete} may list coins that were spent long ago.
   *
   * <pre>{@code
   * AsOf<List<WalletCoin>> coins = wallet.asOf(open -> open.coins().list());
   * }</pre>
   *
   * @param <T> what is read
   * @param reading one or more methods that read; one that writes throws, of kind WRONG_THREAD.
   *     Other threads wait meanwhile
   * @return as of the last commit
   */
  public <T> AsOf<T> asOf(Function<SpvWallet, T> reading) {
    return access.together(() -> new AsOf<>(reading.apply(this), chain()));
  }

  /** {@return the addresses to hand out, of the wallet's first script type} */
  public WalletAddresses receive() {
    return new WalletAddresses(access, AddressChoice.USUAL);
  }

  /** {@return the transactions that count, as of the last commit} */
  public WalletHistory history() {
    return new WalletHistory(access, false);
  }

  /** {@return what pays others: plans, signs and sends} */
  public WalletPayments payments() {
    return new WalletPayments(access, sessions, false);
  }

  /** {@return what can be spent, now or when it is confirmed and mature, as of the last commit} */
  public WalletCoins coins() {
    return new WalletCoins(access);
  }

  /**
   * {@return what the user noted: labels of transactions, addresses, coins and keys; reads and
   * writes this wallet's file}
   */
  public WalletLabels labels() {
    return new WalletLabels(access);
  }

  /** {@return its words and keys, which it exports, and signs messages with} */
  public WalletKeys keys() {
    return new WalletKeys(access);
  }

  /** {@return what works with other signers: reviews and signs} */
  public WalletPsbts psbts() {
    return new WalletPsbts(access, sessions);
  }

  /** {@return what peers learned and served, as of the last commit} */
  public WalletPrivacy privacy() {
    return new WalletPrivacy(access, new Requests(access));
  }

  /**
   * Stops what is running, waits for its end and closes the file.
   *
   * @throws WalletException of kind WRONG_THREAD in a listener of {@link #sync}, which waits for
   *     its listener: the sync is stopped then, and the file stays open until you close it
   *     elsewhere; else if the file cannot be closed
   */
  @Override
  public void close() {
    try {
      sessions.close();
    } finally {
      if (books.isClosed()) {
        use.end();
      }
      if (shared != null) {
        shared.leave(offered);
      }
    }
  }
}
