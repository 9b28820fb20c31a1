package org.murmur.wallet.ledger;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.ledger.LedgerChange.Watch;

/**
 * All that is in the books, found by txid and by what it spends, and what follows from it without
 * deciding between conflicts: whose a coin is, and which block spent it.
 *
 * <p>What is returned are views, not copies; nobody else changes them.
 */
final class Entries {

  private final OwnScripts scripts;
  private final Map<Hash256, Entry> byTxid = new HashMap<>();
  private final Map<OutPoint, List<Entry>> spenders = new HashMap<>();
  // How many of its spenders are in a block: one at most, unless blocks are wrong.
  private final Map<OutPoint, Integer> confirmedSpenders = new HashMap<>();
  private final Map<Hash256, Entry> unconfirmed = new LinkedHashMap<>();
  private final NavigableMap<Integer, Map<Hash256, Entry>> confirmed = new TreeMap<>();
  private final BitSet usedScripts = new BitSet();
  private final BitSet minedScripts = new BitSet();
  private long lastSeen;

  Entries(OwnScripts scripts) {
    this.scripts = scripts;
  }

  Collection<Entry> all() {
    return byTxid.values();
  }

  /** What no block holds, in the order it came in or came back. */
  Collection<Entry> unconfirmed() {
    return unconfirmed.values();
  }

  /** What blocks from a height on hold, lowest first; a copy. */
  List<Entry> confirmedFrom(int height) {
    List<Entry> above = new ArrayList<>();
    confirmed.tailMap(height, true).values().forEach(block -> above.addAll(block.values()));
    return above;
  }

  boolean contains(Hash256 txid) {
    return byTxid.containsKey(txid);
  }

  @Nullable Entry find(Hash256 txid) {
    return byTxid.get(txid);
  }

  Entry known(Hash256 txid) {
    Entry entry = byTxid.get(txid);
    if (entry == null) {
      throw new AssertionError("transaction " + txid + " vanished from the books");
    }
    return entry;
  }

  @Nullable Entry findUnconfirmed(Hash256 txid) {
    return unconfirmed.get(txid);
  }

  /** Whatever spends it, confirmed or not: conflicts, if there are several. */
  List<Entry> spenders(OutPoint outPoint) {
    return spenders.getOrDefault(outPoint, List.of());
  }

  @Nullable Entry confirmedSpender(OutPoint outPoint) {
    if (confirmedSpenders.containsKey(outPoint)) {
      for (Entry spender : spenders(outPoint)) {
        if (spender.isConfirmed()) {
          return spender;
        }
      }
    }
    return null;
  }

  /** Whether a block spends what it spends. */
  boolean isOutdone(Tx tx) {
    for (Tx.Input input : tx.inputs()) {
      if (confirmedSpenders.containsKey(input.outPoint())) {
        return true;
      }
    }
    return false;
  }

  /** Scripts that some transaction pays. */
  BitSet usedScripts() {
    return usedScripts;
  }

  /** Those of them that a transaction pays which is, or once was, in a block. */
  BitSet minedScripts() {
    return minedScripts;
  }

  /** The number of the next sighting, higher than all in the books. */
  long nextSeen() {
    return ++lastSeen;
  }

  Entry insert(Fact fact) {
    Entry entry = new Entry(fact);
    byTxid.put(entry.txid(), entry);
    for (Tx.Input input : fact.tx().inputs()) {
      if (!input.outPoint().isNull()) {
        List<Entry> all = spenders.computeIfAbsent(input.outPoint(), o -> new ArrayList<>(1));
        // Whoever makes one up may name an input twice.
        if (all.isEmpty() || all.get(all.size() - 1) != entry) {
          all.add(entry);
        }
      }
    }
    place(entry);
    lastSeen = Math.max(lastSeen, fact.seen());
    if (spendsOwn(entry.tx())) {
      entry.concern();
    }
    readOutputs(entry);
    return entry;
  }

  /** Takes it out of the books. The scripts it paid count as used until these are read again. */
  void remove(Entry entry) {
    byTxid.remove(entry.txid());
    unplace(entry);
    for (Tx.Input input : entry.tx().inputs()) {
      List<Entry> others = spenders.get(input.outPoint());
      if (others != null) {
        others.remove(entry);
        if (others.isEmpty()) {
          spenders.remove(input.outPoint());
        }
      }
    }
  }

  void rewrite(Entry entry, Fact now) {
    boolean waits = !entry.isConfirmed() && now.confirmation() == null;
    if (!waits) {
      unplace(entry);
    }
    entry.rewrite(now);
    place(entry);
    if (entry.isConfirmed()) {
      noteMined(entry);
    }
  }

  /** Files it with what blocks hold, or with the rest. */
  private void place(Entry entry) {
    if (entry.isConfirmed()) {
      confirmed
          .computeIfAbsent(entry.fact().height(), height -> new LinkedHashMap<>())
          .put(entry.txid(), entry);
      countSpends(entry, 1);
    } else {
      unconfirmed.put(entry.txid(), entry);
    }
  }

  private void unplace(Entry entry) {
    if (!entry.isConfirmed()) {
      unconfirmed.remove(entry.txid());
      return;
    }
    countSpends(entry, -1);
    Map<Hash256, Entry> block = confirmed.get(entry.fact().height());
    if (block != null) {
      block.remove(entry.txid());
      if (block.isEmpty()) {
        confirmed.remove(entry.fact().height());
      }
    }
  }

