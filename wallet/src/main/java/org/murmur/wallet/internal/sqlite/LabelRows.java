package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.murmur.coins.label.Label;
import org.murmur.coins.label.LabelRef;

/**
 * The user's labels and frozen coins. The row id is a hash of the thing, so a few labels are found
 * without reading the others. The table is made when the first label is written.
 */
final class LabelRows {

  private static final String TABLE = "label";

  private final Database db;
  private final RowChecksums sums;

  LabelRows(Database db, RowChecksums sums) {
    this.db = db;
    this.sums = sums;
  }

  /** All labels, sorted. */
  List<Label> all() throws SQLException {
    List<Label> labels = new ArrayList<>();
    sums.rows(TABLE, row -> labels.addAll(labels(row)));
    labels.sort(Label.ORDER);
    return labels;
  }

  private static List<Label> labels(Row row) {
    return LabelBucket.unpack(row.number(0), row.bytes(1));
  }

  /** The labels of some things, sorted. */
  List<Label> of(Collection<LabelRef> refs) throws SQLException {
    List<Label> found = new ArrayList<>();
    Set<LabelRef> wanted = new HashSet<>(refs);
    buckets(wanted).values().forEach(found::addAll);
    found.removeIf(label -> !wanted.contains(label.ref()));
    found.sort(Label.ORDER);
    return found;
  }

  private Map<Long, List<Label>> buckets(Collection<LabelRef> refs) throws SQLException {
    Set<Long> keys = new TreeSet<>();
    refs.forEach(ref -> keys.add(LabelBucket.key(ref)));
    return sums.rows(TABLE, keys, LabelRows::labels);
  }

  /** Once in a transaction: rows have their checksums only when it is done. */
  void put(Collection<Label> labels) throws SQLException {
    List<LabelRef> refs = new ArrayList<>();
    labels.forEach(label -> refs.add(label.ref()));
    Map<Long, List<Label>> buckets = buckets(refs);
    Set<Long> changed = new TreeSet<>();
    for (Label label : labels) {
      long key = LabelBucket.key(label.ref());
      List<Label> bucket = buckets.computeIfAbsent(key, k -> new ArrayList<>());
      bucket.removeIf(old -> old.isSameAs(label));
      if (!label.saysNothing()) {
        bucket.add(label);
      }
      changed.add(key);
    }
    for (long key : changed) {
      write(key, buckets.getOrDefault(key, List.of()));
    }
  }

  private void write(long key, List<Label> bucket) throws SQLException {
    if (bucket.isEmpty()) {
      db.change("DELETE FROM label WHERE id = ?", key);
    } else {
      db.change("INSERT OR REPLACE INTO label VALUES (?, ?)", key, LabelBucket.pack(bucket));
    }
  }
}
