package org.murmur.fuzz;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Confirmed;
import org.murmur.p2p.internal.sync.HeaderSource;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.sync.SyncStart;
import org.murmur.p2p.internal.wire.Headers;

/** The least that a wallet does with a batch, in memory: it outlives the machines. */
final class SyncDisk {

  private static final int EPOCH = 4;

  private final Map<Bytes, Integer> scripts = new HashMap<>();
  private final List<Element> log = new ArrayList<>();
  private final List<Bytes> headers = new ArrayList<>();
  private final Map<Long, Load> loads = new HashMap<>();
  private final TreeMap<Long, ScanRow> rows = new TreeMap<>();
  private final Map<NodeAddress, CommitBatch.PeerFacts> peers = new LinkedHashMap<>();
  private final Map<Hash256, Tx> relevant = new LinkedHashMap<>();
  private final Map<Hash256, Integer> confirmed = new LinkedHashMap<>();
  private final Birthday birthday;
  private OptionalInt birthdayHeight = OptionalInt.empty();
  private int derived;

  SyncDisk(int birthday) {
    this.birthday = new Birthday.AtHeight(birthday);
    derive(EPOCH);
  }

  private void derive(int enough) {
    while (derived < enough) {
      scripts.put(SyncChain.script(derived), log.size());
      log.add(new Element.Script(SyncChain.keyHash(derived), derived / EPOCH));
      derived++;
    }
  }

  SyncStart start() {
    HeaderChain chain = HeaderChain.ofGenesis(ChainParams.REGTEST);
    if (!headers.isEmpty()) {
      byte[] all = new byte[headers.size() * Headers.HEADER_LENGTH];
      for (int i = 0; i < headers.size(); i++) {
        headers.get(i).write(all, i * Headers.HEADER_LENGTH);
      }
      chain = HeaderChain.restore(ChainParams.REGTEST, Headers.ofStored(Bytes.wrap(all)));
    }
    List<Confirmed> known = new ArrayList<>();
    confirmed.forEach((txid, height) -> known.add(new Confirmed(height, tx(txid))));
    return new SyncStart(
        ChainParams.REGTEST,
        chain,
        birthday,
        birthdayHeight,
        log,
        List.copyOf(loads.values()),
        List.copyOf(rows.values()),
        List.copyOf(peers.values()),
        loads.keySet().stream().mapToLong(id -> id + 1).max().orElse(1),
        rows.isEmpty() ? 1 : rows.lastKey() + 1,
        known,
        List.of(),
        HeaderSource.NONE);
  }

  private Tx tx(Hash256 txid) {
    return Objects.requireNonNull(relevant.get(txid));
  }

  /** Writes a batch; what it returns is for the machine. */
  List<Input> commit(CommitBatch batch) {
    int fork = batch.forkHeight();
    while (headers.size() > fork) {
      headers.remove(headers.size() - 1);
    }
    confirmed.values().removeIf(height -> height > fork);
    cutAbove(fork);
    for (int i = 0; i < batch.connected().count(); i++) {
      headers.add(batch.connected().header(i));
    }
    if (batch.voidRowsFrom() < Integer.MAX_VALUE) {
      cutAbove(batch.voidRowsFrom() - 1);
    }
    if (batch.birthdayHeight().isPresent()) {
      birthdayHeight = batch.birthdayHeight();
    }
    for (NodeAddress peer : batch.disowned()) {
      rows.values().removeIf(row -> load(row).peer().equals(peer));
    }
    batch.loads().forEach(load -> loads.put(load.id(), load));
    batch.peers().forEach(facts -> peers.put(facts.address(), facts));
    batch.folded().applyTo(rows);
    batch.rows().forEach(row -> rows.put(row.id(), row));
    int from = log.size();
    int before = relevant.size();
    batch.unconfirmed().forEach(this::take);
    for (CommitBatch.MatchedBlock block : batch.blocks()) {
      for (Tx tx : block.transactions()) {
        take(tx);
        if (relevant.containsKey(tx.txid())) {
          confirmed.put(tx.txid(), block.height());
        }
      }
    }
    List<Input.Replacement> replaced = births(from);
    List<Input> answers = new ArrayList<>();
    if (log.size() > from || !replaced.isEmpty()) {
      answers.add(
          new Input.WatchSetChanged(from, log.subList(from, log.size()), replaced, List.of()));
    }
    List<Input.Pending> pending = new ArrayList<>();
    relevant.forEach(
        (txid, tx) -> {
          if (!confirmed.containsKey(txid)) {
            pending.add(new Input.Pending(tx, SyncChain.NOW, true, false, false));
          }
        });
    answers.add(new Input.Committed(batch.sequence(), relevant.size() - before, pending));
    return answers;
  }

  private Load load(ScanRow row) {
    return Objects.requireNonNull(loads.get(row.view()));
  }

  private void cutAbove(int height) {
    rows.values().removeIf(row -> row.from() > height);
    rows.replaceAll(
        (id, row) ->
            row.to() <= height
                ? row
                : new ScanRow(id, row.view(), row.elements(), row.from(), height, row.time()));
  }

  private boolean knows(OutPoint coin) {
    for (Element element : log) {
      if (element instanceof Element.OwnOutPoint own && own.outPoint().equals(coin)) {
        return true;
      }
    }
    return false;
  }

  private void take(Tx tx) {
    boolean ours = tx.inputs().stream().anyMatch(input -> knows(input.outPoint()));
    for (int i = 0; i < tx.outputs().size(); i++) {
      Integer script = scripts.get(tx.outputs().get(i).script());
      if (script == null) {
        continue;
      }
      ours = true;
      if (!knows(tx.outPoint(i))) {
        log.add(new Element.OwnOutPoint(tx.outPoint(i), script, 0, Element.OPEN, false));
        derive(Math.min(SyncChain.SCRIPTS, derived + EPOCH));
      }
    }
    if (ours) {
      relevant.put(tx.txid(), tx);
    }
  }

  private List<Input.Replacement> births(int from) {
    Map<OutPoint, Integer> ends = new HashMap<>();
    confirmed.forEach(
        (txid, height) -> tx(txid).inputs().forEach(input -> ends.put(input.outPoint(), height)));
    List<Input.Replacement> replaced = new ArrayList<>();
    for (int i = 0; i < log.size(); i++) {
      if (log.get(i) instanceof Element.OwnOutPoint coin) {
        Element now =
            new Element.OwnOutPoint(
                coin.outPoint(),
                coin.script(),
                confirmed.getOrDefault(coin.outPoint().txid(), headers.size() + 1),
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
}
