package org.murmur.p2p.internal.machine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.cover.WholeScript;
import org.murmur.p2p.internal.discovery.KnownAddress;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Confirmed;
import org.murmur.p2p.internal.sync.HeaderSource;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.sync.SyncStart;
import org.murmur.p2p.internal.wire.Headers;

/**
 * The least that a wallet must do with a batch: a disk, a log with look-ahead, and the relevant
 * transactions.
 */
public final class SimulatedWallet {

  // As set when the wallet was made, or by a batch.
  Birthday birthday = new Birthday.AtHeight(0);
  // The claimed network; the chain is regtest's, since no other can be mined.
  ChainParams network = ChainParams.REGTEST;
  OptionalInt birthdayHeight = OptionalInt.empty();
  private final int lookAhead;
  private final int step;
  private final int epoch;
  // Whether none of the watched scripts is its own: every match is one by chance then.
  boolean ownsNothing;
  // Whether it watches the inputs of payments to it, to see replacements.
  boolean watchesInputs;
  final List<Element> log = new ArrayList<>();
  private final Map<Bytes, Integer> scripts = new HashMap<>();
  private int derived;
  private int used = -1;

  // When all that is pending was first seen, seconds since 1970: long ago.
  long firstSeen = 1_000_000_000L;

  // What the user sent, and what of it a peer is known to have.
  final Set<Hash256> sent = new HashSet<>();
  final Set<Hash256> heard = new HashSet<>();
  // Payments that were signed and not ordered to be sent.
  final Set<Hash256> signed = new HashSet<>();

  // Transactions of disconnected blocks.
  private final Set<Hash256> unmined = new HashSet<>();

  // The disk.
  public final List<Bytes> headers = new ArrayList<>();

  /** What other wallets of the process have. */
  HeaderSource known = HeaderSource.NONE;

  /** The watched chain. */
  ChainBase base = ChainBase.ofGenesis(ChainParams.REGTEST);

  final Map<Long, Load> loads = new HashMap<>();
  final TreeMap<Long, View> views = new TreeMap<>();
  final Map<NodeAddress, CommitBatch.PeerFacts> peers = new HashMap<>();
  final Map<Endpoint, KnownAddress> addresses = new LinkedHashMap<>();
  public final TreeMap<Long, ScanRow> rows = new TreeMap<>();
  final Map<Hash256, Tx> relevant = new HashMap<>();
  final TreeMap<Hash256, Integer> confirmed = new TreeMap<>();
  final Map<OutPoint, Integer> coins = new HashMap<>();
  final Set<Hash256> missing = new HashSet<>();
  // Peers whose rows were ever discarded.
  final Set<NodeAddress> disowned = new HashSet<>();

  public SimulatedWallet(int lookAhead) {
    this(lookAhead, 0);
  }

  /** Derives this many more than the look-ahead each time, so that growth is rarer. */
  public SimulatedWallet(int lookAhead, int step) {
    this(lookAhead, step, 0);
  }

  /** The script with an index: a P2WPKH whose hash is the number. */
  public static Bytes element(int index) {
    byte[] hash = new byte[20];
    hash[0] = (byte) index;
    hash[1] = (byte) (index >> 8);
    hash[19] = 77;
    return Bytes.wrap(hash);
  }

  public static Bytes script(int index) {
    byte[] script = new byte[22];
    script[1] = 20;
    element(index).write(script, 2);
    return Bytes.wrap(script);
  }

  /** A wallet whose look-ahead grows by whole epochs of this many scripts. */
  static SimulatedWallet ofEpochs(int lookAhead, int epoch) {
    return new SimulatedWallet(lookAhead, 0, epoch);
  }

  private SimulatedWallet(int lookAhead, int step, int epoch) {
    this.lookAhead = lookAhead;
    this.step = step;
    this.epoch = epoch;
    derive();
  }

