package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.sync.ServerCopy;
import org.murmur.wallet.internal.store.SentFilter;
import org.murmur.wallet.store.sql.SqlRow;

/**
 * Filters that peers got. A filter is stored once, however many peers got it; what it holds, if
 * that is no prefix of the element log, and how it began stand beside it.
 *
 * <p>The bytes of a filter are kept for epochs only, because their dummies follow from no element.
 * Of others its parameters are kept: the log never changes what they hold.
 *
 * <p>A load that is over and that no scan row names is counted with the next load of the same
 * filter to the same peer. So their number does not grow with the connections.
 */
final class LoadRows {

  /** Stands in the place of a role for a part of the log. */
  private static final String PART = "PART";

  /** Begins parameters without bytes: no CompactSize of a filter's length begins so. */
  private static final int NO_BYTES = 0xff;

  private final Database db;

  LoadRows(Database db) {
    this.db = db;
  }

  private static byte[] parameters(FilterParameters of) {
    return new ByteWriter(14)
        .uint8(NO_BYTES)
        .int32(of.bytes())
        .int32(of.hashFunctions())
        .int32(of.tweak())
        .uint8(of.flag().code())
        .toBytes()
        .toArray();
  }

  private static FilterParameters form(byte[] stored) {
    if (stored.length == 0 || (stored[0] & 0xff) != NO_BYTES) {
      return BloomFilter.fromPayload(Bytes.wrap(stored)).parameters();
    }
    ByteReader in = new ByteReader(stored);
    in.uint8();
    int bytes = in.int32();
    int functions = in.int32();
    int tweak = in.int32();
    UpdateFlag flag = UpdateFlag.ofCode(in.uint8());
    return new FilterParameters(bytes, functions, tweak, flag);
  }

  private Map<Long, FilterParameters> forms(String where) throws SQLException {
    Map<Long, FilterParameters> forms = new HashMap<>();
    db.each(
        "SELECT id, filterload FROM filter" + where,
        r -> forms.put(r.getLong(1), form(Database.bytes(r, 2))));
    return forms;
  }

  private static <T> T known(@Nullable T filter) {
    if (filter == null) {
      throw new IllegalArgumentException("a load without its filter");
    }
    return filter;
  }

  private static NodeAddress peer(SqlRow row, int host) throws SQLException {
    return new NodeAddress(Database.text(row, host), row.getInt(host + 1));
  }

  /** The views that scan rows name. */
  List<View> views() throws SQLException {
    Map<Long, FilterParameters> forms = forms("");
    Map<Long, Content> epochs = epochs("");
    return db.all(
        "SELECT l.id, l.host, l.port, l.elements, l.filter, s.adds"
            + " FROM load AS l JOIN showing AS s ON s.load = l.id"
            + " WHERE l.id IN (SELECT load FROM scan_row) ORDER BY l.id",
        r -> {
          boolean all = known(forms.get(r.getLong(5))).flag() == UpdateFlag.ALL;
          return new View(
              r.getLong(1),
              peer(r, 2),
              content(epochs.get(r.getLong(5)), r.getInt(4)),
              all && r.getInt(6) == 1);
        });
  }

  private static Content content(@Nullable Content epoch, int elements) {
    return epoch == null ? new Content.Prefix(elements) : epoch;
  }

  /** All that hold an epoch, with their bytes. */
  List<Load> epochs() throws SQLException {
    Map<Long, Content> epochs = epochs("");
    epochs.values().removeIf(content -> !(content instanceof Content.Epoch));
    Map<Long, BloomFilter> filters = new HashMap<>();
    db.each(
        "SELECT id, filterload FROM filter WHERE id = ?",
        epochs.keySet(),
        r -> filters.put(r.getLong(1), BloomFilter.fromPayload(Bytes.wrap(Database.bytes(r, 2)))));
    List<Load> loads = new ArrayList<>();
    db.each(
        "SELECT id, host, port, filter, time FROM load ORDER BY id",
        r -> {
          Content epoch = epochs.get(r.getLong(4));
          if (epoch != null) {
            BloomFilter filter = known(filters.get(r.getLong(4)));
            loads.add(new Load(r.getLong(1), peer(r, 2), epoch, filter, r.getLong(5)));
          }
        });
    return loads;
  }

  /** The elements of filters that hold no prefix, by the filter's id. */
  private Map<Long, Content> epochs(String where) throws SQLException {
    Map<Long, Content> epochs = new HashMap<>();
    db.all(
        "SELECT filter, role, number, members FROM epoch" + where,
        r ->
            epochs.put(
                r.getLong(1),
                content(Database.text(r, 2), r.getInt(3), BitSet.valueOf(Database.bytes(r, 4)))));
    return epochs;
  }

  private static Content content(String role, int number, BitSet members) {
    return role.equals(PART)
        ? new Content.Part(members)
        : new Content.Epoch(FilterRole.valueOf(role), number, members);
  }

  /** The filter of the last load; null if there is none. */
  @Nullable SentFilter last() throws SQLException {
    String newest = "(SELECT filter FROM load ORDER BY id DESC LIMIT 1)";
    List<SentFilter> last = new ArrayList<>();
    showings(
        forms(" WHERE id = " + newest),
        epochs(" WHERE filter = " + newest),
        " ORDER BY l.id DESC LIMIT 1",
        last::add);
    return last.isEmpty() ? null : last.get(0);
  }

  void showings(Consumer<SentFilter> reader) throws SQLException {
    showings(forms(""), epochs(""), " ORDER BY l.id", reader);
  }

