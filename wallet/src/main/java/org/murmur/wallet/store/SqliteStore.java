package org.murmur.wallet.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.p2p.chain.ChainWork;
import org.murmur.p2p.chain.HeaderArchive;
import org.murmur.p2p.discovery.AddressChanges;
import org.murmur.p2p.discovery.KnownAddress;
import org.murmur.p2p.sync.CommitBatch.PeerFacts;
import org.murmur.p2p.sync.Content;
import org.murmur.p2p.sync.Load;
import org.murmur.p2p.sync.PeerAddress;
import org.murmur.p2p.sync.ScanRow;
import org.murmur.p2p.sync.ServerCopy;
import org.murmur.p2p.wire.Headers;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.ledger.Fact;
import org.sqlite.JDBC;

/**
 * A wallet's file in SQLite: write-ahead log, synced to the disk at every commit.
 *
 * <p>Readers in other processes see the last commit while one writes. A file that is read-only can
 * be read.
 */
public final class SqliteStore implements WalletStore {

  private static final int BUSY_MILLIS = 5_000;

  private static final String FILTER_KEY = "filter_key";

  /**
   * Pages (16 MB) that the log may hold before they are brought home: SQLite's 1,000 are three
   * batches of headers, and a million of these took half as long again.
   */
  private static final int CHECKPOINT_PAGES = 4_000;

  /** Syncs that later ones are estimated from; older ones say little of the peers of today. */
  private static final int KEPT_SESSIONS = 20;

  private final Path file;
  private final SideLock lock;
  private final Connection db;
  private final @Nullable StoreException refused;
  private final StoredHeaders headers;

  private SqliteStore(Path file, SideLock lock, Access access, @Nullable StoreException refused)
      throws StoreException {
    this.file = file;
    this.lock = lock;
    this.refused = refused;
    this.db = connect(file, access);
    this.headers = new StoredHeaders(access == Access.WRITE ? Access.READ : access);
  }

  /** What a file is opened for. */
  private enum Access {
    /** Everything. */
    WRITE,
    /** Reading, together with the log of somebody who may write. */
    READ,
    /** Reading what nobody writes to: SQLite need not look for a log, nor make one. */
    FROZEN
  }

  /** Something that talks to the database. */
  private interface Task<T> {
    T run() throws SQLException, StoreException;
  }

  /** Something that writes to the database. */
  private interface Work {
    void run() throws SQLException;
  }

