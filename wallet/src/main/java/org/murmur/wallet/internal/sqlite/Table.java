package org.murmur.wallet.internal.sqlite;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.wallet.overview.Recoverable;
import org.murmur.wallet.store.sql.SqlRows;

/**
 * A table of the file: packed rows by number, each with its checksum. SQLite notices damage of its
 * own pages only: a flipped bit inside a script, a height or a flag would be believed.
 *
 * <p>The checksum is a CRC-32 of the table's name, the id and the content. It finds every flipped
 * bit and every burst of up to 32 bits. It is for accidents of disk and memory, not for people:
 * whoever may write the file can write the checksum, too.
 *
 * <p>A row that is missing, or that is older than the others, is noticed by the table's seal: the
 * sum of the weights of all rows, and the highest id. The weight of a row is made of its checksum
 * and its id, so it is known without reading the content. Seals are rows of the table {@link
 * Schema#SEAL}, and change in the transaction that changes the table.
 */
final class Table {

  /** The sum and the highest id of a damaged seal: no rows have it, whatever comes and goes. */
  private static final long BROKEN = Long.MIN_VALUE / 2;

  private final Database db;
  private final Tables tables;
  private final String name;
  private final byte[] nameBytes;
  private final Optional<Recoverable> regainable;
  // The seal, once the seals are read.
  private long total;
  private long last;
  private boolean changed;
  // Those of all rows, once they were compared with the seal.
  private @Nullable NavigableSet<Long> ids;

  Table(Database db, Tables tables, String name) {
    this.db = db;
    this.tables = tables;
    this.name = name;
    this.nameBytes = name.getBytes(StandardCharsets.UTF_8);
    this.regainable = Recoverable.of(name);
  }

  /** Makes something of a row that is as it was written. */
  interface Reader<T> {
    T read(long id, ByteReader in);
  }

  /** Takes a row that is as it was written. */
  private interface Taker {
    void take(long id, byte[] data) throws SQLException;
  }

  /** An id that stands for a key. Of SHA-256, because other people choose some of the keys. */
  static long id(ByteWriter key) {
    return ByteBuffer.wrap(DoubleSha256.of(key.toBytes()).toInternal()).getLong();
  }

  /** Reads a number that is no larger than an int. */
  static int small(ByteReader in) {
    long value = in.compactSize();
    if (value != (int) value) {
      throw new IllegalArgumentException("a number of " + value + " where a small one belongs");
    }
    return (int) value;
  }

