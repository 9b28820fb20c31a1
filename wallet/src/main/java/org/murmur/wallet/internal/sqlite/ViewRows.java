package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.View;

/**
 * Views that no filter made: no peer learns what they search for. So they are not among {@link
 * LoadRows}, which tell what peers got. All of them search for scripts.
 */
final class ViewRows {

  private final Table table;

  ViewRows(Tables tables) {
    table = tables.of("view");
  }

  private static View view(long id, ByteReader in) {
    NodeAddress peer = PeerRows.address(in);
    int size = Table.small(in);
    boolean checks = in.uint8() == 1;
    Map<Integer, Hash256> headers = new TreeMap<>();
    for (int left = in.count(1 + Hash256.LENGTH); left > 0; left--) {
      headers.put(Table.small(in), in.hash());
    }
    return new View(id, peer, new Content.Scripts(size, checks, headers), false);
  }

  /** Those of some ids, by ascending id. */
  List<View> of(Set<Long> ids) throws SQLException {
    List<View> views = new ArrayList<>(table.all(ViewRows::view));
    views.removeIf(view -> !ids.contains(view.id()));
    return views;
  }

  /** The ids of the views of some peers. */
  Set<Long> of(List<NodeAddress> peers) throws SQLException {
    Set<Long> ids = new HashSet<>();
    for (View view : table.all(ViewRows::view)) {
      if (peers.contains(view.peer())) {
        ids.add(view.id());
      }
    }
    return ids;
  }

  /** The highest id, or 0. */
  long last() throws SQLException {
    View last = table.last(ViewRows::view);
    return last == null ? 0 : last.id();
  }

  void put(List<View> views) throws SQLException {
    for (View view : views) {
      if (!(view.content() instanceof Content.Scripts scripts)) {
        throw new IllegalArgumentException("a view of " + view.content());
      }
      ByteWriter out =
          PeerRows.address(view.peer())
              .compactSize(scripts.size())
              .uint8(scripts.checks() ? 1 : 0)
              .compactSize(scripts.headers().size());
      scripts.headers().forEach((height, header) -> out.compactSize(height).hash(header));
      table.put(view.id(), out.toArray());
    }
  }

  /** Deletes views that no row names and that get no more, but never the one of the highest id. */
  void fold(Set<Long> inUse, Set<Long> named) throws SQLException {
    long last = last();
    for (View view : table.all(ViewRows::view)) {
      boolean kept = inUse.contains(view.id()) || named.contains(view.id()) || view.id() == last;
      if (!kept) {
        table.delete(view.id());
      }
    }
  }
}
