package org.murmur.wallet.store.sqlite;

import java.sql.SQLException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.p2p.cover.Content;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.Load;
import org.murmur.p2p.sync.ServerCopy;
import org.murmur.wallet.store.SentFilter;

/**
 * Filters that peers were shown. A filter stands once however many were sent it; what it holds, if
 * that is no prefix of the element log, and how it began stand beside it, in tables that are made
 * when there is something to put in.
 */
final class LoadRows {

  /** Stands in the place of a role for a part of the log. */
  private static final String PART = "PART";

  private final Database db;

  LoadRows(Database db) {
    this.db = db;
  }

  List<Load> read() throws SQLException {
    return read("", "");
  }

  /** The one that was sent last; null if there is none. */
  @Nullable Load last() throws SQLException {
    String newest = "(SELECT filter FROM load ORDER BY id DESC LIMIT 1)";
    List<Load> loads = read(" WHERE id = " + newest, " WHERE filter = " + newest);
    return loads.isEmpty() ? null : loads.get(loads.size() - 1);
  }

  /** Those of some filters: a condition on their id, and the same on loads and epochs. */
  private List<Load> read(String ofFilter, String ofLoad) throws SQLException {
    Map<Long, BloomFilter> filters = filters(ofFilter);
    Map<Long, Content> epochs = epochs(ofLoad);
    return db.all(
        "SELECT id, host, port, elements, filter, time FROM load" + ofLoad + " ORDER BY id",
        r -> {
          BloomFilter filter = filters.get(r.getLong(5));
          if (filter == null) {
            throw new IllegalArgumentException("a load without its filter");
          }
          Content epoch = epochs.get(r.getLong(5));
          return new Load(
              r.getLong(1),
              new NodeAddress(Database.text(r, 2), r.getInt(3)),
              epoch == null ? new Content.Prefix(r.getInt(4)) : epoch,
              filter,
              r.getLong(6));
        });
  }

  private Map<Long, BloomFilter> filters(String where) throws SQLException {
    Map<Long, BloomFilter> filters = new HashMap<>();
    db.all(
        "SELECT id, filterload FROM filter" + where,
        r -> filters.put(r.getLong(1), BloomFilter.fromPayload(Bytes.wrap(Database.bytes(r, 2)))));
    return filters;
  }

  /** What filters hold that hold no prefix, by the filter's id. */
  private Map<Long, Content> epochs(String where) throws SQLException {
    Map<Long, Content> epochs = new HashMap<>();
    if (db.hasTable("epoch")) {
      db.all(
          "SELECT filter, role, number, members FROM epoch" + where,
          r ->
              epochs.put(
                  r.getLong(1),
                  content(Database.text(r, 2), r.getInt(3), BitSet.valueOf(Database.bytes(r, 4)))));
    }
    return epochs;
  }

  private static Content content(String role, int number, BitSet members) {
    return role.equals(PART)
        ? new Content.Part(members)
        : new Content.Epoch(FilterRole.valueOf(role), number, members);
  }

  void put(List<Load> loads) throws SQLException {
    if (loads.isEmpty()) {
      return;
    }
    noteShowings(loads);
    for (Load load : loads) {
      long filter = filterId(load.filter().toPayload());
      db.change(
          "INSERT INTO load VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
              + " elements = excluded.elements, filter = excluded.filter",
          load.id(),
          load.peer().host(),
          load.peer().port(),
          load.elements(),
          filter,
          load.time());
      if (load.content() instanceof Content.Epoch epoch) {
        insertMembers(filter, epoch.role().name(), epoch.number(), epoch.members());
      } else if (load.content() instanceof Content.Part part) {
        insertMembers(filter, PART, 0, part.members());
      }
    }
    // A filter that grew takes the place of the one it was, unless somebody else was sent that.
    db.execute("DELETE FROM filter WHERE id NOT IN (SELECT filter FROM load)");
  }

  private void insertMembers(long filter, String role, int number, BitSet members)
      throws SQLException {
    if (!db.hasTable("epoch")) {
      db.execute(Schema.EPOCHS);
    }
    db.change(
        "INSERT OR IGNORE INTO epoch VALUES (?, ?, ?, ?)",
        filter,
        role,
        number,
        members.toByteArray());
  }

  private long filterId(Bytes payload) throws SQLException {
    byte[] hash = DoubleSha256.of(payload).toInternal();
    db.change(
        "INSERT INTO filter (hash, filterload) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING",
        hash,
        payload.unsafeArray());
    @Nullable Long id =
        db.first("SELECT id FROM filter WHERE hash = ?", r -> r.getLong(1), (Object) hash);
    if (id == null) {
      throw new AssertionError("the filter just written is gone");
    }
    return id;
  }

  List<SentFilter> showings() throws SQLException {
    return db.hasTable("shown")
        ? db.all(
            "SELECT load, elements, outpoints, bits FROM shown ORDER BY load",
            r -> new SentFilter(r.getLong(1), r.getInt(2), r.getInt(3), r.getInt(4)))
        : List.of();
  }

  /** Notes how filters begin. Those that were noted have grown since, and keep their beginning. */
  private void noteShowings(List<Load> loads) throws SQLException {
    db.execute(Schema.SHOWN);
    db.changeEach(
        "INSERT INTO shown VALUES (?, ?, 0, 0) ON CONFLICT (load) DO NOTHING",
        loads,
        (load, s) -> {
          s.setLong(1, load.id());
          s.setInt(2, load.elements());
        });
  }

  void updateCopies(List<ServerCopy> copies) throws SQLException {
    db.changeEach(
        "UPDATE shown SET outpoints = ?, bits = ? WHERE load = ?",
        copies,
        (copy, s) -> {
          s.setInt(1, copy.outPoints());
          s.setInt(2, copy.bitsSet());
          s.setLong(3, copy.load());
        });
  }
}
