package org.murmur.wallet.internal.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
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
import org.murmur.wallet.overview.Loss;
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

  private static final List<String> LOADS = List.of("load", "filter", "epoch", "showing");

  private final SqlEngine engine;
  private final Path file;
  private final LockFile lock;
  private final @Nullable WalletException refused;
  private final Database db;
  private final MetaRows meta;
  private final HeaderRuns headers;
  private final StoredHeaders archive;
  private final ElementRows elements;
  private final LoadRows loads;
  private final ScanRows scans;
  private final TxRows txs;
  private final PeerRows peers;
  private final AddressRows addresses;
  private final SessionRows sessions;
  private final DisclosedScriptRows disclosed;
  private final LabelRows labels;
  private final RowChecksums sums;
  private final Set<String> checked = new HashSet<>();
  private final Set<String> checkedIndexes = new HashSet<>();
  private long checkedVersion = -1;
  private boolean reading;

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
    this.sums = call(file, () -> new RowChecksums(db));
    this.meta = new MetaRows(db, sums);
    this.headers = new HeaderRuns(db);
    this.elements = new ElementRows(db, sums);
    this.loads = new LoadRows(db);
    this.scans = new ScanRows(db);
    this.txs = new TxRows(db, sums, headers);
    this.peers = new PeerRows(db);
    this.addresses = new AddressRows(db);
    this.sessions = new SessionRows(db);
    this.disclosed = new DisclosedScriptRows(db, sums);
    this.labels = new LabelRows(db, sums);
  }

  /** Something that talks to the database. */
  private interface Task<T> {
    T run() throws SQLException;
  }

  /** The same without an answer. */
  private interface Work {
    void run() throws SQLException;
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
            for (String table : Schema.TABLES) {
              store.db.execute(table);
            }
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
          db.pragma("user_version");
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
      throw WalletException.about(file, WalletException.Kind.NOT_FOUND, " does not exist");
    }
    if (Files.isDirectory(target)) {
      throw WalletException.about(
          file, WalletException.Kind.NOT_FOUND, " is a folder, and a wallet is a file");
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
      store.run(
          () ->
              Schema.check(
                  file,
                  store.db.pragma("application_id"),
                  store.db.pragma("user_version"),
                  store.db.tables()));
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

  private <T> T call(Task<T> task) {
    return call(file, task);
  }

  private static <T> T call(Path file, Task<T> task) {
    try {
      return task.run();
    } catch (SQLException e) {
      throw SqliteErrors.of(file, e);
    } catch (IllegalArgumentException | IndexOutOfBoundsException | MalformedException e) {
      throw WalletException.damaged(file, String.valueOf(e.getMessage()), e);
    }
  }

  /** Reads tables that are as they were written; each is looked at once a version of the file. */
  private <T> T call(List<String> tables, Task<T> task) {
    return call(
        () ->
            inSnapshot(
                () -> {
                  check(tables);
                  return task.run();
                }));
  }

  /** Reads a table, and compares it with its checksums on the way. */
  private <T> List<T> rows(String table, RowChecksums.Reader<T> reader) {
    return call(
        () ->
            inSnapshot(
                () -> {
                  check(List.of());
                  List<T> rows = sums.rows(table, reader);
                  checked.add(table);
                  return rows;
                }));
  }

  private <T> T inSnapshot(Task<T> task) throws SQLException {
    if (reading) {
      return task.run();
    }
    db.begin(false);
    try {
      return task.run();
    } finally {
      db.commit();
    }
  }

  private void check(List<String> tables) throws SQLException {
    long version = db.pragma("data_version");
    if (version != checkedVersion) {
      checked.clear();
      checkedIndexes.clear();
      checkedVersion = version;
    }
    List<String> news = new ArrayList<>(tables);
    news.removeAll(checked);
    if (news.remove("headers")) {
      headers.checkLast();
    }
    sums.check(news);
    checked.addAll(tables);
  }

  /**
   * Before an index of a table says that there is no such row: once a version of the file, unless
   * it is refused.
   */
  private void checkIndexes(String... tables) throws SQLException {
    for (String table : tables) {
      if (!checkedIndexes.contains(table)) {
        sums.checkIndex(table);
        checkedIndexes.add(table);
      }
    }
  }

  private void run(Work work) {
    call(
        () -> {
          work.run();
          return true;
        });
  }

  private void transaction(Work work) {
    run(
        () -> {
          db.begin(true);
          try {
            sums.dropLost();
            if (sums.isLost(Recoverable.PRESET)) {
              meta.putPreset(Preset.Kind.PRIVATE);
            }
            work.run();
            sums.write();
            db.commit();
            sums.lostIsDropped();
          } catch (Throwable e) {
            sums.forget();
            rollback();
            throw e;
          }
        });
  }

  private void write(Work work) {
    requireLock();
    transaction(work);
  }

  private void rollback() {
    try {
      db.rollback();
    } catch (SQLException e) {
      // SQLite rolls back by itself on some errors, a full disk among them, and then says that
      // there is no transaction. The error that led here is the one that matters.
    }
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
  public List<Loss> takeLosses() {
    List<Loss> losses = new ArrayList<>();
    sums.takeLosses().forEach(what -> losses.add(new Loss(file.toString(), what)));
    return losses;
  }

  @Override
  public long version() {
    return call(() -> db.pragma("data_version"));
  }

  @Override
  public void beginRead() {
    run(() -> db.begin(false));
    reading = true;
  }

  @Override
  public void endRead() {
    reading = false;
    run(() -> db.commit());
  }

  @Override
  public StoredWallet wallet() {
    return call(List.of("chain"), meta::wallet);
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
          () -> {
            Database open = reader;
            if (open == null) {
              open = Database.open(engine, file, access);
              reader = open;
            }
            return new HeaderRuns(open).read(from, to);
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
    return call(List.of("headers", "meta"), headers::height);
  }

  @Override
  public Headers lastHeader() {
    return call(List.of("headers"), headers::last);
  }

  @Override
  public List<ScriptRun> scripts(boolean whole) {
    return call(List.of("script"), () -> elements.scripts(whole));
  }

  @Override
  public StoredOutPoints outPoints() {
    return call(List.of(), elements::outPoints);
  }

  @Override
  public @Nullable Bytes filterKey() {
    return call(List.of(), () -> Optional.ofNullable(meta.filterKey())).orElse(null);
  }

  @Override
  public void keepFilterKey(Bytes key) {
    write(() -> meta.putFilterKey(key));
  }

  @Override
  public Optional<Preset.Kind> preset() {
    return call(List.of(), meta::preset);
  }

  @Override
  public void keepPreset(Preset.Kind preset) {
    write(() -> meta.putPreset(preset));
  }

  @Override
  public @Nullable SentFilter lastShown() {
    return call(LOADS, () -> Optional.ofNullable(loads.last())).orElse(null);
  }

  @Override
  public List<View> views() {
    List<String> tables = new ArrayList<>(LOADS);
    tables.add("scan_row");
    return call(tables, loads::views);
  }

  @Override
  public List<Load> epochs() {
    return call(LOADS, loads::epochs);
  }

  @Override
  public void showings(Consumer<SentFilter> reader) {
    call(
        LOADS,
        () -> {
          loads.showings(reader);
          return true;
        });
  }

  @Override
  public List<DisclosedScripts> disclosed() {
    return rows("told", DisclosedScriptRows::disclosed);
  }

  @Override
  public List<ScanRow> rows() {
    return call(List.of("scan_row"), scans::read);
  }

  @Override
  public List<Fact> facts() {
    return call(List.of(), txs::all);
  }

  @Override
  public @Nullable Fact fact(Hash256 txid) {
    return call(List.of(), () -> Optional.ofNullable(txs.fact(txid))).orElse(null);
  }

  @Override
  public List<Fact> unconfirmed() {
    return call(List.of(), txs::unconfirmed);
  }

  @Override
  public List<Fact> confirmedBefore(int height, int position, int limit) {
    return call(List.of(), () -> txs.before(height, position, limit));
  }

  @Override
  public List<Fact> minedAt(int height) {
    return call(List.of(), () -> txs.at(height));
  }

  @Override
  public KeyedHeights minedHeights() {
    return call(List.of(), txs::heights);
  }

  @Override
  public int minedCount() {
    return call(List.of(), txs::mined);
  }

  @Override
  public @Nullable MerkleBlock proof(Hash256 txid) {
    return call(List.of(), () -> Optional.ofNullable(txs.proof(txid))).orElse(null);
  }

  @Override
  public List<PeerFacts> peers() {
    return call(List.of(), () -> peers.read(sums));
  }

  @Override
  public List<KnownAddress> addresses() {
    return rows("address", AddressRows::known);
  }

  @Override
  public List<SessionFacts> sessions() {
    List<SessionRows.TrafficRow> traffic = rows("traffic", SessionRows.TrafficRow::of);
    return rows("session", row -> SessionRows.facts(row, traffic));
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
    return call(List.of(), labels::all);
  }

  @Override
  public List<Label> labels(Collection<LabelRef> refs) {
    return call(List.of(), () -> labels.of(refs));
  }

  @Override
  public void putLabels(Collection<Label> changed) {
    write(() -> labels.put(changed));
  }

  @Override
  public List<Tx> given() {
    return rows("given", row -> Tx.parse(Bytes.wrap(row.bytes(1))));
  }

  @Override
  public void give(Tx tx) {
    write(
        () -> {
          byte[] raw = tx.withoutWitness().raw().toArray();
          db.change("DELETE FROM given WHERE raw = ?", raw);
          db.change("INSERT INTO given (raw) VALUES (?)", raw);
          db.execute(
              "DELETE FROM given WHERE id NOT IN (SELECT id FROM given ORDER BY id DESC LIMIT "
                  + GIVEN
                  + ")");
        });
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
    write(
        () -> {
          check(changedInPart(change.batch()));
          headers.checkAbove(change.batch().forkHeight());
          apply(change);
        });
  }

  /** Tables of which a change writes some columns, and a checksum that is of all. */
  private static List<String> changedInPart(CommitBatch change) {
    List<String> tables = new ArrayList<>(List.of("scan_row"));
    if (!change.loads().isEmpty()
        || !change.copies().isEmpty()
        || !change.folded().retired().isEmpty()) {
      tables.addAll(List.of("load", "showing"));
    }
    return tables;
  }

  private void apply(StoreChange change) throws SQLException {
    CommitBatch batch = change.batch();
    int height = headers.height();
    boolean forks = height > batch.forkHeight();
    if (!batch.loads().isEmpty()) {
      checkIndexes("filter");
    }
    if (forks) {
      headers.cutAbove(batch.forkHeight());
      scans.cutAbove(batch.forkHeight());
      txs.dropProofsAbove(batch.forkHeight());
    }
    headers.append(batch.connected());
    if (batch.birthdayHeight().isPresent()) {
      meta.putBirthdayHeight(batch.birthdayHeight().getAsInt());
    }
    if (batch.voidRowsFrom() != Integer.MAX_VALUE) {
      scans.cutAbove(batch.voidRowsFrom() - 1);
    }
    scans.deleteOf(batch.disowned());
    loads.put(batch.loads());
    loads.updateCopies(batch.copies());
    loads.retire(batch.folded().retired());
    scans.delete(batch.folded().gone());
    scans.put(batch.folded().rows());
    scans.put(batch.rows());
    if (change.freesLoads(height)) {
      loads.fold(batch.inUse());
    }
    elements.insertScripts(change.scripts());
    txs.apply(change.ledger().facts(), change.ledger().forgotten(), change.proofs());
    elements.putOutPoints(change.outPoints(), txs.facts(ElementRows.payments(change.outPoints())));
    peers.put(batch.peers());
    addresses.write(batch.addresses());
    disclosed.put(change.disclosed());
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
