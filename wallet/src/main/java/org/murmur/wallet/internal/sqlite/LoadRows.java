package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.sync.ServerCopy;
import org.murmur.wallet.internal.store.SentFilter;

/**
 * Filters that peers got: a row for each load. What a filter holds, if that is no prefix of the
 * element log, is stored once, however many peers got it.
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

  private final Table table;
  private final Table filters;

  LoadRows(Tables tables) {
    table = tables.of("load");
    filters = tables.of("filter");
  }

  /**
   * A load.
   *
   * @param filter stands for the bytes as they are now, with our additions
   * @param adds whether its view relies on what its server added
   */
  private record Row(SentFilter sent, long filter, boolean adds) {

    Row with(SentFilter changed) {
      return new Row(changed, filter, adds);
    }

    Row withoutAdditions() {
      return new Row(sent, filter, false);
    }
  }

  /** A filter that holds no prefix of the log, with its bytes if it is an epoch. */
  private record Stored(Content content, Bytes bytes) {

    static Stored read(ByteReader in) {
      String role = in.varText();
      if (role.equals(PART)) {
        return new Stored(new Content.Part(DisclosedScriptRows.bits(in)), Bytes.EMPTY);
      }
      Content epoch =
          new Content.Epoch(
              FilterRole.valueOf(role), Table.small(in), DisclosedScriptRows.bits(in));
      return new Stored(epoch, in.varBytes());
    }
  }

  private Map<Long, Stored> filters() throws SQLException {
    return filters.byId((id, in) -> Stored.read(in));
  }

  private Map<Long, Row> rows() throws SQLException {
    Map<Long, Stored> stored = filters();
    return table.byId((id, in) -> row(id, in, stored));
  }

  private static Row row(long id, ByteReader in, Map<Long, Stored> stored) {
    NodeAddress peer = PeerRows.address(in);
    long filter = in.int64();
    boolean adds = in.uint8() != 0;
    boolean prefix = in.uint8() != 0;
    Content content =
        prefix ? new Content.Prefix(Table.small(in)) : known(stored.get(filter)).content();
    SentFilter sent =
        new SentFilter(
            id,
            peer,
            content,
            new FilterParameters(
                Table.small(in), Table.small(in), in.int32(), UpdateFlag.ofCode(in.uint8())),
            Table.small(in),
            Table.small(in),
            in.compactSize(),
            in.compactSize(),
            Table.small(in),
            Table.small(in),
            Table.small(in));
    return new Row(sent, filter, adds);
  }

  private void write(Row row) throws SQLException {
    SentFilter sent = row.sent();
    ByteWriter out = PeerRows.address(sent.peer()).int64(row.filter()).uint8(row.adds() ? 1 : 0);
    if (sent.content() instanceof Content.Prefix prefix) {
      out.uint8(1).compactSize(prefix.size());
    } else {
      out.uint8(0);
    }
    FilterParameters form = sent.parameters();
    out.compactSize(form.bytes()).compactSize(form.hashFunctions()).int32(form.tweak());
    out.uint8(form.flag().code()).compactSize(sent.elements()).compactSize(sent.bitsSet());
    out.compactSize(sent.first()).compactSize(sent.last()).compactSize(sent.times());
    out.compactSize(sent.outPoints()).compactSize(sent.serverBits());
    table.put(sent.load(), out.toArray());
  }

  private static Stored known(@Nullable Stored filter) {
    if (filter == null) {
      throw new IllegalArgumentException("a load without its filter");
    }
    return filter;
  }

  /** The views of some loads. */
  List<View> views(Set<Long> loads) throws SQLException {
    List<View> views = new ArrayList<>();
    for (Row row : rows().values()) {
      SentFilter sent = row.sent();
      if (loads.contains(sent.load())) {
        boolean all = sent.parameters().flag() == UpdateFlag.ALL;
        views.add(new View(sent.load(), sent.peer(), sent.content(), all && row.adds()));
      }
    }
    return views;
  }

  /** All that hold an epoch, with their bytes. */
  List<Load> epochs() throws SQLException {
    Map<Long, Stored> stored = filters();
    List<Load> loads = new ArrayList<>();
    for (Row row : rows().values()) {
      SentFilter sent = row.sent();
      if (sent.content() instanceof Content.Epoch) {
        BloomFilter filter = BloomFilter.fromPayload(known(stored.get(row.filter())).bytes());
        loads.add(new Load(sent.load(), sent.peer(), sent.content(), filter, sent.last()));
      }
    }
    return loads;
  }

  /** The filter of the last load; null if there is none. */
  @Nullable SentFilter last() throws SQLException {
    Map<Long, Stored> stored = filters();
    Row last = table.last((id, in) -> row(id, in, stored));
    return last == null ? null : last.sent();
  }

  void showings(Consumer<SentFilter> reader) throws SQLException {
    rows().values().forEach(row -> reader.accept(row.sent()));
  }

  /** The loads that some peers got. */
  Set<Long> of(List<NodeAddress> peers) throws SQLException {
    Set<Long> loads = new HashSet<>();
    for (Row row : rows().values()) {
      if (peers.contains(row.sent().peer())) {
        loads.add(row.sent().load());
      }
    }
    return loads;
  }

  /**
   * Takes in loads, what servers added to them, and views that rely on nothing that was added.
   * Those that were known have grown since, and keep their beginning.
   */
  void put(List<Load> loads, List<ServerCopy> copies, Set<Long> retired) throws SQLException {
    if (loads.isEmpty() && copies.isEmpty() && retired.isEmpty()) {
      return;
    }
    Map<Long, Row> rows = rows();
    Set<Long> changed = new TreeSet<>(retired);
    for (Load load : loads) {
      Row known = rows.get(load.id());
      SentFilter sent = known == null ? SentFilter.of(load) : known.sent().grown(load);
      rows.put(load.id(), new Row(sent, filterId(load), known == null || known.adds()));
      changed.add(load.id());
    }
    for (ServerCopy copy : copies) {
      rows.computeIfPresent(copy.load(), (id, row) -> row.with(row.sent().with(copy)));
      changed.add(copy.load());
    }
    rows.replaceAll((id, row) -> retired.contains(id) ? row.withoutAdditions() : row);
    rows.keySet().retainAll(changed);
    for (Row row : rows.values()) {
      write(row);
    }
  }

  /** A hash of its bytes, under which what it holds is stored unless that is a prefix. */
  private long filterId(Load load) throws SQLException {
    Bytes payload = load.filter().toPayload();
    long id = Table.id(new ByteWriter().bytes(payload));
    if (load.content() instanceof Content.Epoch epoch) {
      Bytes members = DisclosedScriptRows.bytes(epoch.members());
      filters.put(
          id,
          new ByteWriter()
              .varText(epoch.role().name())
              .compactSize(epoch.number())
              .varBytes(members)
              .varBytes(payload)
              .toArray());
    } else if (load.content() instanceof Content.Part part) {
      Bytes members = DisclosedScriptRows.bytes(part.members());
      filters.put(id, new ByteWriter().varText(PART).varBytes(members).toArray());
    }
    return id;
  }

  /**
   * Counts loads that are over with the next one of the same filter, but not loads in use, which
   * may still get rows, and not those that rows name.
   */
  void fold(Set<Long> inUse, Set<Long> named) throws SQLException {
    // By what was sent to which peer, and what it became. A list, since every sync comes here, and
    // linking the hash code of a record takes ten milliseconds of its start.
    Map<List<Object>, Row> waiting = new HashMap<>();
    Set<Long> kept = new HashSet<>();
    for (Row row : rows().values()) {
      SentFilter sent = row.sent();
      List<Object> same =
          List.of(sent.peer(), row.filter(), sent.elements(), sent.content().size());
      Row before = waiting.remove(same);
      Row now = before == null ? row : row.with(sent.and(before.sent()));
      if (before != null) {
        table.delete(before.sent().load());
        write(now);
      }
      if (!named.contains(sent.load()) && !inUse.contains(sent.load())) {
        waiting.put(same, now);
      }
      kept.add(row.filter());
    }
    // A filter that grew takes the place of the one it was, unless somebody else was sent that.
    for (long filter : filters().keySet()) {
      if (!kept.contains(filter)) {
        filters.delete(filter);
      }
    }
  }
}