  private List<Element> derive() {
    List<Element> added = new ArrayList<>();
    int enough = derived > used + lookAhead ? derived : used + lookAhead + step + 1;
    if (epoch > 0) {
      enough = (enough + epoch - 1) / epoch * epoch;
    }
    while (derived < enough) {
      added.add(new Element.Script(element(derived), epoch == 0 ? 0 : derived / epoch));
      scripts.put(script(derived), log.size() + added.size() - 1);
      derived++;
    }
    log.addAll(added);
    return added;
  }

  /** The user sends a payment; it is on disk before a session begins. */
  Tx send(Tx payment) {
    sent.add(payment.txid());
    take(payment);
    return payment;
  }

  SyncStart start() {
    HeaderChain chain = HeaderChain.from(ChainParams.REGTEST, base);
    for (Bytes header : headers) {
      chain.connect(Headers.ofStored(header), Long.MAX_VALUE / 4);
    }
    List<View> all = new ArrayList<>(views.values());
    loads.values().forEach(load -> all.add(load.view()));
    return new SyncStart(
        network,
        chain,
        birthday,
        birthdayHeight,
        log,
        wholeScripts(0),
        all,
        loads.values().stream().filter(load -> load.content() instanceof Content.Epoch).toList(),
        loads.values().stream().map(Load::peer).collect(Collectors.toSet()),
        List.copyOf(rows.values()),
        List.copyOf(peers.values()),
        all.stream().mapToLong(view -> view.id() + 1).max().orElse(1),
        rows.isEmpty() ? 1 : rows.lastKey() + 1,
        confirmed(),
        List.copyOf(addresses.values()),
        known);
  }

  private List<WholeScript> wholeScripts(int from) {
    List<WholeScript> whole = new ArrayList<>();
    scripts.forEach(
        (script, index) -> {
          if (index >= from) {
            whole.add(new WholeScript(index, script));
          }
        });
    whole.sort(Comparator.comparingInt(WholeScript::index));
    return whole;
  }

  private List<Confirmed> confirmed() {
    List<Confirmed> all = new ArrayList<>();
    confirmed.forEach(
        (txid, height) ->
            all.add(new Confirmed(height, Objects.requireNonNull(relevant.get(txid)))));
    return all;
  }

  /** One batch, all or nothing; the answer goes back to the machine. */
  List<Input> commit(CommitBatch batch) {
    int fork = batch.forkHeight();
    while (height() > fork) {
      headers.remove(headers.size() - 1);
    }
    confirmed.forEach(
        (txid, height) -> {
          if (height > fork) {
            unmined.add(txid);
          }
        });
    confirmed.values().removeIf(height -> height > fork);
    ScanRow.cutAbove(rows, fork);
    for (int i = 0; i < batch.connected().count(); i++) {
      headers.add(batch.connected().header(i));
    }
    if (batch.voidRowsFrom() < Integer.MAX_VALUE) {
      ScanRow.cutAbove(rows, batch.voidRowsFrom() - 1);
    }
    if (batch.birthdayHeight().isPresent()) {
      birthdayHeight = batch.birthdayHeight();
    }
    disowned.addAll(batch.disowned());
    batch.disowned().forEach(peer -> rows.values().removeIf(row -> peerOf(row).equals(peer)));
    batch.loads().forEach(load -> loads.put(load.id(), load));
    batch.views().forEach(view -> views.put(view.id(), view));
    batch.peers().forEach(facts -> peers.put(facts.address(), facts));
    batch.folded().applyTo(rows);
    batch.rows().forEach(row -> rows.put(row.id(), row));
    Set<Long> named = new HashSet<>(batch.inUse());
    rows.values().forEach(row -> named.add(row.view()));
    views.keySet().retainAll(named);
    rows.values().forEach(this::peerOf);
    batch.addresses().gone().forEach(addresses::remove);
    batch.addresses().kept().forEach(known -> addresses.put(known.endpoint(), known));
    batch.unconfirmed().forEach(tx -> missing.remove(tx.txid()));
    int from = log.size();
    int relevantBefore = relevant.size();
    boolean more = true;
    while (more) {
      more = false;
      for (CommitBatch.MatchedBlock block : batch.blocks()) {
        for (Tx tx : block.transactions()) {
          if (take(tx)) {
            more = true;
          }
          if (relevant.containsKey(tx.txid())) {
            more |= confirmed.put(tx.txid(), block.height()) == null;
          }
        }
      }
    }
    for (Tx tx : batch.unconfirmed()) {
      more |= take(tx);
    }
    while (more) {
      more = false;
      for (Tx tx : List.copyOf(relevant.values())) {
        more |= take(tx);
      }
    }
    List<Input.Replacement> replaced = births(from);
    List<Input> answers = new ArrayList<>();
    if (log.size() > from || !replaced.isEmpty()) {
      answers.add(
          new Input.WatchSetChanged(
              from, log.subList(from, log.size()), replaced, wholeScripts(from)));
    }
    answers.add(
        new Input.Committed(batch.sequence(), relevant.size() - relevantBefore, pending(batch)));
    return answers;
  }

