package org.murmur.wallet.internal.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.label.Label;
import org.murmur.coins.label.LabelRef;
import org.murmur.p2p.internal.chain.HeaderArchive;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.discovery.KnownAddress;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.CommitBatch.Fetch;
import org.murmur.p2p.internal.sync.CommitBatch.PeerFacts;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.store.DisclosedScripts;
import org.murmur.wallet.internal.store.KeyedHeights;
import org.murmur.wallet.internal.store.LockFile;
import org.murmur.wallet.internal.store.ScriptRun;
import org.murmur.wallet.internal.store.SentFilter;
import org.murmur.wallet.internal.store.SessionFacts;
import org.murmur.wallet.internal.store.StoreChange;
import org.murmur.wallet.internal.store.StoredOutPoints;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.internal.store.WalletStore;
import org.murmur.wallet.overview.Damage;
import org.murmur.wallet.overview.Recoverable;
import org.murmur.wallet.store.sql.SqlEngine;
import org.murmur.wallet.store.sql.SqlEngine.Access;

/**
 * A wallet's file in SQLite: write-ahead log, synced to the disk at every commit.
 *
 * <p>Readers in other processes see the last commit while one writes. A file that is read-only can
 * be read.
 */
public final class SqliteStore implements WalletStore {

  private final SqlEngine engine;
  private final Path file;
  private final LockFile lock;
  private final @Nullable WalletException refused;
  private final Database db;
  private final Tables tables;
  private final MetaRows meta;
  private final HeaderRuns headers;
  private final StoredHeaders archive;
  private final ElementRows elements;
  private final LoadRows loads;
  private final ViewRows views;
  private final ScanRows scans;
  private final TxRows txs;
  private final PeerRows peers;
  private final AddressRows addresses;
  private final SessionRows sessions;
  private final DisclosedScriptRows disclosed;
  private final FetchRows fetches;
  private final LabelRows labels;
  private final GivenRows given;

  private SqliteStore(
      SqlEngine engine,
      Path file,
      LockFile lock,
      Access access,
      @Nullable WalletException refused) {
    this.engine = engine;
    this.file = file;
    this.lock = lock;
    this.refused = refused;
    this.archive = new StoredHeaders(access == Access.WRITE ? Access.READ : access);
    this.db = call(file, () -> Database.open(engine, file, access));
    this.tables = new Tables(db);
    this.meta = new MetaRows(tables);
    this.headers = new HeaderRuns(tables, meta);
    this.elements = new ElementRows(tables);
    this.loads = new LoadRows(tables);
    this.views = new ViewRows(tables);
    this.scans = new ScanRows(tables);
    this.txs = new TxRows(tables, headers);
    this.peers = new PeerRows(tables);
    this.addresses = new AddressRows(tables);
    this.sessions = new SessionRows(tables);
    this.disclosed = new DisclosedScriptRows(tables);
    this.fetches = new FetchRows(tables);
    this.labels = new LabelRows(tables);
    this.given = new GivenRows(tables);
  }

  /**
   * Makes a wallet's file where nothing is, and opens it for writing. It is built under another
   * name and appears under its own when it is whole; what a crash left under the other name is
   * swept up.
   */
  public static SqliteStore create(Path file, StoredWallet wallet, List<ScriptRun> scripts) {
    return create(JdbcEngine.INSTANCE, file, wallet, scripts);
  }