  /**
   * Makes a wallet's file and opens it for writing. It is built under another name and appears
   * under its own when it is whole; what a crash left under the other name is swept up.
   *
   * @param file where; nothing may be there
   * @param wallet what it is
   * @param scripts the beginning of the element log
   * @return the store, locked
   * @throws StoreException if there is a file already, or it cannot be written
   */
  public static SqliteStore create(Path file, StoredWallet wallet, List<ScriptRun> scripts)
      throws StoreException {
    Path target = file.toAbsolutePath();
    SideLock lock = new SideLock(target);
    boolean done = false;
    lock.acquire();
    try {
      if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
        throw new StoreException(StoreException.Kind.EXISTS, "there is a wallet already: " + file);
      }
      SqliteStore store = buildAt(target, lock, wallet, scripts);
      done = true;
      return store;
    } catch (StoreException e) {
      throw SqliteErrors.inCreation(file, e);
    } catch (IOException e) {
      throw SqliteErrors.inCreation(file, SqliteErrors.ofIo(file, e));
    } finally {
      if (!done) {
        lock.release();
      }
    }
  }

  /** All or nothing: who is told that it failed has no words to what would be there. */
  private static SqliteStore buildAt(
      Path target, SideLock lock, StoredWallet wallet, List<ScriptRun> scripts) throws IOException {
    Path draft = target.resolveSibling(target.getFileName() + ".new");
    Path last = draft;
    boolean done = false;
    try {
      sweep(draft);
      build(draft, wallet, scripts);
      // What another wallet of this name left behind is not this one's log.
      sweepBeside(target);
      Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
      last = target;
      SqliteStore store = new SqliteStore(target, lock, Access.WRITE, null);
      try {
        store.useLog();
        done = true;
        return store;
      } finally {
        if (!done) {
          store.closeDatabase();
        }
      }
    } finally {
      if (!done) {
        sweepQuietly(last);
      }
    }
  }

  /**
   * Writes the file in full, without a log beside it: closing a log's last connection moves what it
   * holds into the file but does not say when that failed, and half a file would get the wallet's
   * name.
   */
  private static void build(Path draft, StoredWallet wallet, List<ScriptRun> scripts)
      throws IOException {
    createPrivate(draft);
    try (SqliteStore store = new SqliteStore(draft, new SideLock(draft), Access.WRITE, null)) {
      store.call(
          () -> {
            store.execute("PRAGMA application_id = " + Schema.APPLICATION_ID);
            store.execute("PRAGMA user_version = " + Schema.FIRST_FORMAT);
            return true;
          });
      store.transaction(
          () -> {
            for (String table : Schema.TABLES) {
              store.execute(table);
            }
            store.insertWallet(wallet);
            store.insertScripts(scripts);
          });
    }
  }

  private void useLog() throws StoreException {
    call(
        () -> {
          execute("PRAGMA journal_mode = WAL");
          // The first read makes the log's index, for which there may be no room.
          return number("user_version");
        });
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

  /**
   * Opens a wallet's file for reading.
   *
   * @param file where it is
   * @return the store, not locked
   * @throws StoreException if there is none, or it cannot be read
   */
  public static SqliteStore open(Path file) throws StoreException {
    Path target = file.toAbsolutePath();
    if (!Files.exists(target)) {
      throw new StoreException(StoreException.Kind.NOT_FOUND, "no wallet at " + file);
    }
    StoreException refused = refusal(target);
    if (refused == null) {
      try {
        return open(target, Access.WRITE, null);
      } catch (StoreException e) {
        if (!leavesReading(e)) {
          throw e;
        }
        refused = e;
      }
    }
    return openForReading(target, refused);
  }

  /** Whether a wallet that cannot be opened for writing can perhaps be read all the same. */
  private static boolean leavesReading(StoreException e) {
    return e.kind() == StoreException.Kind.READ_ONLY || e.kind() == StoreException.Kind.DISK_FULL;
  }

  private static @Nullable StoreException refusal(Path file) {
    Path folder = file.getParent();
    if (Files.isWritable(file) && (folder == null || Files.isWritable(folder))) {
      return null;
    }
    return new StoreException(
        StoreException.Kind.READ_ONLY,
        file
            + (Files.isReadable(file)
                ? " may not be written (read-only file or folder)"
                : " may not be read: its permissions do not let this user"));
  }

  /** What cannot be written can be read, unless commits in its log are out of reach. */
  private static SqliteStore openForReading(Path file, StoreException refused)
      throws StoreException {
    Path log = file.resolveSibling(file.getFileName() + "-wal");
    if (!Files.exists(log)) {
      // Nobody writes. Opened as usual, SQLite would make files here as read-only as the wallet's,
      // and they would be in the way of whoever may write again.
      return open(file, Access.FROZEN, refused);
    }
    try {
      return open(file, Access.READ, refused);
    } catch (StoreException e) {
      if (!leavesReading(e)) {
        throw e;
      }
    }
    if (log.toFile().length() > 0) {
      // Commits that a crash left in the log cannot be seen past it: better nothing than old news.
      throw new StoreException(
          refused.kind(),
          refused.getMessage()
              + ", but must be repaired after a crash before it can be read: let a user who may"
              + " write, on a disk with room, run any command on it",
          refused);
    }
    return open(file, Access.FROZEN, refused);
  }

  private static SqliteStore open(Path file, Access access, @Nullable StoreException refused)
      throws StoreException {
    SqliteStore store = new SqliteStore(file, new SideLock(file), access, refused);
    boolean done = false;
    try {
      store.call(
          () -> {
            Schema.check(file, store.number("application_id"), store.number("user_version"));
            return true;
          });
      if (access == Access.WRITE) {
        store.useLog();
      }
      done = true;
      return store;
    } finally {
      if (!done) {
        store.close();
      }
    }
  }

  /**
   * The path as a URI that SQLite reads: a question mark or a hash in a folder's name is no end of
   * it.
   */
  private static String uri(Path file) {
    return "file:" + file.toAbsolutePath().toUri().getRawPath();
  }

  private static Connection connect(Path file, Access access) throws StoreException {
    try {
      Properties properties = new Properties();
      if (access != Access.WRITE) {
        // SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        properties.setProperty("open_mode", Integer.toString(0x1 | 0x40));
      }
      String url =
          switch (access) {
            case WRITE -> file.toString();
            case READ -> uri(file);
            case FROZEN -> uri(file) + "?immutable=1";
          };
      Connection db = JDBC.createConnection("jdbc:sqlite:" + url, properties);
      try (Statement s = db.createStatement()) {
        s.execute("PRAGMA busy_timeout = " + BUSY_MILLIS);
        if (access == Access.WRITE) {
          s.execute("PRAGMA synchronous = FULL");
          s.execute("PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES);
        }
        s.execute("PRAGMA foreign_keys = ON");
      } catch (SQLException e) {
        db.close();
        throw e;
      }
      return db;
    } catch (SQLException e) {
      throw SqliteErrors.of(file, e);
    }
  }

  private <T> T call(Task<T> task) throws StoreException {
    try {
      return task.run();
    } catch (SQLException e) {
      throw SqliteErrors.of(file, e);
    } catch (IllegalArgumentException | IndexOutOfBoundsException | MalformedException e) {
      throw new StoreException(
          StoreException.Kind.CORRUPT, file + " is damaged (" + e.getMessage() + ")", e);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement s = db.createStatement()) {
      s.execute(sql);
    }
  }

  private void transaction(Work work) throws StoreException {
    call(
        () -> {
          execute("BEGIN IMMEDIATE");
          boolean done = false;
          try {
            work.run();
            execute("COMMIT");
            done = true;
          } finally {
            if (!done) {
              rollback();
            }
          }
          return true;
        });
  }

  private void rollback() {
    try {
      execute("ROLLBACK");
    } catch (SQLException e) {
      // SQLite rolls back by itself on some errors, a full disk among them, and then says that
      // there is no transaction. The error that led here is the one that matters.
    }
  }

  @Override
  public void lock() throws StoreException {
    if (refused != null) {
      throw new StoreException(refused.kind(), String.valueOf(refused.getMessage()), refused);
    }
    lock.acquire();
  }

  @Override
  public void unlock() {
    lock.release();
  }

  /** For tests: the file may not grow any more, as on a full disk. */
  void limitPages() throws StoreException {
    call(
        () -> {
          execute("PRAGMA max_page_count = 1");
          return true;
        });
  }

  private void requireLock() {
    if (!lock.isHeld()) {
      throw new IllegalStateException("lock the store before writing to it");
    }
  }

  @Override
  public long version() throws StoreException {
    return call(() -> number("data_version"));
  }

  private long number(String pragma) throws SQLException {
    try (Statement s = db.createStatement();
        ResultSet r = s.executeQuery("PRAGMA " + pragma)) {
      return r.next() ? r.getLong(1) : 0;
    }
  }

  @Override
  public void beginRead() throws StoreException {
    call(
        () -> {
          execute("BEGIN");
          return true;
        });
  }

  @Override
  public void endRead() throws StoreException {
    call(
        () -> {
          execute("COMMIT");
          return true;
        });
  }

  @Override
  public StoredWallet wallet() throws StoreException {
    return call(
        () -> {
          Map<String, Object> meta = new HashMap<>();
          try (Statement s = db.createStatement();
              ResultSet r = s.executeQuery("SELECT key, value FROM meta")) {
            while (r.next()) {
              meta.put(Columns.text(r, 1), r.getObject(2));
            }
          }
          Object height = meta.get("birthday_height");
          return new StoredWallet(
              text(meta, "network"),
              number(meta, "created"),
              birthday(text(meta, "birthday")),
              height == null
                  ? OptionalInt.empty()
                  : OptionalInt.of((int) number(meta, "birthday_height")),
              (int) number(meta, "gap"),
              (int) number(meta, "look_ahead"),
              chains(),
              secret(meta),
              base(meta));
        });
  }

  private List<StoredWallet.Chain> chains() throws SQLException {
    List<StoredWallet.Chain> chains = new ArrayList<>();
    try (Statement s = db.createStatement();
        ResultSet r =
            s.executeQuery(
                "SELECT descriptor, change, ranged, handed_out FROM chain ORDER BY id")) {
      while (r.next()) {
        chains.add(
            new StoredWallet.Chain(
                Columns.text(r, 1), r.getBoolean(2), r.getBoolean(3), r.getInt(4)));
      }
    }
    return chains;
  }

  private static StoredWallet.@Nullable Secret secret(Map<String, Object> meta) {
    Object words = meta.get("words");
    return words instanceof byte[] bytes
        ? new StoredWallet.Secret(
            Bytes.of(bytes),
            number(meta, "words_encrypted") != 0,
            number(meta, "passphrase_used") != 0)
        : null;
  }

  private static @Nullable ChainBase base(Map<String, Object> meta) {
    return meta.containsKey(Schema.BASE_HEIGHT)
        ? new ChainBase(
            (int) number(meta, Schema.BASE_HEIGHT),
            Hash256.ofDisplay(text(meta, Schema.BASE_HASH)),
            Hash256.ofDisplay(text(meta, Schema.BASE_PREVIOUS)),
            number(meta, Schema.BASE_TIME),
            (int) number(meta, Schema.BASE_BITS),
            ChainWork.ofHex(text(meta, Schema.BASE_WORK)))
        : null;
  }

  private void insertBase(@Nullable ChainBase base) throws SQLException {
    if (base == null) {
      execute("DELETE FROM meta WHERE key = '" + Schema.BASE_HEIGHT + "'");
      return;
    }
    meta(Schema.BASE_HEIGHT, base.height());
    meta(Schema.BASE_HASH, base.hash().toDisplay());
    meta(Schema.BASE_PREVIOUS, base.previous().toDisplay());
    meta(Schema.BASE_TIME, base.time());
    meta(Schema.BASE_BITS, base.bits());
    meta(Schema.BASE_WORK, base.work().toString());
  }

  private static String text(Map<String, Object> meta, String key) {
    Object value = meta.get(key);
    if (value instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException("no " + key + " in it");
  }

  private static long number(Map<String, Object> meta, String key) {
    Object value = meta.get(key);
    if (value instanceof Number number) {
      return number.longValue();
    }
    throw new IllegalArgumentException("no " + key + " in it");
  }

  private static String print(Birthday birthday) {
    return birthday instanceof Birthday.AtHeight at
        ? "height " + at.height()
        : "time " + ((Birthday.AtTime) birthday).time().getEpochSecond();
  }

  private static Birthday birthday(String text) {
    if (text.startsWith("height ")) {
      return new Birthday.AtHeight(Integer.parseInt(text.substring(7)));
    }
    if (text.startsWith("time ")) {
      return new Birthday.AtTime(Instant.ofEpochSecond(Long.parseLong(text.substring(5))));
    }
    throw new IllegalArgumentException("unknown birthday '" + text + "'");
  }

  private void insertWallet(StoredWallet wallet) throws SQLException {
    meta("network", wallet.network());
    meta("created", wallet.created());
    meta("birthday", print(wallet.birthday()));
    if (wallet.birthdayHeight().isPresent()) {
      meta("birthday_height", wallet.birthdayHeight().getAsInt());
    }
    if (wallet.base() != null) {
      insertBase(wallet.base());
    }
    if (wallet.base() != null || wallet.network().indexOf(':') >= 0) {
      // An older program would take the first header for a damaged one, or know no such network.
      execute("PRAGMA user_version = " + Schema.BASE_FORMAT);
    }
    meta("gap", wallet.gap());
    meta("look_ahead", wallet.lookAhead());
    StoredWallet.Secret secret = wallet.secret();
    if (secret != null) {
      insertSecret(secret);
    }
    try (PreparedStatement s = db.prepareStatement("INSERT INTO chain VALUES (?, ?, ?, ?, ?)")) {
      for (int i = 0; i < wallet.chains().size(); i++) {
        StoredWallet.Chain chain = wallet.chains().get(i);
        s.setInt(1, i);
        s.setString(2, chain.descriptor());
        s.setBoolean(3, chain.change());
        s.setBoolean(4, chain.ranged());
        s.setInt(5, chain.handedOut());
        s.executeUpdate();
      }
    }
  }

  private void insertSecret(StoredWallet.Secret secret) throws SQLException {
    meta("words", secret.words().toArray());
    meta("words_encrypted", secret.encrypted() ? 1 : 0);
    meta("passphrase_used", secret.passphraseUsed() ? 1 : 0);
  }

  private void meta(String key, Object value) throws SQLException {
    try (PreparedStatement s = db.prepareStatement("INSERT OR REPLACE INTO meta VALUES (?, ?)")) {
      s.setString(1, key);
      s.setObject(2, value);
      s.executeUpdate();
    }
  }

  @Override
  public HeaderArchive headers() {
    return headers;
  }

  /**
   * Reads headers over a connection of its own, opened when first needed: in a write-ahead log
   * readers do not wait for who writes.
   */
  private final class StoredHeaders implements HeaderArchive {

    private final Access access;
    private @Nullable Connection reader;

    StoredHeaders(Access access) {
      this.access = access;
    }

    @Override
    public synchronized Headers read(int from, int to) {
      try {
        Connection open = reader;
        if (open == null) {
          open = connect(file, access);
          reader = open;
        }
        HeaderRuns runs = new HeaderRuns(open);
        return call(() -> runs.read(from, to));
      } catch (StoreException e) {
        throw new UncheckedIOException(e);
      }
    }

    synchronized void close() throws SQLException {
      Connection open = reader;
      reader = null;
      if (open != null) {
        open.close();
      }
    }
  }

  @Override
  public int height() throws StoreException {
    return call(() -> new HeaderRuns(db).height());
  }

  @Override
  public Headers lastHeader() throws StoreException {
    return call(() -> new HeaderRuns(db).last());
  }

  @Override
  public List<ScriptRun> scripts(boolean whole) throws StoreException {
    return call(
        () -> {
          List<ScriptRun> runs = new ArrayList<>();
          String sql =
              "SELECT first, chain, child, count, elements"
                  + (whole ? ", scripts, addresses" : "")
                  + " FROM scripts ORDER BY first";
          try (Statement s = db.createStatement();
              ResultSet r = s.executeQuery(sql)) {
            while (r.next()) {
              int count = r.getInt(4);
              runs.add(
                  new ScriptRun(
                      r.getInt(1),
                      r.getInt(2),
                      r.getInt(3),
                      Packed.unpack(Columns.bytes(r, 5), count),
                      whole ? Packed.unpack(Columns.bytes(r, 6), count) : List.of(),
                      whole ? Arrays.asList(Columns.text(r, 7).split("\n")) : List.of()));
            }
          }
          return runs;
        });
  }

  private void insertScripts(List<ScriptRun> runs) throws SQLException {
    try (PreparedStatement s =
        db.prepareStatement("INSERT INTO scripts VALUES (?, ?, ?, ?, ?, ?, ?)")) {
      for (ScriptRun run : runs) {
        s.setInt(1, run.first());
        s.setInt(2, run.chain());
        s.setInt(3, run.child());
        s.setInt(4, run.count());
        s.setBytes(5, Packed.pack(run.elements()));
        s.setBytes(6, Packed.pack(run.scripts()));
        s.setString(7, String.join("\n", run.addresses()));
        s.executeUpdate();
      }
    }
  }

  @Override
  public List<LoggedOutPoint> outPoints() throws StoreException {
    return call(
        () -> {
          List<LoggedOutPoint> outPoints = new ArrayList<>();
          try (Statement s = db.createStatement();
              ResultSet r =
                  s.executeQuery(
                      "SELECT idx, txid, vout, ifnull(script, -1), birth, ifnull(end, 2147483647)"
                          + " FROM outpoint ORDER BY idx")) {
            while (r.next()) {
              outPoints.add(
                  new LoggedOutPoint(
                      r.getInt(1),
                      new OutPoint(Hash256.ofInternal(Columns.bytes(r, 2)), (int) r.getLong(3)),
                      r.getInt(4),
                      r.getInt(5),
                      r.getInt(6)));
            }
          }
          return outPoints;
        });
  }

  private void insertOutPoints(List<LoggedOutPoint> outPoints) throws SQLException {
    try (PreparedStatement s =
        db.prepareStatement(
            "INSERT INTO outpoint VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (idx) DO UPDATE SET"
                + " script = excluded.script, birth = excluded.birth, end = excluded.end")) {
      for (LoggedOutPoint outPoint : outPoints) {
        s.setInt(1, outPoint.index());
        s.setBytes(2, outPoint.outPoint().txid().toInternal());
        s.setLong(3, Integer.toUnsignedLong(outPoint.outPoint().index()));
        s.setObject(4, outPoint.script() < 0 ? null : outPoint.script());
        s.setInt(5, outPoint.birth());
        s.setObject(6, outPoint.end() == Integer.MAX_VALUE ? null : outPoint.end());
        s.executeUpdate();
      }
    }
  }

  @Override
  public @Nullable Bytes filterKey() throws StoreException {
    Optional<Bytes> key =
        call(
            () -> {
              try (Statement s = db.createStatement();
                  ResultSet r =
                      s.executeQuery("SELECT value FROM meta WHERE key = '" + FILTER_KEY + "'")) {
                return r.next() ? Optional.of(Bytes.of(Columns.bytes(r, 1))) : Optional.empty();
              }
            });
    return key.orElse(null);
  }

  @Override
  public void keepFilterKey(Bytes key) throws StoreException {
    requireLock();
    transaction(() -> meta(FILTER_KEY, key.toArray()));
  }

  @Override
  public List<Load> loads() throws StoreException {
    return call(
        () -> {
          Map<Long, BloomFilter> filters = new HashMap<>();
          try (Statement s = db.createStatement();
              ResultSet r = s.executeQuery("SELECT id, filterload FROM filter")) {
            while (r.next()) {
              filters.put(r.getLong(1), BloomFilter.fromPayload(Bytes.wrap(Columns.bytes(r, 2))));
            }
          }
          Map<Long, Content> epochs = epochs();
          List<Load> loads = new ArrayList<>();
          try (Statement s = db.createStatement();
              ResultSet r =
                  s.executeQuery(
                      "SELECT id, host, port, elements, filter, time FROM load ORDER BY id")) {
            while (r.next()) {
              BloomFilter filter = filters.get(r.getLong(5));
              if (filter == null) {
                throw new IllegalArgumentException("a load without its filter");
              }
              Content epoch = epochs.get(r.getLong(5));
              loads.add(
                  new Load(
                      r.getLong(1),
                      new PeerAddress(Columns.text(r, 2), r.getInt(3)),
                      epoch == null ? new Content.Prefix(r.getInt(4)) : epoch,
                      filter,
                      r.getLong(6)));
            }
          }
          return loads;
        });
  }

  /** What filters hold that hold no prefix, by the filter's id. */
  private Map<Long, Content> epochs() throws SQLException {
    Map<Long, Content> epochs = new HashMap<>();
    if (!hasTable("epoch")) {
      return epochs;
    }
    try (Statement s = db.createStatement();
        ResultSet r = s.executeQuery("SELECT filter, role, number, members FROM epoch")) {
      while (r.next()) {
        epochs.put(
            r.getLong(1),
            new Content.Epoch(
                FilterRole.valueOf(Columns.text(r, 2)),
                r.getInt(3),
                BitSet.valueOf(Columns.bytes(r, 4))));
      }
    }
    return epochs;
  }

  private void insertEpoch(long filter, Content.Epoch epoch) throws SQLException {
    if (!hasTable("epoch")) {
      // From here on an older program would take an epoch for a prefix, and lose coins.
      execute(Schema.EPOCHS);
      execute("PRAGMA user_version = " + Math.max(number("user_version"), Schema.EPOCH_FORMAT));
    }
    try (PreparedStatement s =
        db.prepareStatement("INSERT OR IGNORE INTO epoch VALUES (?, ?, ?, ?)")) {
      s.setLong(1, filter);
      s.setString(2, epoch.role().name());
      s.setInt(3, epoch.number());
      s.setBytes(4, epoch.members().toByteArray());
      s.executeUpdate();
    }
  }

  @Override
  public List<Showing> showings() throws StoreException {
    return call(
        () -> {
          List<Showing> showings = new ArrayList<>();
          if (!hasTable("shown")) {
            return showings;
          }
          try (Statement s = db.createStatement();
              ResultSet r =
                  s.executeQuery(
                      "SELECT load, elements, outpoints, bits FROM shown ORDER BY load")) {
            while (r.next()) {
              showings.add(new Showing(r.getLong(1), r.getInt(2), r.getInt(3), r.getInt(4)));
            }
          }
          return showings;
        });
  }

  private boolean hasTable(String name) throws SQLException {
    try (PreparedStatement s =
        db.prepareStatement("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")) {
      s.setString(1, name);
      try (ResultSet r = s.executeQuery()) {
        return r.next();
      }
    }
  }

  /** Notes how filters begin. Those that were noted have grown since, and keep their beginning. */
  private void insertShowings(List<Load> loads) throws SQLException {
    execute(Schema.SHOWN);
    try (PreparedStatement s =
        db.prepareStatement(
            "INSERT INTO shown VALUES (?, ?, 0, 0) ON CONFLICT (load) DO NOTHING")) {
      for (Load load : loads) {
        s.setLong(1, load.id());
        s.setInt(2, load.elements());
        s.executeUpdate();
      }
    }
  }

  private void updateCopies(List<ServerCopy> copies) throws SQLException {
    if (copies.isEmpty()) {
      return;
    }
    try (PreparedStatement s =
        db.prepareStatement("UPDATE shown SET outpoints = ?, bits = ? WHERE load = ?")) {
      for (ServerCopy copy : copies) {
        s.setInt(1, copy.outPoints());
        s.setInt(2, copy.bitsSet());
        s.setLong(3, copy.load());
        s.executeUpdate();
      }
    }
  }

  private void insertLoads(List<Load> loads) throws SQLException {
    if (loads.isEmpty()) {
      return;
    }
    insertShowings(loads);
    try (PreparedStatement s =
        db.prepareStatement(
            "INSERT INTO load VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
                + " elements = excluded.elements, filter = excluded.filter")) {
      for (Load load : loads) {
        s.setLong(1, load.id());
        s.setString(2, load.peer().host());
        s.setInt(3, load.peer().port());
        s.setInt(4, load.elements());
        long filter = filterId(load.filter().toPayload());
        s.setLong(5, filter);
        s.setLong(6, load.time());
        s.executeUpdate();
        if (load.content() instanceof Content.Epoch epoch) {
          insertEpoch(filter, epoch);
        }
      }
    }
    // A filter that grew takes the place of the one it was, unless somebody else was sent that.
    execute("DELETE FROM filter WHERE id NOT IN (SELECT filter FROM load)");
  }

  private long filterId(Bytes payload) throws SQLException {
    byte[] hash = DoubleSha256.of(payload).toInternal();
    try (PreparedStatement s =
        db.prepareStatement(
            "INSERT INTO filter (hash, filterload) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING")) {
      s.setBytes(1, hash);
      s.setBytes(2, payload.unsafeArray());
      s.executeUpdate();
    }
    try (PreparedStatement s = db.prepareStatement("SELECT id FROM filter WHERE hash = ?")) {
      s.setBytes(1, hash);
      try (ResultSet r = s.executeQuery()) {
        if (!r.next()) {
          throw new AssertionError("the filter just written is gone");
        }
        return r.getLong(1);
      }
    }
  }

  @Override
  public List<ScanRow> rows() throws StoreException {
    return call(
        () -> {
          List<ScanRow> rows = new ArrayList<>();
          try (Statement s = db.createStatement();
              ResultSet r =
                  s.executeQuery(
                      "SELECT id, load, elements, low, high, time FROM scan_row ORDER BY id")) {
            while (r.next()) {
              rows.add(
                  new ScanRow(
                      r.getLong(1),
                      r.getLong(2),
                      r.getInt(3),
                      r.getInt(4),
                      r.getInt(5),
                      r.getLong(6)));
            }
          }
          return rows;
        });
  }

  private void cutRowsAbove(int height) throws SQLException {
    try (PreparedStatement s = db.prepareStatement("DELETE FROM scan_row WHERE low > ?")) {
      s.setInt(1, height);
      s.executeUpdate();
    }
    try (PreparedStatement s =
        db.prepareStatement("UPDATE scan_row SET high = ?1 WHERE high > ?1")) {
      s.setInt(1, height);
      s.executeUpdate();
    }
  }

  private void deleteRowsOf(List<PeerAddress> peers) throws SQLException {
    if (peers.isEmpty()) {
      return;
    }
    try (PreparedStatement s =
        db.prepareStatement(
            "DELETE FROM scan_row WHERE load IN"
                + " (SELECT id FROM load WHERE host = ? AND port = ?)")) {
      for (PeerAddress peer : peers) {
        s.setString(1, peer.host());
        s.setInt(2, peer.port());
        s.executeUpdate();
      }
    }
  }

  private void insertRows(List<ScanRow> rows) throws SQLException {
    try (PreparedStatement s =
        db.prepareStatement("INSERT OR REPLACE INTO scan_row VALUES (?, ?, ?, ?, ?, ?)")) {
      for (ScanRow row : rows) {
        s.setLong(1, row.id());
        s.setLong(2, row.load());
        s.setInt(3, row.elements());
        s.setInt(4, row.from());
        s.setInt(5, row.to());
        s.setLong(6, row.time());
        s.executeUpdate();
      }
    }
  }

  @Override
  public List<Fact> facts() throws StoreException {
    return call(
        () -> {
          List<Fact> facts = new ArrayList<>();
          try (Statement s = db.createStatement();
              ResultSet r =
                  s.executeQuery(
                      "SELECT raw, seen, first_seen, ifnull(since, -1), block, height, position,"
                          + " time, missing, txid FROM tx")) {
            while (r.next()) {
              byte[] block = r.getBytes(5);
              Confirmation confirmation =
                  block == null
                      ? null
                      : new Confirmation(
                          r.getInt(6), Hash256.ofInternal(block), r.getInt(7), r.getLong(8));
              Tx tx = Tx.parse(Bytes.wrap(Columns.bytes(r, 1)));
              if (!tx.txid().equals(Hash256.ofInternal(Columns.bytes(r, 10)))) {
                throw new IllegalArgumentException("a transaction that is not what its txid says");
              }
              facts.add(
                  new Fact(
                      tx, r.getLong(2), r.getLong(3), r.getInt(4), r.getBoolean(9), confirmation));
            }
          }
          return facts;
        });
  }

  private void insertFacts(List<Fact> facts) throws SQLException {
    try (PreparedStatement s =
        db.prepareStatement(
            "INSERT INTO tx VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (txid) DO UPDATE SET"
                + " raw = excluded.raw, seen = excluded.seen, since = excluded.since,"
                + " height = excluded.height, block = excluded.block,"
                + " position = excluded.position, time = excluded.time,"
                + " missing = excluded.missing")) {
      for (Fact fact : facts) {
        Confirmation where = fact.confirmation();
        s.setBytes(1, fact.tx().txid().toInternal());
        s.setBytes(2, fact.tx().raw().unsafeArray());
        s.setLong(3, fact.seen());
        s.setLong(4, fact.firstSeen());
        s.setObject(5, fact.pendingSince() == Fact.NEVER_PENDING ? null : fact.pendingSince());
        s.setObject(6, where == null ? null : where.height());
        s.setObject(7, where == null ? null : where.block().toInternal());
        s.setObject(8, where == null ? null : where.position());
        s.setObject(9, where == null ? null : where.time());
        s.setBoolean(10, fact.missing());
        s.executeUpdate();
      }
    }
  }

  private void insertProofs(List<StoredProof> proofs) throws SQLException {
    try (PreparedStatement s =
        db.prepareStatement("INSERT OR REPLACE INTO proof VALUES (?, ?, ?)")) {
      for (StoredProof proof : proofs) {
        s.setBytes(1, proof.txid().toInternal());
        s.setInt(2, proof.height());
        s.setBytes(3, proof.payload().unsafeArray());
        s.executeUpdate();
      }
    }
  }

  @Override
  public @Nullable Bytes proof(Hash256 txid) throws StoreException {
    Optional<Bytes> proof =
        call(
            () -> {
              try (PreparedStatement s =
                  db.prepareStatement("SELECT merkleblock FROM proof WHERE txid = ?")) {
                s.setBytes(1, txid.toInternal());
                try (ResultSet r = s.executeQuery()) {
                  return r.next() ? Optional.of(Bytes.wrap(Columns.bytes(r, 1))) : Optional.empty();
                }
              }
            });
    return proof.orElse(null);
  }

  @Override
  public List<PeerFacts> peers() throws StoreException {
    return call(
        () -> {
          List<PeerFacts> peers = new ArrayList<>();
          try (Statement s = db.createStatement();
              ResultSet r =
                  s.executeQuery(
                      "SELECT host, port, services, user_agent, start_height, latency_ms,"
                          + " last_seen, mempool_at_once, misbehaviour FROM peer"
                          + " ORDER BY last_seen DESC, host, port")) {
            while (r.next()) {
              peers.add(
                  new PeerFacts(
                      new PeerAddress(Columns.text(r, 1), r.getInt(2)),
                      r.getLong(3),
                      Columns.text(r, 4),
                      r.getInt(5),
                      r.getLong(6),
                      r.getLong(7),
                      r.getBoolean(8),
                      Columns.text(r, 9)));
            }
          }
          return peers;
        });
  }

  private void insertPeers(List<PeerFacts> peers) throws SQLException {
    try (PreparedStatement s =
        db.prepareStatement("INSERT OR REPLACE INTO peer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
      for (PeerFacts peer : peers) {
        s.setString(1, peer.address().host());
        s.setInt(2, peer.address().port());
        s.setLong(3, peer.services());
        s.setString(4, peer.userAgent());
        s.setInt(5, peer.startHeight());
        s.setLong(6, peer.latencyMillis());
        s.setLong(7, peer.lastSeen());
        s.setBoolean(8, peer.mempoolAtOnce());
        s.setString(9, peer.misbehaviour());
        s.executeUpdate();
      }
    }
  }

  @Override
  public List<KnownAddress> addresses() throws StoreException {
    return call(() -> hasTable("address") ? AddressRows.read(db) : List.of());
  }

  private void updateAddresses(AddressChanges changes) throws SQLException {
    if (!changes.isEmpty()) {
      execute(Schema.ADDRESSES);
      AddressRows.write(changes, db);
    }
  }

  @Override
  public List<SessionFacts> sessions() throws StoreException {
    return call(
        () -> {
          List<SessionFacts> sessions = new ArrayList<>();
          if (!hasTable("session")) {
            return sessions;
          }
          try (Statement s = db.createStatement();
              ResultSet r =
                  s.executeQuery(
                      "SELECT began, millis, headers, blocks, received, sent FROM session"
                          + " ORDER BY id")) {
            while (r.next()) {
              sessions.add(
                  new SessionFacts(
                      r.getLong(1),
                      r.getLong(2),
                      r.getInt(3),
                      r.getInt(4),
                      r.getLong(5),
                      r.getLong(6)));
            }
          }
          return sessions;
        });
  }

  @Override
  public void note(SessionFacts session) throws StoreException {
    requireLock();
    transaction(
        () -> {
          execute(Schema.SESSIONS);
          try (PreparedStatement s =
              db.prepareStatement(
                  "INSERT INTO session (began, millis, headers, blocks, received, sent)"
                      + " VALUES (?, ?, ?, ?, ?, ?)")) {
            s.setLong(1, session.began());
            s.setLong(2, session.millis());
            s.setInt(3, session.headers());
            s.setInt(4, session.blocks());
            s.setLong(5, session.received());
            s.setLong(6, session.sent());
            s.executeUpdate();
          }
          execute(
              "DELETE FROM session WHERE id <= (SELECT max(id) FROM session) - " + KEPT_SESSIONS);
        });
  }

  @Override
  public void restart(StoredWallet wallet, StoreChange change) throws StoreException {
    requireLock();
    transaction(
        () -> {
          execute("DELETE FROM headers");
          execute("DELETE FROM scan_row");
          execute("DELETE FROM proof");
          insertBase(wallet.base());
          meta("birthday", print(wallet.birthday()));
          execute("DELETE FROM meta WHERE key = 'birthday_height'");
          if (wallet.birthdayHeight().isPresent()) {
            meta("birthday_height", wallet.birthdayHeight().getAsInt());
          }
          apply(change);
        });
  }

  @Override
  public void write(StoreChange change) throws StoreException {
    requireLock();
    transaction(() -> apply(change));
  }

  private void apply(StoreChange change) throws SQLException {
    HeaderRuns headers = new HeaderRuns(db);
    if (headers.height() > change.forkHeight()) {
      headers.cutAbove(change.forkHeight());
      cutRowsAbove(change.forkHeight());
      try (PreparedStatement s = db.prepareStatement("DELETE FROM proof WHERE height > ?")) {
        s.setInt(1, change.forkHeight());
        s.executeUpdate();
      }
    }
    headers.append(change.connected());
    if (change.birthdayHeight().isPresent()) {
      meta("birthday_height", change.birthdayHeight().getAsInt());
    }
    if (change.voidRowsFrom() != Integer.MAX_VALUE) {
      cutRowsAbove(change.voidRowsFrom() - 1);
    }
    deleteRowsOf(change.disowned());
    insertLoads(change.loads());
    updateCopies(change.copies());
    insertRows(change.rows());
    insertScripts(change.scripts());
    insertOutPoints(change.outPoints());
    insertFacts(change.facts());
    insertProofs(change.proofs());
    insertPeers(change.peers());
    updateAddresses(change.addresses());
  }

  @Override
  public void handOut(int chain, int count) throws StoreException {
    requireLock();
    transaction(
        () -> {
          try (PreparedStatement s =
              db.prepareStatement("UPDATE chain SET handed_out = ? WHERE id = ?")) {
            s.setInt(1, count);
            s.setInt(2, chain);
            s.executeUpdate();
          }
        });
  }

  @Override
  public void changeSecret(StoredWallet.Secret secret) throws StoreException {
    requireLock();
    // What is overwritten must not stay readable in the file or its log.
    call(
        () -> {
          execute("PRAGMA secure_delete = ON");
          return true;
        });
    transaction(() -> insertSecret(secret));
    call(
        () -> {
          execute("PRAGMA wal_checkpoint(TRUNCATE)");
          return true;
        });
  }

  @Override
  public void close() throws StoreException {
    try {
      closeDatabase();
    } finally {
      lock.release();
    }
  }

  private void closeDatabase() throws StoreException {
    try {
      headers.close();
      db.close();
    } catch (SQLException e) {
      throw SqliteErrors.of(file, e);
    }
  }
}