  private void showings(
      Map<Long, FilterParameters> forms,
      Map<Long, Content> epochs,
      String order,
      Consumer<SentFilter> reader)
      throws SQLException {
    db.each(
        "SELECT l.id, l.host, l.port, l.filter, l.time, l.elements, s.elements, s.bits_set,"
            + " s.first, s.times, s.outpoints, s.server_bits FROM load AS l JOIN showing AS s ON"
            + " s.load = l.id"
            + order,
        r ->
            reader.accept(
                new SentFilter(
                    r.getLong(1),
                    peer(r, 2),
                    content(epochs.get(r.getLong(4)), r.getInt(6)),
                    known(forms.get(r.getLong(4))),
                    r.getInt(7),
                    r.getInt(8),
                    r.getLong(9),
                    r.getLong(5),
                    r.getInt(10),
                    r.getInt(11),
                    r.getInt(12))));
  }

  void put(List<Load> loads) throws SQLException {
    if (loads.isEmpty()) {
      return;
    }
    noteShowings(loads);
    for (Load load : loads) {
      long filter = filterId(load);
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
  }

  private void insertMembers(long filter, String role, int number, BitSet members)
      throws SQLException {
    db.change(
        "INSERT OR IGNORE INTO epoch VALUES (?, ?, ?, ?)",
        filter,
        role,
        number,
        members.toByteArray());
  }

  private long filterId(Load load) throws SQLException {
    Bytes payload = load.filter().toPayload();
    byte[] hash = DoubleSha256.of(payload).toInternal();
    boolean whole = load.content() instanceof Content.Epoch;
    db.change(
        "INSERT INTO filter (hash, filterload) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING",
        hash,
        whole ? payload.unsafeArray() : parameters(load.filter().parameters()));
    @Nullable Long id =
        db.first("SELECT id FROM filter WHERE hash = ?", r -> r.getLong(1), (Object) hash);
    if (id == null) {
      throw new AssertionError("the filter just written is gone");
    }
    return id;
  }

  /** Notes how filters begin. Those that were noted have grown since, and keep their beginning. */
  private void noteShowings(List<Load> loads) throws SQLException {
    db.changeEach(
        "INSERT INTO showing VALUES (?, ?, ?, ?, 1, 0, 0, 1) ON CONFLICT (load) DO NOTHING",
        loads,
        (load, s) -> {
          s.setLong(1, load.id());
          s.setInt(2, load.elements());
          s.setInt(3, load.filter().bitsSet());
          s.setLong(4, load.time());
        });
  }

  void updateCopies(List<ServerCopy> copies) throws SQLException {
    db.changeEach(
        "UPDATE showing SET outpoints = max(outpoints, ?), server_bits = max(server_bits, ?)"
            + " WHERE load = ?",
        copies,
        (copy, s) -> {
          s.setInt(1, copy.outPoints());
          s.setInt(2, copy.bitsSet());
          s.setLong(3, copy.load());
        });
  }

  /** These views rely on nothing that their servers added. */
  void retire(Set<Long> views) throws SQLException {
    db.changeEach(
        "UPDATE showing SET adds = 0 WHERE load = ?", views, (view, s) -> s.setLong(1, view));
  }

  /** A load, the one that takes it in, and how often and since when its filter was sent. */
  private record Over(long load, long by, long first, int times, int outPoints, int bits) {}

  /** Which filter a load sent to a peer, and what it became. */
  private record Sent(NodeAddress peer, long filter, int elements, int grown) {}

  /**
   * Counts loads that are over with the next one of the same filter, but not loads in use, which
   * may still get rows.
   */
  void fold(Set<Long> inUse) throws SQLException {
    List<Over> over = new ArrayList<>();
    Map<Sent, Over> waiting = new HashMap<>();
    db.each(
        "SELECT l.id, l.filter, s.elements, l.elements, s.first, s.times, s.outpoints,"
            + " s.server_bits, l.id IN (SELECT load FROM scan_row), l.host, l.port"
            + " FROM load AS l JOIN showing AS s ON s.load = l.id ORDER BY l.id",
        r -> {
          Sent sent = new Sent(peer(r, 10), r.getLong(2), r.getInt(3), r.getInt(4));
          long id = r.getLong(1);
          Over before = waiting.remove(sent);
          long first = r.getLong(5);
          int times = r.getInt(6);
          int outPoints = r.getInt(7);
          int bits = r.getInt(8);
          if (before != null) {
            first = Math.min(first, before.first());
            times += before.times();
            outPoints = Math.max(outPoints, before.outPoints());
            bits = Math.max(bits, before.bits());
            over.add(new Over(before.load(), id, first, times, outPoints, bits));
          }
          if (r.getInt(9) == 0 && !inUse.contains(id)) {
            waiting.put(sent, new Over(id, id, first, times, outPoints, bits));
          }
        });
    db.changeEach(
        "UPDATE showing SET first = ?, times = ?, outpoints = ?, server_bits = ? WHERE load = ?",
        over,
        (one, s) -> {
          s.setLong(1, one.first());
          s.setInt(2, one.times());
          s.setInt(3, one.outPoints());
          s.setInt(4, one.bits());
          s.setLong(5, one.by());
        });
    for (String table : List.of("showing WHERE load = ?", "load WHERE id = ?")) {
      db.changeEach("DELETE FROM " + table, over, (one, s) -> s.setLong(1, one.load()));
    }
    // A filter that grew takes the place of the one it was, unless somebody else was sent that.
    db.execute("DELETE FROM filter WHERE id NOT IN (SELECT filter FROM load)");
    db.execute("DELETE FROM epoch WHERE filter NOT IN (SELECT id FROM filter)");
  }
}
