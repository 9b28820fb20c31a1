package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.store.LoggedOutPoint;
import org.murmur.wallet.internal.store.ScriptRun;
import org.murmur.wallet.internal.store.StoredOutPoints;
import org.murmur.wallet.store.sql.SqlRow;

/**
 * The element log: scripts and outpoints, in runs. Of each script only the element is stored if the
 * rest is the same for all of the run, and addresses only if they do not follow from the scripts.
 */
final class ElementRows {

  private final Database db;
  private final RowChecksums sums;

  ElementRows(Database db, RowChecksums sums) {
    this.db = db;
    this.sums = sums;
  }

  List<ScriptRun> scripts(boolean whole) throws SQLException {
    return db.all(
        "SELECT first, chain, child, count, elements, opening, closing, scripts, network, addresses"
            + " FROM script ORDER BY first",
        r -> run(r, whole));
  }

  private static ScriptRun run(SqlRow r, boolean whole) throws SQLException {
    int first = r.getInt(1);
    int chain = r.getInt(2);
    int child = r.getInt(3);
    int count = r.getInt(4);
    List<Bytes> elements = unpack(Database.bytes(r, 5), count);
    if (!whole) {
      return new ScriptRun(first, chain, child, elements, List.of(), List.of());
    }
    byte[] stored = r.getBytes(8);
    List<Bytes> scripts =
        stored == null
            ? Frame.of(Database.bytes(r, 6), Database.bytes(r, 7)).around(elements)
            : unpack(stored, count);
    String network = r.getString(9);
    return network == null
        ? new ScriptRun(
            first, chain, child, elements, scripts, Arrays.asList(Database.text(r, 10).split("\n")))
        : ScriptRun.withAddressesOf(
            first, chain, child, elements, scripts, KeyNetwork.valueOf(network));
  }

  void insertScripts(List<ScriptRun> runs) throws SQLException {
    db.changeEach(
        "INSERT INTO script VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        runs,
        (run, s) -> {
          Frame frame = Frame.of(run);
          KeyNetwork network = network(run);
          s.setInt(1, run.first());
          s.setInt(2, run.chain());
          s.setInt(3, run.child());
          s.setInt(4, run.count());
          s.setBytes(5, pack(run.elements()));
          s.setBytes(6, frame == null ? null : frame.opening().toArray());
          s.setBytes(7, frame == null ? null : frame.closing().toArray());
          s.setBytes(8, frame == null ? pack(run.scripts()) : null);
          s.setString(9, network == null ? null : network.name());
          s.setString(10, network == null ? String.join("\n", run.addresses()) : null);
        });
  }

  /** The bytes before and behind the element, in every script of a run. */
  private record Frame(Bytes opening, Bytes closing) {

    /** More than stands around an address, and little to copy for each script. */
    private static final int MAX_BYTES = 64;

    Frame {
      if (opening.length() + closing.length() > MAX_BYTES) {
        throw new IllegalArgumentException("more than " + MAX_BYTES + " bytes around an element");
      }
    }

    static Frame of(byte[] opening, byte[] closing) {
      return new Frame(Bytes.wrap(opening), Bytes.wrap(closing));
    }

    /** That of the first script, or null if it is not that of all. */
    static @Nullable Frame of(ScriptRun run) {
      if (run.count() == 0) {
        return null;
      }
      Bytes element = run.elements().get(0);
      Bytes script = run.scripts().get(0);
      if (script.length() - element.length() > MAX_BYTES) {
        return null;
      }
      for (int at = 0; at + element.length() <= script.length(); at++) {
        int end = at + element.length();
        Frame frame = new Frame(script.slice(0, at), script.slice(end, script.length()));
        if (frame.around(run.elements()).equals(run.scripts())) {
          return frame;
        }
      }
      return null;
    }

    List<Bytes> around(List<Bytes> elements) {
      List<Bytes> scripts = new ArrayList<>(elements.size());
      for (Bytes element : elements) {
        ByteWriter out = new ByteWriter(opening.length() + element.length() + closing.length());
        scripts.add(out.bytes(opening).bytes(element).bytes(closing).toBytes());
      }
      return scripts;
    }
  }

  /**
   * The network whose prefixes all addresses carry; null if they do not follow from the scripts.
   */
  private static @Nullable KeyNetwork network(ScriptRun run) {
    for (KeyNetwork network : KeyNetwork.values()) {
      boolean all = true;
      for (int i = 0; all && i < run.count(); i++) {
        Optional<String> address = Address.of(run.scripts().get(i), network);
        all = address.isPresent() && address.get().equals(run.addresses().get(i));
      }
      if (all) {
        return network;
      }
    }
    return null;
  }

  StoredOutPoints outPoints() throws SQLException {
    StoredOutPoints all = new StoredOutPoints(new ArrayList<>(), new ArrayList<>());
    sums.rows(
        "outpoints",
        row -> {
          OutPointRun.read(row.number(0), row.bytes(1), all);
          return true;
        });
    return all;
  }

  private static OutPointRun run(Row row) {
    return OutPointRun.of(row.number(0), row.bytes(1));
  }

  /** The transactions that must be known to write these. */
  static Set<Hash256> payments(List<LoggedOutPoint> outPoints) {
    Set<Hash256> txids = new TreeSet<>();
    for (LoggedOutPoint logged : outPoints) {
      if (logged.script() >= 0) {
        txids.add(logged.outPoint().txid());
      }
    }
    return txids;
  }

  /** Adds outpoints, or puts them in the place of what was known of them. */
  void putOutPoints(List<LoggedOutPoint> outPoints, Map<Hash256, Fact> payments)
      throws SQLException {
    Set<Long> numbers = new TreeSet<>();
    outPoints.forEach(logged -> numbers.add(OutPointRun.number(logged.index())));
    Map<Long, OutPointRun> runs = sums.rows("outpoints", numbers, ElementRows::run);
    for (LoggedOutPoint logged : outPoints) {
      runs.computeIfAbsent(OutPointRun.number(logged.index()), number -> new OutPointRun())
          .put(logged, payments.get(logged.outPoint().txid()));
    }
    for (Map.Entry<Long, OutPointRun> run : runs.entrySet()) {
      db.change(
          "INSERT OR REPLACE INTO outpoints VALUES (?, ?)", run.getKey(), run.getValue().toBytes());
    }
  }

  /** Byte strings one after another: length CompactSize | bytes | length CompactSize | bytes | … */
  private static byte[] pack(List<Bytes> strings) {
    ByteWriter out = new ByteWriter(34 * strings.size());
    strings.forEach(out::varBytes);
    return out.toArray();
  }

  static List<Bytes> unpack(byte[] blob, int count) {
    // Each takes a byte at least: no count is believed beyond that.
    if (count < 0 || count > blob.length) {
      throw new MalformedException(count + " byte strings cannot be in so few bytes", blob.length);
    }
    ByteReader in = new ByteReader(blob);
    List<Bytes> strings = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      strings.add(in.varBytes());
    }
    in.expectEnd();
    return strings;
  }
}
