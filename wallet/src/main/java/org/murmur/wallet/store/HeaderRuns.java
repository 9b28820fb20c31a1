package org.murmur.wallet.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.wire.Headers;

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

  private final Connection db;

  HeaderRuns(Connection db) {
    this.db = db;
  }

  int height() throws SQLException {
    try (Statement s = db.createStatement();
        ResultSet r =
            s.executeQuery("SELECT first + count - 1 FROM headers ORDER BY first DESC LIMIT 1")) {
      return r.next() ? r.getInt(1) : base();
    }
  }

  private int base() throws SQLException {
    try (Statement s = db.createStatement();
        ResultSet r =
            s.executeQuery("SELECT value FROM meta WHERE key = '" + Schema.BASE_HEIGHT + "'")) {
      return r.next() ? r.getInt(1) : 0;
    }
  }

  Headers last() throws SQLException {
    try (Statement s = db.createStatement();
        ResultSet r =
            s.executeQuery("SELECT substr(data, -80) FROM headers ORDER BY first DESC LIMIT 1")) {
      return r.next() ? Headers.ofStored(Bytes.wrap(Columns.bytes(r, 1))) : Headers.NONE;
    }
  }

  /**
   * Reads a range of heights.
   *
   * @param from the first
   * @param to behind the last
   * @return just these
   * @throws IllegalArgumentException if some are missing
   */
  Headers read(int from, int to) throws SQLException {
    byte[] headers = new byte[(to - from) * Headers.HEADER_LENGTH];
    int next = from;
    try (PreparedStatement s =
        db.prepareStatement(
            "SELECT first, count, data FROM headers"
                + " WHERE first >= (SELECT max(first) FROM headers WHERE first <= ?1)"
                + " AND first < ?2 ORDER BY first")) {
      s.setInt(1, from);
      s.setInt(2, to);
      try (ResultSet r = s.executeQuery()) {
        while (next < to && r.next()) {
          int first = r.getInt(1);
          int count = Math.min(r.getInt(2) - (next - first), to - next);
          byte[] data = Columns.bytes(r, 3);
          if (first > next || data.length != r.getInt(2) * Headers.HEADER_LENGTH) {
            throw new IllegalArgumentException(
                "headers from height " + first + " in the place of those from " + next);
          }
          if (count > 0) {
            System.arraycopy(
                data,
                (next - first) * Headers.HEADER_LENGTH,
                headers,
                (next - from) * Headers.HEADER_LENGTH,
                count * Headers.HEADER_LENGTH);
            next += count;
          }
        }
      }
    }
    if (next < to) {
      throw new IllegalArgumentException("no header of height " + next);
    }
    return Headers.view(headers, 0, Headers.HEADER_LENGTH, to - from);
  }

  private List<Headers> from(int first) throws SQLException {
    List<Headers> runs = new ArrayList<>();
    try (PreparedStatement s =
        db.prepareStatement("SELECT data FROM headers WHERE first >= ? ORDER BY first")) {
      s.setInt(1, first);
      try (ResultSet r = s.executeQuery()) {
        while (r.next()) {
          runs.add(Headers.ofStored(Bytes.wrap(Columns.bytes(r, 1))));
        }
      }
    }
    return runs;
  }

  /** Takes away what is above a height. */
  void cutAbove(int height) throws SQLException {
    if (height() <= height) {
      return;
    }
    delete(height + 1);
    try (PreparedStatement s =
        db.prepareStatement(
            "UPDATE headers SET count = ?1 - first + 1,"
                + " data = substr(data, 1, (?1 - first + 1) * 80)"
                + " WHERE first + count - 1 > ?1")) {
      s.setInt(1, height);
      s.executeUpdate();
    }
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
      for (Headers run : from(tailFirst)) {
        joined.bytes(run.toStored());
      }
      joined.bytes(more.toStored());
      delete(tailFirst);
      insert(tailFirst, Headers.ofStored(joined.toBytes()));
    } else {
      insert(height + 1, more);
    }
  }

  private int runsFrom(int first) throws SQLException {
    try (PreparedStatement s =
        db.prepareStatement("SELECT count(*) FROM headers WHERE first >= ?")) {
      s.setInt(1, first);
      try (ResultSet r = s.executeQuery()) {
        return r.next() ? r.getInt(1) : 0;
      }
    }
  }

  private void delete(int first) throws SQLException {
    try (PreparedStatement s = db.prepareStatement("DELETE FROM headers WHERE first >= ?")) {
      s.setInt(1, first);
      s.executeUpdate();
    }
  }

  private void insert(int first, Headers headers) throws SQLException {
    try (PreparedStatement s = db.prepareStatement("INSERT INTO headers VALUES (?, ?, ?)")) {
      for (int from = 0; from < headers.count(); from += SEALED) {
        Headers run = headers.slice(from, Math.min(from + SEALED, headers.count()));
        s.setInt(1, first + from);
        s.setInt(2, run.count());
        s.setBytes(3, run.toStored().unsafeArray());
        s.executeUpdate();
      }
    }
  }
}
