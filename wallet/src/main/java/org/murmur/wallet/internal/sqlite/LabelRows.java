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
 * without reading the others.
 */
final class LabelRows {

  private final Table table;

  LabelRows(Tables tables) {
    table = tables.of("label");
  }

  /** All labels, sorted. */
  List<Label> all() throws SQLException {
    List<Label> labels = new ArrayList<>();
    table.all(LabelBucket::unpack).forEach(labels::addAll);
    labels.sort(Label.ORDER);
    return labels;
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
    return table.rows(keys, LabelBucket::unpack);
  }

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
      table.delete(key);
    } else {
      table.put(key, LabelBucket.pack(bucket));
    }
  }
}
