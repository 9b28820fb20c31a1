package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.wallet.store.sql.SqlRow;

/**
 * Headers in runs, above the block that they begin with: genesis, or one at a multiple of 2,016. A
 * run of 2,016 that begins at height 1, 2017, … is sealed and written once; what is behind the last
 * sealed one is the tail. A new block adds a run of one header to the tail; the tail's runs are
 * joined when there are many, and sealed when there are enough headers.
 */
final class HeaderRuns {

  private static final int SEALED = 2016;

  /** So many runs that joining them, at most 160 kB, is worth the write. */
  private static final int MANY_RUNS = 64;

  private final Database db;
  private @Nullable Layout layout;

  HeaderRuns(Database db) {
    this.db = db;
  }

  int height() throws SQLException {
    Integer last =
        db.first(
            "SELECT first + count - 1 FROM headers ORDER BY first DESC LIMIT 1", r -> r.getInt(1));
    return last == null ? base() : last;
  }

  private int base() throws SQLException {
    Integer base =
        db.first("SELECT value FROM meta WHERE key = ?", r -> r.getInt(1), Schema.BASE_HEIGHT);
    return base == null ? 0 : base;
  }

  private Layout layout() throws SQLException {
    Layout known = layout;
    if (known == null) {
      known = Layout.of(db, "headers");
      layout = known;
    }
    return known;
  }

  private String runs() throws SQLException {
    return "ifnull((SELECT sum FROM row_sum WHERE name = 'headers' AND row = first), -1), "
        + layout().columns()
        + " FROM headers";
  }

  /**
   * Throws {@link IllegalArgumentException} if the last run is not as it was written, by its
   * checksum: where the chain ends follows from it.
   */
  void checkLast() throws SQLException {
    Integer last =
        db.first(
            "SELECT " + runs() + " ORDER BY first DESC LIMIT 1",
            r -> Run.checked(layout(), r).first());
    Integer written =
        db.first(
            "SELECT row FROM row_sum WHERE name = 'headers' ORDER BY row DESC LIMIT 1",
            r -> r.getInt(1));
    if (!Objects.equals(last, written)) {
      throw RowChecksums.damage("headers");
    }
  }

  Headers last() throws SQLException {
    Headers last =
        db.first(
            "SELECT substr(data, -80) FROM headers ORDER BY first DESC LIMIT 1", HeaderRuns::data);
    return last == null ? Headers.NONE : last;
  }

  private static Headers data(SqlRow r) throws SQLException {
    return Headers.ofStored(Bytes.wrap(Database.bytes(r, 1)));
  }

  /** A run as it is stored. */
  private record Run(int first, int count, Bytes data) {

    /** Reads one, with its checksum before it. */
    static Run checked(Layout layout, SqlRow r) throws SQLException {
      Layout.Read read = layout.read(r, 2);
      if (r.getLong(1) != read.sum()) {
        throw RowChecksums.damage("headers");
      }
      Row row = read.row();
      return new Run(row.small(0), row.small(1), Bytes.wrap(row.bytes(2)));
    }

    Run {
      if (data.length() != (long) count * Headers.HEADER_LENGTH) {
        throw new IllegalArgumentException(
            "headers from height " + first + " are not as many as the file says");
      }
    }
  }

  /**
   * Reads the headers from a height up to, not including, another one. Throws {@link
   * IllegalArgumentException} if some are missing.
   */
  Headers read(int from, int to) throws SQLException {
    List<Run> runs =
        db.all(
            "SELECT "
                + runs()
                + " WHERE first >= (SELECT max(first) FROM headers WHERE first <= ?1)"
                + " AND first < ?2 ORDER BY first",
            r -> Run.checked(layout(), r),
            from,
            to);
    if (runs.stream().mapToLong(Run::count).sum() < to - from) {
      // Said before there is room for so many: the file may promise any number.
      throw new IllegalArgumentException("headers from height " + from + " on are missing");
    }
    byte[] headers = new byte[(to - from) * Headers.HEADER_LENGTH];
    int next = from;
    for (Run run : runs) {
      int skipped = next - run.first();
      if (skipped < 0) {
        throw new IllegalArgumentException(
            "headers from height " + run.first() + " in the place of those from " + next);
      }
      int count = Math.min(run.count() - skipped, to - next);
      if (count > 0) {
        System.arraycopy(
            run.data().unsafeArray(),
            skipped * Headers.HEADER_LENGTH,
            headers,
            (next - from) * Headers.HEADER_LENGTH,
            count * Headers.HEADER_LENGTH);
        next += count;
      }
    }
    if (next < to) {
      throw new IllegalArgumentException("no header of height " + next);
    }
    return Headers.view(headers, 0, Headers.HEADER_LENGTH, to - from);
  }

  /**
   * Compares all runs that a change above a height cuts or joins with their checksums, before it
   * does: those of the runs it makes must not vouch for damage. Throws {@link
   * IllegalArgumentException} if they are not as they were written.
   */
  void checkAbove(int fork) throws SQLException {
    db.all(
        "SELECT " + runs() + " WHERE first >= (SELECT max(first) FROM headers WHERE first <= ?)",
        r -> Run.checked(layout(), r),
        Math.min(fork, height() / SEALED * SEALED + 1));
  }

  /** Takes away what is above a height. */
  void cutAbove(int height) throws SQLException {
    if (height() <= height) {
      return;
    }
    deleteFrom(height + 1);
    db.change(
        "UPDATE headers SET count = ?1 - first + 1,"
            + " data = substr(data, 1, (?1 - first + 1) * 80)"
            + " WHERE first + count - 1 > ?1",
        height);
  }

  void append(Headers more) throws SQLException {
    if (more.isEmpty()) {
      return;
    }
    int height = height();
    int tailFirst = height / SEALED * SEALED + 1;
    int total = height + more.count() - tailFirst + 1;
    if (total >= SEALED || runsFrom(tailFirst) >= MANY_RUNS) {
      ByteWriter joined = new ByteWriter(total * Headers.HEADER_LENGTH);
      for (Headers run :
          db.all(
              "SELECT data FROM headers WHERE first >= ? ORDER BY first",
              HeaderRuns::data,
              tailFirst)) {
        joined.bytes(run.toStored());
      }
      joined.bytes(more.toStored());
      deleteFrom(tailFirst);
      insert(tailFirst, Headers.ofStored(joined.toBytes()));
    } else {
      insert(height + 1, more);
    }
  }

  void deleteAll() throws SQLException {
    db.execute("DELETE FROM headers WHERE true");
  }

  private int runsFrom(int first) throws SQLException {
    Integer runs =
        db.first("SELECT count(*) FROM headers WHERE first >= ?", r -> r.getInt(1), first);
    return runs == null ? 0 : runs;
  }

  private void deleteFrom(int first) throws SQLException {
    db.change("DELETE FROM headers WHERE first >= ?", first);
  }

  private void insert(int first, Headers headers) throws SQLException {
    List<Run> runs = new ArrayList<>();
    for (int from = 0; from < headers.count(); from += SEALED) {
      Headers run = headers.slice(from, Math.min(from + SEALED, headers.count()));
      runs.add(new Run(first + from, run.count(), run.toStored()));
    }
    db.changeEach(
        "INSERT INTO headers VALUES (?, ?, ?)",
        runs,
        (run, s) -> {
          s.setInt(1, run.first());
          s.setInt(2, run.count());
          s.setBytes(3, run.data().unsafeArray());
        });
  }
}
