package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.p2p.internal.cover.ScanRow;

/** Which blocks were scanned under which view. */
final class ScanRows {

  private final Table table;

  ScanRows(Tables tables) {
    table = tables.of("scan_row");
  }

  List<ScanRow> read() throws SQLException {
    return table.all(ScanRows::row);
  }

  private static ScanRow row(long id, ByteReader in) {
    return new ScanRow(
        id, in.compactSize(), Table.small(in), Table.small(in), Table.small(in), in.compactSize());
  }

  /** The views that rows name. */
  Set<Long> views() throws SQLException {
    Set<Long> views = new HashSet<>();
    read().forEach(row -> views.add(row.view()));
    return views;
  }

  void put(List<ScanRow> rows) throws SQLException {
    for (ScanRow row : rows) {
      table.put(
          row.id(),
          new ByteWriter()
              .compactSize(row.view())
              .compactSize(row.elements())
              .compactSize(row.from())
              .compactSize(row.to())
              .compactSize(row.time())
              .toArray());
    }
  }

  void cutAbove(int height) throws SQLException {
    for (ScanRow row : read()) {
      if (row.from() > height) {
        table.delete(row.id());
      } else if (row.to() > height) {
        put(List.of(row.endingAt(height)));
      }
    }
  }

  void deleteOf(Set<Long> views) throws SQLException {
    for (ScanRow row : read()) {
      if (views.contains(row.view())) {
        table.delete(row.id());
      }
    }
  }

  void delete(Collection<Long> ids) throws SQLException {
    for (long id : ids) {
      table.delete(id);
    }
  }

  void deleteAll() throws SQLException {
    table.deleteAll();
  }
}