  private long sum(long id, byte[] data) {
    CRC32 crc = new CRC32();
    crc.update(nameBytes);
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      crc.update((int) (id >>> shift));
    }
    crc.update(data);
    return crc.getValue();
  }

  private static long weight(long id, long sum) {
    return 1 + sum + (id >> 32) + (id & 0xffff_ffffL);
  }

  /** Rows: id, checksum, content. */
  private Database.Answer ask(String which, long... parameters) throws SQLException {
    return db.ask("SELECT id, sum, data FROM " + name + " " + which, parameters);
  }

  /** The content of the current row; null if it is not as it was written. */
  byte @Nullable [] sound(SqlRows r) throws SQLException {
    byte[] data = r.getBytes(3);
    // An engine may have no empty blobs.
    byte[] content = data == null ? new byte[0] : data;
    return r.getLong(2) == sum(r.getLong(1), content) ? content : null;
  }

  private <T> T read(SqlRows r, Reader<T> reader) throws SQLException {
    byte[] data = sound(r);
    if (data == null) {
      throw damage();
    }
    return read(r.getLong(1), data, reader);
  }

  private static <T> T read(long id, byte[] data, Reader<T> reader) {
    ByteReader in = new ByteReader(data);
    T value = reader.read(id, in);
    in.expectEnd();
    return value;
  }

  /**
   * Reads all rows by ascending id, without damaged rows that are regainable. Throws {@link
   * IllegalArgumentException} if others are not as they were written, or are missing.
   */
  <T> List<T> all(Reader<T> reader) throws SQLException {
    List<T> rows = new ArrayList<>();
    each((id, data) -> rows.add(read(id, data, reader)));
    return rows;
  }

  /** Reads all rows by their ids, in their order. Throws like {@link #all}. */
  <T> Map<Long, T> byId(Reader<T> reader) throws SQLException {
    Map<Long, T> rows = new LinkedHashMap<>();
    each((id, data) -> rows.put(id, read(id, data, reader)));
    return rows;
  }

  /** Reads the only row; null if there is none. Throws like {@link #all}. */
  <T> @Nullable T only(Reader<T> reader) throws SQLException {
    List<T> rows = all(reader);
    return rows.isEmpty() ? null : rows.get(0);
  }

  private void each(Taker taker) throws SQLException {
    tables.requireSeals();
    tables.look(regainable);
    long sum = 0;
    long before = Long.MIN_VALUE;
    boolean whole = true;
    try (Database.Answer answer = ask("ORDER BY id")) {
      SqlRows r = answer.rows();
      while (r.next()) {
        long id = r.getLong(1);
        byte[] data = sound(r);
        // A row that comes twice must not be believed twice.
        if (data == null || id < before) {
          whole = false;
        } else {
          sum += weight(id, r.getLong(2));
          before = id + 1;
          taker.take(id, data);
        }
      }
    }
    if (!whole || sum != total) {
      tables.lose(regainable.orElseThrow(this::damage));
    }
  }

  /**
   * Reads rows by their ids. Throws {@link IllegalArgumentException} if they are not as they were
   * written, or are missing.
   */
  <T> Map<Long, T> rows(Collection<Long> ids, Reader<T> reader) throws SQLException {
    Map<Long, T> rows = new TreeMap<>();
    for (long id : ids) {
      T row = row(id, reader);
      if (row != null) {
        rows.put(id, row);
      }
    }
    return rows;
  }

  /** Reads a row; null if there is none. Throws like {@link #rows}. */
  <T> @Nullable T row(long id, Reader<T> reader) throws SQLException {
    try (Database.Answer answer = ask("WHERE id = ?", id)) {
      if (answer.rows().next()) {
        return read(answer.rows(), reader);
      }
    }
    if (ids().contains(id)) {
      throw damage();
    }
    return null;
  }

  /**
   * Reads rows from the last one at or below an id up to, not including, another one. The caller
   * finds out whether some are missing. Throws {@link IllegalArgumentException} if they are not as
   * they were written.
   */
  <T> List<T> around(long low, long high, Reader<T> reader) throws SQLException {
    List<T> rows = new ArrayList<>();
    String from = "ifnull((SELECT max(id) FROM " + name + " WHERE id <= ?1), ?1)";
    try (Database.Answer answer =
        ask("WHERE id >= " + from + " AND id < ?2 ORDER BY id", low, high)) {
      while (answer.rows().next()) {
        rows.add(read(answer.rows(), reader));
      }
    }
    return rows;
  }

  /** Reads the row of the highest id; null if there is none. Throws like {@link #rows}. */
  <T> @Nullable T last(Reader<T> reader) throws SQLException {
    tables.requireSeals();
    try (Database.Answer answer = ask("ORDER BY id DESC LIMIT 1")) {
      boolean some = answer.rows().next();
      if (last != (some ? answer.rows().getLong(1) : 0)) {
        throw damage();
      }
      return some ? read(answer.rows(), reader) : null;
    }
  }

  /**
   * Reads the ids of rows, highest first. Throws {@link IllegalArgumentException} if rows are
   * missing.
   */
  List<Long> ids(long low, long high, int most) throws SQLException {
    return ids().subSet(low, true, high, true).descendingSet().stream()
        .limit(most)
        .collect(Collectors.toList());
  }

  /**
   * The ids of all rows, compared with the seal once a version of the file. They are not looked up:
   * a page that leads elsewhere must not hide a row.
   */
  private NavigableSet<Long> ids() throws SQLException {
    NavigableSet<Long> known = ids;
    if (known == null) {
      tables.requireSeals();
      known = new TreeSet<>();
      long sum = 0;
      try (Database.Answer answer = db.ask("SELECT id, sum FROM " + name)) {
        SqlRows r = answer.rows();
        while (r.next()) {
          sum += weight(r.getLong(1), r.getLong(2));
          known.add(r.getLong(1));
        }
      }
      if (sum != total) {
        throw damage();
      }
      ids = known;
    }
    return known;
  }

  /** Returns the id of the next row, above all others. */
  long next() throws SQLException {
    tables.requireSeals();
    return last + 1;
  }

  /** Writes a row, in the place of the one with this id. */
  void put(long id, byte[] data) throws SQLException {
    change(id, weight(id, sum(id, data)));
    last = Math.max(last, id);
    insert(id, data);
  }

  private void insert(long id, byte[] data) throws SQLException {
    db.insert("INSERT OR REPLACE INTO " + name + " VALUES (?, ?, ?)", id, sum(id, data), data);
  }

  void delete(long id) throws SQLException {
    change(id, 0);
    db.change("DELETE FROM " + name + " WHERE id = ?", id);
    if (id == last) {
      last = Math.max(0, db.number("SELECT max(id) FROM " + name));
    }
  }

  /**
   * A row is about to have another weight, or none. It must be found if it is there: but what can
   * be learned again is compared only when it is read.
   */
  private void change(long id, long weight) throws SQLException {
    tables.requireSeals();
    long old = 0;
    try (Database.Answer answer = db.ask("SELECT sum FROM " + name + " WHERE id = ?", id)) {
      if (answer.rows().next()) {
        old = weight(id, answer.rows().getLong(1));
      }
    }
    if (!regainable.isPresent()) {
      boolean there = weight == 0 ? ids().remove(id) : !ids().add(id);
      if (there != (old != 0)) {
        throw damage();
      }
    }
    total += weight - old;
    changed = true;
  }

  /** Deletes all rows, damaged or not. */
  void deleteAll() throws SQLException {
    tables.requireSeals();
    db.execute("DELETE FROM " + name);
    total = 0;
    last = 0;
    changed = true;
    ids = null;
  }

  /** Writes all rows anew, without the damaged ones. */
  void mend() throws SQLException {
    Map<Long, byte[]> sound = new TreeMap<>();
    each(sound::put);
    deleteAll();
    for (Map.Entry<Long, byte[]> row : sound.entrySet()) {
      put(row.getKey(), row.getValue());
    }
  }

  /** Forgets the seal: somebody else changed it, or what was changed is rolled back. */
  void forget() {
    ids = null;
    changed = false;
  }

  /** The table has no seal on disk: nobody has written a row yet. */
  void sealNothing() {
    total = 0;
    last = 0;
  }

  /** Takes the seal from the current row of the table of seals. */
  void readSeal(Table seals, SqlRows r) throws SQLException {
    byte[] seal = seals.sound(r);
    ByteReader in = seal == null ? null : new ByteReader(seal);
    total = in == null ? BROKEN : in.int64();
    last = in == null ? BROKEN : in.int64();
  }

  /** Writes the seal, as the last part of a transaction that changed the table. */
  void writeSeal(Table seals, long id) throws SQLException {
    if (changed) {
      seals.insert(id, new ByteWriter().int64(total).int64(last).toArray());
      changed = false;
    }
  }

  private IllegalArgumentException damage() {
    return new IllegalArgumentException("the table " + name + " is not as it was written");
  }
}
