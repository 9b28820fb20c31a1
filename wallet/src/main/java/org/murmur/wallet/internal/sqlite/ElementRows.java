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
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.store.LoggedOutPoint;
import org.murmur.wallet.internal.store.ScriptRun;
import org.murmur.wallet.internal.store.StoredOutPoints;

/**
 * The element log: scripts and outpoints, in runs. Of each script only the element is stored if the
 * rest is the same for all of the run, and addresses only if they do not follow from the scripts.
 */
final class ElementRows {

  private final Table scripts;
  private final Table outPoints;

  ElementRows(Tables tables) {
    scripts = tables.of("script");
    outPoints = tables.of("outpoints");
  }

  List<ScriptRun> scripts(boolean whole) throws SQLException {
    return scripts.all((id, in) -> run((int) id, in, whole));
  }

  private static ScriptRun run(int first, ByteReader in, boolean whole) {
    int chain = Table.small(in);
    int child = Table.small(in);
    List<Bytes> elements = unpack(in);
    if (!whole) {
      in.skip(in.remaining());
      return new ScriptRun(first, chain, child, elements, List.of(), List.of());
    }
    boolean framed = in.uint8() != 0;
    List<Bytes> all =
        framed ? new Frame(in.varBytes(), in.varBytes()).around(elements) : unpack(in);
    String network = in.varText();
    return network.isEmpty()
        ? new ScriptRun(first, chain, child, elements, all, Arrays.asList(in.varText().split("\n")))
        : ScriptRun.withAddressesOf(
            first, chain, child, elements, all, KeyNetwork.valueOf(network));
  }

  void insertScripts(List<ScriptRun> runs) throws SQLException {
    for (ScriptRun run : runs) {
      ByteWriter out = new ByteWriter(34 * run.count());
      out.compactSize(run.chain()).compactSize(run.child());
      pack(run.elements(), out);
      Frame frame = Frame.of(run);
      if (frame == null) {
        pack(run.scripts(), out.uint8(0));
      } else {
        out.uint8(1).varBytes(frame.opening()).varBytes(frame.closing());
      }
      KeyNetwork network = network(run);
      if (network == null) {
        out.varText("").varText(String.join("\n", run.addresses()));
      } else {
        out.varText(network.name());
      }
      scripts.put(run.first(), out.toArray());
    }
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
    outPoints.all(
        (run, in) -> {
          OutPointRun.read(run, in, all);
          return true;
        });
    return all;
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
  void putOutPoints(List<LoggedOutPoint> changed, Map<Hash256, Fact> payments) throws SQLException {
    Set<Long> numbers = new TreeSet<>();
    changed.forEach(logged -> numbers.add(OutPointRun.number(logged.index())));
    Map<Long, OutPointRun> runs = outPoints.rows(numbers, OutPointRun::of);
    for (LoggedOutPoint logged : changed) {
      runs.computeIfAbsent(OutPointRun.number(logged.index()), number -> new OutPointRun())
          .put(logged, payments.get(logged.outPoint().txid()));
    }
    for (Map.Entry<Long, OutPointRun> run : runs.entrySet()) {
      outPoints.put(run.getKey(), run.getValue().toBytes());
    }
  }

  private static void pack(List<Bytes> strings, ByteWriter out) {
    out.compactSize(strings.size());
    strings.forEach(out::varBytes);
  }

  private static List<Bytes> unpack(ByteReader in) {
    int count = in.count(1);
    List<Bytes> strings = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      strings.add(in.varBytes());
    }
    return strings;
  }
}