  private void countSpends(Entry entry, int change) {
    for (Tx.Input input : entry.tx().inputs()) {
      if (!input.outPoint().isNull()) {
        int count = confirmedSpenders.merge(input.outPoint(), change, Integer::sum);
        if (count == 0) {
          confirmedSpenders.remove(input.outPoint());
        }
      }
    }
  }

  /** Looks the outputs' scripts up; true if one more than before is ours. */
  boolean readOutputs(Entry entry) {
    boolean more = false;
    for (int i = 0; i < entry.outputCount(); i++) {
      if (!entry.isOwn(i)) {
        int script = scripts.find(entry.tx().outputs().get(i).script());
        if (script != OwnScripts.FOREIGN) {
          entry.adopt(i, script);
          entry.concern();
          spenders(entry.tx().outPoint(i)).forEach(Entry::concern);
          usedScripts.set(script);
          more = true;
        }
      }
    }
    if (more && entry.isConfirmed()) {
      noteMined(entry);
    }
    return more;
  }

  private void noteMined(Entry entry) {
    for (int i = 0; i < entry.outputCount(); i++) {
      if (entry.isOwn(i)) {
        minedScripts.set(entry.ownScript(i));
      }
    }
  }

  /**
   * Whether it belongs in the books: it pays an own script, spends an own coin, or is a conflict.
   */
  boolean isWanted(Tx tx) {
    for (Tx.Output output : tx.outputs()) {
      if (scripts.find(output.script()) != OwnScripts.FOREIGN) {
        return true;
      }
    }
    for (Tx.Input input : tx.inputs()) {
      if (ownScript(input.outPoint()) != OwnScripts.FOREIGN) {
        return true;
      }
      for (Entry conflict : spenders(input.outPoint())) {
        if (conflict.concernsWallet()) {
          return true;
        }
      }
    }
    return false;
  }

  boolean spendsOwn(Tx tx) {
    for (Tx.Input input : tx.inputs()) {
      if (ownScript(input.outPoint()) != OwnScripts.FOREIGN) {
        return true;
      }
    }
    return false;
  }

  /** Number of the own script that a coin pays, or {@link OwnScripts#FOREIGN}. */
  int ownScript(OutPoint outPoint) {
    Entry entry = byTxid.get(outPoint.txid());
    int index = outPoint.index();
    return entry == null || index < 0 || index >= entry.outputCount()
        ? OwnScripts.FOREIGN
        : entry.ownScript(index);
  }

  /** What it does to the wallet, if it counts. */
  Effect effect(Entry entry) {
    List<Effect.Part> received = new ArrayList<>();
    for (int i = 0; i < entry.outputCount(); i++) {
      if (entry.isOwn(i)) {
        received.add(
            new Effect.Part(entry.tx().outPoint(i), i, entry.value(i), entry.ownScript(i)));
      }
    }
    List<Effect.Part> spent = new ArrayList<>();
    List<Tx.Input> inputs = entry.tx().inputs();
    for (int i = 0; i < inputs.size(); i++) {
      OutPoint outPoint = inputs.get(i).outPoint();
      int script = ownScript(outPoint);
      if (script != OwnScripts.FOREIGN) {
        long value = known(outPoint.txid()).value(outPoint.index());
        spent.add(new Effect.Part(outPoint, i, value, script));
      }
    }
    return new Effect(received, spent);
  }

  /** Satoshi in own outputs of blocks that no block spends. */
  long confirmedSum() {
    long sum = 0;
    for (Entry entry : byTxid.values()) {
      for (int i = 0; entry.isConfirmed() && i < entry.outputCount(); i++) {
        if (entry.isOwn(i) && confirmedSpender(entry.tx().outPoint(i)) == null) {
          sum += entry.value(i);
        }
      }
    }
    return sum;
  }

  /** Between which heights the spend of an outpoint matters; null if it never does. */
  @Nullable Watch watch(OutPoint outPoint) {
    Entry spender = confirmedSpender(outPoint);
    int end = spender == null ? Watch.OPEN : spender.fact().height();
    int script = ownScript(outPoint);
    if (script != OwnScripts.FOREIGN) {
      Fact fact = known(outPoint.txid()).fact();
      int birth = fact.confirmation() == null ? fact.pendingSince() : fact.height();
      return new Watch(outPoint, script, birth, end);
    }
    int birth = Watch.OPEN;
    for (Entry payment : spenders(outPoint)) {
      int since = payment.fact().pendingSince();
      if (since != Fact.NEVER_PENDING && payment.concernsWallet()) {
        birth = Math.min(birth, since);
      }
    }
    return birth == Watch.OPEN ? null : new Watch(outPoint, OwnScripts.FOREIGN, birth, end);
  }

  /** Every outpoint that is spent, or an output of what is in the books; a copy. */
  Set<OutPoint> outPoints() {
    Set<OutPoint> outPoints = new LinkedHashSet<>(spenders.keySet());
    for (Entry entry : byTxid.values()) {
      for (int i = 0; i < entry.outputCount(); i++) {
        outPoints.add(entry.tx().outPoint(i));
      }
    }
    return outPoints;
  }
}
