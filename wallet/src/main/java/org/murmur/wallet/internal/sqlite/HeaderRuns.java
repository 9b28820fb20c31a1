package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import java.util.List;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.p2p.internal.wire.Headers;

/**
 * Headers in runs, above the block that they begin with: genesis, or the last one of a period. A
 * run that ends at height 2016, 4032, … is sealed and written once; what is behind the last sealed
 * one is the tail. A new block adds a run of one header to the tail; the tail's runs are joined
 * when there are many, and sealed when there are enough headers.
 */
final class HeaderRuns {

  private static final int SEALED = 2016;

  /** So many runs that joining them, at most 160 kB, is worth the write. */
  private static final int MANY_RUNS = 64;

  private final Table table;
  private final MetaRows meta;

  HeaderRuns(Tables tables, MetaRows meta) {
    this.table = tables.of("headers");
    this.meta = meta;
  }

  /** A run as it is stored; its row has the height of its first header as id. */
  private record Run(int first, Headers headers) {

    static Run read(long id, ByteReader in) {
      return new Run((int) id, Headers.ofStored(in.bytes(in.remaining())));
    }

    int last() {
      return first + headers.count() - 1;
    }
  }

  int height() throws SQLException {
    Run last = table.last(Run::read);
    return last == null ? meta.wallet().baseHeight() : last.last();
  }

  Headers last() throws SQLException {
    Run last = table.last(Run::read);
    int count = last == null ? 0 : last.headers().count();
    return last == null ? Headers.NONE : last.headers().slice(count - 1, count);
  }

  /**
   * Reads the headers from a height up to, not including, another one. Throws {@link
   * IllegalArgumentException} if some are missing.
   */
  Headers read(int from, int to) throws SQLException {
    List<Run> runs = table.around(from, to, Run::read);
    if (runs.stream().mapToLong(run -> run.headers().count()).sum() < to - from) {
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
      int count = Math.min(run.headers().count() - skipped, to - next);
      if (count > 0) {
        Headers part = run.headers().slice(skipped, skipped + count);
        part.toStored().write(headers, (next - from) * Headers.HEADER_LENGTH);
        next += count;
      }
    }
    if (next < to) {
      throw new IllegalArgumentException("no header of height " + next);
    }
    return Headers.view(headers, 0, Headers.HEADER_LENGTH, to - from);
  }

  /** Takes away what is above a height. */
  void cutAbove(int height) throws SQLException {
    deleteFrom(height + 1);
    Run last = table.last(Run::read);
    if (last != null && last.last() > height) {
      insert(last.first(), last.headers().slice(0, height - last.first() + 1));
    }
  }

  void append(Headers more) throws SQLException {
    if (more.isEmpty()) {
      return;
    }
    int height = height();
    int base = meta.wallet().baseHeight();
    int tailFirst = Math.max(base, height / SEALED * SEALED) + 1;
    List<Run> tail = table.around(tailFirst, Long.MAX_VALUE, Run::read);
    tail.removeIf(run -> run.first() < tailFirst);
    int last = height + more.count();
    if (last / SEALED > height / SEALED || tail.size() >= MANY_RUNS) {
      ByteWriter joined = new ByteWriter((last - tailFirst + 1) * Headers.HEADER_LENGTH);
      joined.bytes(read(tailFirst, height + 1).toStored()).bytes(more.toStored());
      deleteFrom(tailFirst);
      insert(tailFirst, Headers.ofStored(joined.toBytes()));
    } else {
      insert(height + 1, more);
    }
  }

  void deleteAll() throws SQLException {
    table.deleteAll();
  }

  private void deleteFrom(int first) throws SQLException {
    for (long id : table.ids(first, Long.MAX_VALUE, Integer.MAX_VALUE)) {
      table.delete(id);
    }
  }

  private void insert(int first, Headers headers) throws SQLException {
    for (int from = 0; from < headers.count(); ) {
      int sealed = SEALED - (first + from - 1) % SEALED;
      Headers run = headers.slice(from, Math.min(from + sealed, headers.count()));
      table.put(first + from, run.toStored().unsafeArray());
      from += run.count();
    }
  }
}