  /** Does the same with the given engine. */
  public static SqliteStore create(
      SqlEngine engine, Path file, StoredWallet wallet, List<ScriptRun> scripts) {
    Path target = file.toAbsolutePath();
    LockFile lock = new LockFile(target);
    boolean done = false;
    try {
      lock.acquire();
      if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
        throw WalletException.about(file, WalletException.Kind.EXISTS, " exists already");
      }
      SqliteStore store = DraftFile.becomes(engine, target, lock, wallet, scripts);
      done = true;
      return store;
    } catch (WalletException e) {
      throw SqliteErrors.inCreation(file, e);
    } catch (IOException e) {
      throw SqliteErrors.inCreation(file, SqliteErrors.ofIo(file, e));
    } finally {
      if (!done) {
        lock.release();
      }
    }
  }

  /**
   * Makes an empty file a wallet's, in full and without a log beside it: closing a log's last
   * connection moves what it holds into the file but does not say when that failed, and half a file
   * would get the wallet's name.
   */
  static void build(SqlEngine engine, Path empty, StoredWallet wallet, List<ScriptRun> scripts) {
    try (SqliteStore store =
        new SqliteStore(engine, empty, new LockFile(empty), Access.WRITE, null)) {
      store.run(
          () -> {
            // Android opens files with a log of its own accord.
            store.db.execute("PRAGMA journal_mode = DELETE");
            store.db.execute("PRAGMA application_id = " + Schema.APPLICATION_ID);
          });
      store.transaction(
          () -> {
            Schema.create(store.db);
            store.meta.insert(wallet);
            store.elements.insertScripts(scripts);
          });
    }
  }

  /** Opens a file that was just built, for whoever holds its lock. */
  static SqliteStore openBuilt(SqlEngine engine, Path file, LockFile lock) {
    SqliteStore store = new SqliteStore(engine, file, lock, Access.WRITE, null);
    try {
      store.useLog();
      return store;
    } catch (Throwable e) {
      store.closeDatabase();
      throw e;
    }
  }

  private void useLog() {
    run(
        () -> {
          db.execute("PRAGMA journal_mode = WAL");
          // The first read makes the log's index, for which there may be no room.
          db.number("PRAGMA user_version");
        });
  }

  /** Opens a wallet's file for reading, not locked. */
  public static SqliteStore open(Path file) {
    return open(JdbcEngine.INSTANCE, file);
  }

  /** Does the same with the given engine. */
  public static SqliteStore open(SqlEngine engine, Path file) {
    Path target = LockFile.realName(file.toAbsolutePath());
    if (!Files.exists(target)) {
      throw WalletException.about(file, WalletException.Kind.MISSING, " does not exist");
    }
    if (Files.isDirectory(target)) {
      throw WalletException.about(
          file, WalletException.Kind.MISSING, " is a folder, and a wallet is a file");
    }
    LockFile.requireOneName(target);
    WalletException refused = refusal(target);
    if (refused == null) {
      try {
        return open(engine, target, Access.WRITE, null);
      } catch (WalletException e) {
        if (!leavesReading(e)) {
          throw e;
        }
        refused = e;
      }
    }
    return openForReading(engine, target, refused);
  }

  /** Whether a wallet that cannot be opened for writing can perhaps be read all the same. */
  private static boolean leavesReading(WalletException e) {
    return e.kind() == WalletException.Kind.READ_ONLY || e.kind() == WalletException.Kind.DISK_FULL;
  }

  private static @Nullable WalletException refusal(Path file) {
    Path folder = file.getParent();
    if (Files.isWritable(file) && (folder == null || Files.isWritable(folder))) {
      return null;
    }
    return WalletException.about(
        file,
        WalletException.Kind.READ_ONLY,
        (Files.isReadable(file)
            ? " may not be written (read-only file or folder)"
            : " may not be read: its permissions do not let this user"));
  }

  /** A file that cannot be written can be read, unless commits in its log are out of reach. */
  private static SqliteStore openForReading(SqlEngine engine, Path file, WalletException refused) {
    Path log = file.resolveSibling(file.getFileName() + "-wal");
    if (!Files.exists(log)) {
      // Nobody writes. Opened as usual, SQLite would make files here as read-only as the wallet's,
      // and they would be in the way of whoever may write again.
      return open(engine, file, Access.FROZEN, refused);
    }
    try {
      return open(engine, file, Access.READ, refused);
    } catch (WalletException e) {
      if (!leavesReading(e)) {
        throw e;
      }
    }
    if (log.toFile().length() > 0) {
      // Commits that a crash left in the log cannot be seen past it: better nothing than old news.
      throw refused.and(
          ", but must be repaired after a crash before it can be read: let a user who may write, on"
              + " a disk with room, run any command on it");
    }
    return open(engine, file, Access.FROZEN, refused);
  }

  private static SqliteStore open(
      SqlEngine engine, Path file, Access access, @Nullable WalletException refused) {
    SqliteStore store = new SqliteStore(engine, file, new LockFile(file), access, refused);
    try {
      store.run(() -> Schema.check(file, store.db));
      if (access == Access.WRITE) {
        store.useLog();
      }
      return store;
    } catch (Throwable e) {
      store.close();
      throw e;
    }
  }

  @Override
  public WalletException damaged(String what, @Nullable Throwable cause) {
    return WalletException.damaged(file, what, cause);
  }

  private static <T> T call(Path file, Tables.Task<T> task) {
    try {
      return task.run();
    } catch (SQLException e) {
      throw SqliteErrors.of(file, e);
    } catch (IllegalArgumentException | IndexOutOfBoundsException | MalformedException e) {
      throw WalletException.damaged(file, String.valueOf(e.getMessage()), e);
    }
  }

  private <T> T read(Tables.Task<T> task) {
    return call(file, () -> tables.read(task));
  }

  private void run(Tables.Work work) {
    call(
        file,
        () -> {
          work.run();
          return true;
        });
  }

  private void transaction(Tables.Work work) {
    run(
        () ->
            tables.write(
                () -> {
                  if (tables.isLost(Recoverable.PRESET)) {
                    meta.putPreset(Preset.Kind.PRIVATE);
                  }
                  work.run();
                }));
  }

  private void write(Tables.Work work) {
    requireLock();
    transaction(work);
  }

  @Override
  public void lock() {
    if (refused != null) {
      throw refused.and("");
    }
    LockFile.requireOneName(file);
    try {
      lock.acquire();
    } catch (IOException e) {
      throw SqliteErrors.ofIo(file, e);
    }
  }

  @Override
  public void unlock() {
    lock.release();
  }

  /** For tests: the file may not grow any more, as on a full disk. */
  void limitPages() {
    run(() -> db.execute("PRAGMA max_page_count = 1"));
  }

  private void requireLock() {
    if (!lock.isHeld()) {
      throw new IllegalStateException("lock the store before writing to it");
    }
  }

  @Override
  public List<Damage> takeDamage() {
    List<Damage> damage = new ArrayList<>();
    tables.takeDamage().forEach(what -> damage.add(new Damage(file.toString(), what)));
    return damage;
  }

  @Override
  public long version() {
    return call(file, () -> db.number("PRAGMA data_version"));
  }

  @Override
  public void beginRead() {
    run(tables::beginRead);
  }

  @Override
  public void endRead() {
    run(tables::endRead);
  }

  @Override
  public StoredWallet wallet() {
    return read(meta::wallet);
  }

  @Override
  public HeaderArchive headers() {
    return archive;
  }

  /**
   * Reads headers over a connection of its own, opened when first needed: in a write-ahead log
   * readers do not wait for who writes.
   */
  private final class StoredHeaders implements HeaderArchive {

    private final Access access;
    private @Nullable Database reader;

    StoredHeaders(Access access) {
      this.access = access;
    }

    @Override
    public synchronized Headers read(int from, int to) {
      return call(
          file,
          () -> {
            Database open = reader;
            if (open == null) {
              open = Database.open(engine, file, access);
              reader = open;
            }
            Tables seen = new Tables(open);
            return new HeaderRuns(seen, new MetaRows(seen)).read(from, to);
          });
    }

    synchronized void close() throws SQLException {
      Database open = reader;
      reader = null;
      if (open != null) {
        open.close();
      }
    }
  }

  @Override
  public int height() {
    return read(headers::height);
  }

  @Override
  public Headers lastHeader() {
    return read(headers::last);
  }

  @Override
  public List<ScriptRun> scripts(boolean whole) {
    return read(() -> elements.scripts(whole));
  }

  @Override
  public StoredOutPoints outPoints() {
    return read(elements::outPoints);
  }

  @Override
  public @Nullable Bytes filterKey() {
    return read(() -> Optional.ofNullable(meta.filterKey())).orElse(null);
  }

  @Override
  public void keepFilterKey(Bytes key) {
    write(() -> meta.putFilterKey(key));
  }

  @Override
  public Optional<Preset.Kind> preset() {
    return read(meta::preset);
  }

  @Override
  public void keepPreset(Preset.Kind preset) {
    write(() -> meta.putPreset(preset));
  }

  @Override
  public @Nullable SentFilter lastShown() {
    return read(() -> Optional.ofNullable(loads.last())).orElse(null);
  }

  @Override
  public List<View> views() {
    return read(
        () -> {
          Set<Long> named = scans.views();
          List<View> all = new ArrayList<>(loads.views(named));
          all.addAll(views.of(named));
          all.sort(Comparator.comparingLong(View::id));
          return all;
        });
  }

  @Override
  public long lastView() {
    return read(
        () -> {
          SentFilter last = loads.last();
          return Math.max(last == null ? 0 : last.load(), views.last());
        });
  }

  @Override
  public List<Load> epochs() {
    return read(loads::epochs);
  }

  @Override
  public void showings(Consumer<SentFilter> reader) {
    read(
        () -> {
          loads.showings(reader);
          return true;
        });
  }

  @Override
  public List<DisclosedScripts> disclosed() {
    return read(disclosed::read);
  }

  @Override
  public List<Fetch> fetches() {
    return read(fetches::read);
  }

  @Override
  public List<ScanRow> rows() {
    return read(scans::read);
  }

  @Override
  public List<Fact> facts() {
    return read(txs::all);
  }

  @Override
  public @Nullable Fact fact(Hash256 txid) {
    return read(() -> Optional.ofNullable(txs.fact(txid))).orElse(null);
  }

  @Override
  public List<Fact> unconfirmed() {
    return read(txs::unconfirmed);
  }

  @Override
  public List<Fact> confirmedBefore(int height, int position, int limit) {
    return read(() -> txs.before(height, position, limit));
  }

  @Override
  public List<Fact> minedAt(int height) {
    return read(() -> txs.at(height));
  }

  @Override
  public KeyedHeights minedHeights() {
    return read(txs::heights);
  }

  @Override
  public int minedCount() {
    return read(txs::mined);
  }

  @Override
  public @Nullable MerkleBlock proof(Hash256 txid) {
    return read(() -> Optional.ofNullable(txs.proof(txid))).orElse(null);
  }

  @Override
  public List<PeerFacts> peers() {
    return read(peers::read);
  }

  @Override
  public List<KnownAddress> addresses() {
    return read(addresses::read);
  }

  @Override
  public List<SessionFacts> sessions() {
    return read(sessions::read);
  }

  @Override
  public void note(SessionFacts session) {
    requireLock();
    // Damage is found here, and dropped at the beginning of the transaction.
    sessions();
    transaction(() -> sessions.add(session));
  }

  @Override
  public List<Label> labels() {
    return read(labels::all);
  }

  @Override
  public List<Label> labels(Collection<LabelRef> refs) {
    return read(() -> labels.of(refs));
  }

  @Override
  public void putLabels(Collection<Label> changed) {
    write(() -> labels.put(changed));
  }

  @Override
  public List<Tx> given() {
    return read(given::read);
  }

  @Override
  public void give(Tx tx) {
    write(() -> given.add(tx.withoutWitness()));
  }

  @Override
  public void restart(StoredWallet wallet, StoreChange change) {
    write(
        () -> {
          headers.deleteAll();
          scans.deleteAll();
          txs.dropProofsAbove(-1);
          meta.putBeginning(wallet);
          apply(change);
        });
  }

  @Override
  public void write(StoreChange change) {
    write(() -> apply(change));
  }

  private void apply(StoreChange change) throws SQLException {
    CommitBatch batch = change.batch();
    int height = headers.height();
    boolean forks = height > batch.forkHeight();
    if (forks) {
      headers.cutAbove(batch.forkHeight());
      scans.cutAbove(batch.forkHeight());
      txs.dropProofsAbove(batch.forkHeight());
    }
    headers.append(batch.connected());
    if (batch.birthdayHeight().isPresent()) {
      meta.putBirthdayHeight(batch.birthdayHeight());
    }
    if (batch.voidRowsFrom() != Integer.MAX_VALUE) {
      scans.cutAbove(batch.voidRowsFrom() - 1);
    }
    if (!batch.disowned().isEmpty()) {
      Set<Long> theirs = loads.of(batch.disowned());
      theirs.addAll(views.of(batch.disowned()));
      scans.deleteOf(theirs);
    }
    loads.put(batch.loads(), batch.copies(), batch.folded().retired());
    views.put(batch.views());
    scans.delete(batch.folded().gone());
    scans.put(batch.folded().rows());
    scans.put(batch.rows());
    if (change.freesLoads(height)) {
      Set<Long> named = scans.views();
      loads.fold(batch.inUse(), named);
      views.fold(batch.inUse(), named);
    }
    elements.insertScripts(change.scripts());
    txs.apply(change.ledger().facts(), change.ledger().forgotten(), change.proofs());
    elements.putOutPoints(change.outPoints(), txs.facts(ElementRows.payments(change.outPoints())));
    peers.put(batch.peers());
    addresses.write(batch.addresses());
    disclosed.put(change.disclosed());
    fetches.put(batch.fetches());
  }

  @Override
  public void handOut(int chain, int count, OptionalInt kept) {
    write(() -> meta.putHandedOut(chain, count, kept));
  }

  @Override
  public void changeSecret(StoredWallet.Secret secret) {
    requireLock();
    // Overwritten data must not stay readable in the file or its log.
    run(() -> db.execute("PRAGMA secure_delete = ON"));
    transaction(() -> meta.putSecret(secret));
    run(() -> db.execute("PRAGMA wal_checkpoint(TRUNCATE)"));
  }

  @Override
  public void close() {
    try {
      closeDatabase();
    } finally {
      lock.release();
    }
  }

  private void closeDatabase() {
    run(
        () -> {
          archive.close();
          db.close();
        });
  }
}