  NodeAddress peerOf(ScanRow row) {
    Load load = loads.get(row.view());
    return load == null ? Objects.requireNonNull(views.get(row.view())).peer() : load.peer();
  }

  private List<Input.Pending> pending(CommitBatch batch) {
    batch.unconfirmed().forEach(tx -> heard.add(tx.txid()));
    batch.missing().stream().filter(txid -> !sent.contains(txid)).forEach(missing::add);
    heard.removeAll(batch.missing());
    return pending();
  }

  List<Input.Pending> pending() {
    List<Input.Pending> pending = new ArrayList<>();
    relevant.forEach(
        (txid, tx) -> {
          if (!confirmed.containsKey(txid) && !missing.contains(txid)) {
            boolean mine = sent.contains(txid);
            boolean heard = (!mine && !signed.contains(txid)) || this.heard.contains(txid);
            pending.add(new Input.Pending(tx, firstSeen, heard, mine, unmined.contains(txid)));
          }
        });
    return pending;
  }

  private boolean take(Tx tx) {
    int before = coins.size();
    boolean ours = tx.inputs().stream().anyMatch(input -> coins.containsKey(input.outPoint()));
    for (int i = 0; i < tx.outputs().size(); i++) {
      Integer script = scripts.get(tx.outputs().get(i).script());
      if (script == null || ownsNothing) {
        continue;
      }
      ours = true;
      if (coins.containsKey(tx.outPoint(i))) {
        continue;
      }
      coins.put(tx.outPoint(i), log.size());
      log.add(new Element.OwnOutPoint(tx.outPoint(i), script, 0, Element.OPEN, false));
      used = Math.max(used, number(script));
      derive();
      if (watchesInputs) {
        OutPoint input = tx.inputs().get(0).outPoint();
        log.add(new Element.PendingInput(input, height() + 1, Element.OPEN));
      }
    }
    // A change output can pay a script that was derived only after its transaction was known.
    return ours && (relevant.put(tx.txid(), tx) == null || coins.size() > before);
  }

  private int number(int script) {
    int number = 0;
    while (!element(number).equals(log.get(script).data())) {
      number++;
    }
    return number;
  }

  /** Sets births and ends as the confirmations now require. */
  private List<Input.Replacement> births(int from) {
    Map<OutPoint, Integer> ends = new HashMap<>();
    relevant.forEach(
        (txid, tx) -> {
          Integer height = confirmed.get(txid);
          if (height != null) {
            tx.inputs().forEach(input -> ends.put(input.outPoint(), height));
          }
        });
    List<Input.Replacement> replaced = new ArrayList<>();
    for (int i = 0; i < log.size(); i++) {
      if (log.get(i) instanceof Element.OwnOutPoint coin) {
        Element now =
            new Element.OwnOutPoint(
                coin.outPoint(),
                coin.script(),
                confirmed.getOrDefault(coin.outPoint().txid(), height() + 1),
                ends.getOrDefault(coin.outPoint(), Element.OPEN),
                confirmed.containsKey(coin.outPoint().txid()));
        if (!now.equals(coin)) {
          log.set(i, now);
          if (i < from) {
            replaced.add(new Input.Replacement(i, now));
          }
        }
      }
    }
    return replaced;
  }

  private int height() {
    return base.height() + headers.size();
  }
}
