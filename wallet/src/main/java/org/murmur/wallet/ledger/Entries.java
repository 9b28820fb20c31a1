package org.murmur.wallet.ledger;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
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
 * <p>What is unconfirmed is in memory. What blocks hold is loaded from the {@link Archive} when it
 * is asked for, and may be {@linkplain #release released} again when it is stored.
 *
 * <p>What is returned are views, not copies; nobody else changes them.
 */
final class Entries {

  /** Released are all that blocks hold, when so many are loaded: some 15 MB. */
  static final int MAX_LOADED = 10_000;

  /** Sightings of one second that are told apart from those of the next, as a power of two. */
  private static final int SIGHTINGS_BITS = 20;

  private final OwnScripts scripts;
  private final Archive archive;
  private final Map<Hash256, Entry> byTxid = new HashMap<>();
  private final Map<OutPoint, List<Entry>> spenders = new HashMap<>();
  // How many of its spenders are in a block: one at most, unless blocks are wrong.
  private final Map<OutPoint, Integer> confirmedSpenders = new HashMap<>();
  private final Map<Hash256, Entry> unconfirmed = new LinkedHashMap<>();
  private final NavigableMap<Integer, Map<Hash256, Entry>> confirmed = new TreeMap<>();
  private final BitSet usedScripts = new BitSet();
  private final BitSet minedScripts = new BitSet();
  // Outpoints whose spenders in the archive are loaded, and whether all of the archive is.
  private final Set<OutPoint> searched = new HashSet<>();
  private boolean whole;
  // Coins that were not known as own before this batch of news.
  private final Set<OutPoint> adopted = new HashSet<>();
  // Whether scripts that the archive's transactions pay are among those in use.
  private boolean storedScripts;
  private long lastSeen;

  Entries(OwnScripts scripts, Archive archive) {
    this.scripts = scripts;
    this.archive = archive;
  }

  /** Other news begin. */
  void begin() {
    adopted.clear();
  }

  /** Loads the whole archive. */
  Collection<Entry> all() {
    if (!whole) {
      archive.scan(0, this::load);
      whole = true;
    }
    return byTxid.values();
  }

  /** What is loaded; a copy. */
  List<Entry> loaded() {
    return new ArrayList<>(byTxid.values());
  }

  /** Loads what pays a script that was not an own one when it was stored. */
  void loadNewlyOwn() {
    if (!whole) {
      archive.scan(
          0,
          stored -> {
            if (paysMoreThanKnown(stored.tx())) {
              load(stored);
            }
          });
    }
  }

  private boolean paysMoreThanKnown(Tx tx) {
    for (int i = 0; i < tx.outputs().size(); i++) {
      if (scripts.find(tx.outputs().get(i).script()) != OwnScripts.FOREIGN
          && archive.ownScript(tx.outPoint(i)) == OwnScripts.FOREIGN) {
        return true;
      }
    }
    return false;
  }

  private void load(Fact stored) {
    if (!byTxid.containsKey(stored.tx().txid())) {
      Entry entry = file(Entry.stored(stored));
      for (int i = 0; i < entry.outputCount(); i++) {
        int script = archive.ownScript(entry.tx().outPoint(i));
        if (script != OwnScripts.FOREIGN) {
          entry.adopt(i, script);
          entry.concern();
        }
      }
    }
  }

  /**
   * Forgets what blocks hold. The archive must hold all of it, as it is now.
   *
   * @param most so many may stay
   */
  void release(int most) {
    if (byTxid.size() - unconfirmed.size() > most) {
      byTxid.clear();
      spenders.clear();
      confirmed.clear();
      confirmedSpenders.clear();
      searched.clear();
      whole = false;
      unconfirmed.values().forEach(this::index);
    }
  }

  /** What no block holds, in the order it came in or came back. */
  Collection<Entry> unconfirmed() {
    return unconfirmed.values();
  }

  /** A part of what the archive holds and concerns the wallet, the last before a place first. */
  List<Fact> storedBefore(int height, int position, long limit) {
    List<Fact> found = new ArrayList<>();
    int top = height;
    int place = position;
    boolean more = true;
    while (more && found.size() < limit) {
      int wanted = (int) Math.min(limit - found.size(), Archive.PAGE);
      List<Fact> page = archive.before(top, place, wanted);
      for (Fact stored : page) {
        load(stored);
        if (known(stored.tx().txid()).concernsWallet()) {
          found.add(stored);
        }
        Confirmation where = stored.confirmation();
        top = where == null ? top : where.height();
        place = where == null ? place : where.position();
      }
      more = page.size() == wanted;
    }
    return found;
  }

  /** What blocks from a height on hold, lowest first; a copy. */
  List<Entry> confirmedFrom(int height) {
    archive.scan(height, this::load);
    List<Entry> above = new ArrayList<>();
    confirmed.tailMap(height, true).values().forEach(block -> above.addAll(block.values()));
    return above;
  }

  boolean contains(Hash256 txid) {
    return find(txid) != null;
  }

  @Nullable Entry find(Hash256 txid) {
    Entry entry = byTxid.get(txid);
    if (entry == null && !whole) {
      Fact stored = archive.find(txid);
      if (stored != null) {
        load(stored);
        return byTxid.get(txid);
      }
    }
    return entry;
  }

  Entry known(Hash256 txid) {
    Entry entry = find(txid);
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
    if (!whole && searched.add(outPoint)) {
      archive.spenders(outPoint).forEach(this::load);
    }
    return spenders.getOrDefault(outPoint, List.of());
  }

  /** What spends it in a block: the lowest one, if blocks are wrong and there are several. */
  @Nullable Entry confirmedSpender(OutPoint outPoint) {
    List<Entry> all = spenders(outPoint);
    Entry first = null;
    if (confirmedSpenders.containsKey(outPoint)) {
      for (Entry spender : all) {
        if (spender.isConfirmed() && (first == null || isBefore(spender.fact(), first.fact()))) {
          first = spender;
        }
      }
    }
    return first;
  }

  private static boolean isBefore(Fact fact, Fact other) {
    Confirmation a = fact.confirmation();
    Confirmation b = other.confirmation();
    return a != null
        && b != null
        && (a.height() < b.height() || (a.height() == b.height() && a.position() < b.position()));
  }

  /** Whether a block spends what it spends. */
  boolean isOutdone(Tx tx) {
    for (Tx.Input input : tx.inputs()) {
      if (confirmedSpender(input.outPoint()) != null) {
        return true;
      }
    }
    return false;
  }

  /** Scripts that some transaction pays. */
  BitSet usedScripts() {
    addStoredScripts();
    return usedScripts;
  }

  /** Those of them that a transaction pays which is, or once was, in a block. */
  BitSet minedScripts() {
    addStoredScripts();
    return minedScripts;
  }

  private void addStoredScripts() {
    if (!storedScripts) {
      BitSet stored = archive.usedScripts();
      usedScripts.or(stored);
      minedScripts.or(stored);
      storedScripts = true;
    }
  }

  /**
   * The number of the next sighting, higher than all that are loaded. It has the time in it, so
   * that it is higher than those of the archive, too.
   *
   * @param time seconds since 1970
   */
  long nextSeen(long time) {
    lastSeen = Math.max(lastSeen + 1, time << SIGHTINGS_BITS);
    return lastSeen;
  }

  Entry insert(Fact fact) {
    Entry entry = file(new Entry(fact));
    readOutputs(entry);
    return entry;
  }

  private Entry file(Entry entry) {
    index(entry);
    place(entry);
    lastSeen = Math.max(lastSeen, entry.fact().seen());
    if (spendsOwn(entry.tx())) {
      entry.concern();
    }
    return entry;
  }

  private void index(Entry entry) {
    byTxid.put(entry.txid(), entry);
    for (Tx.Input input : entry.tx().inputs()) {
      if (!input.outPoint().isNull()) {
        List<Entry> all = spenders.computeIfAbsent(input.outPoint(), o -> new ArrayList<>(1));
        // Whoever makes one up may name an input twice.
        if (all.isEmpty() || all.get(all.size() - 1) != entry) {
          all.add(entry);
        }
      }
    }
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
          adopted.add(entry.tx().outPoint(i));
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
    if (entry == null) {
      return archive.ownScript(outPoint);
    }
    return index < 0 || index >= entry.outputCount() ? OwnScripts.FOREIGN : entry.ownScript(index);
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

  /**
   * Own outputs in blocks that no block spends: those that the archive knows, and those that were
   * taken in and are not stored yet.
   */
  List<Unspent> confirmedCoins(int tip) {
    if (byTxid.isEmpty()) {
      return archive.coins(tip);
    }
    List<Unspent> coins = new ArrayList<>();
    for (Unspent coin : archive.coins(tip)) {
      Entry loaded = byTxid.get(coin.outPoint().txid());
      if ((loaded == null || loaded.isConfirmed())
          && !confirmedSpenders.containsKey(coin.outPoint())) {
        coins.add(coin);
      }
    }
    for (Entry entry : loaded()) {
      for (int i = 0; entry.isConfirmed() && i < entry.outputCount(); i++) {
        OutPoint outPoint = entry.tx().outPoint(i);
        if (entry.isOwn(i)
            && archive.ownScript(outPoint) == OwnScripts.FOREIGN
            && confirmedSpender(outPoint) == null) {
          coins.add(entry.coin(i, tip));
        }
      }
    }
    return coins;
  }

  /** What was last reported of a transaction in a block: it follows from the archive. */
  Entry.@Nullable Reported storedReport(Fact stored) {
    Tx tx = stored.tx();
    boolean concerns = false;
    long net = 0;
    for (int i = 0; i < tx.outputs().size(); i++) {
      if (wasOwn(tx.outPoint(i))) {
        concerns = true;
        net += tx.outputs().get(i).value();
      }
    }
    for (Tx.Input input : tx.inputs()) {
      if (wasOwn(input.outPoint())) {
        concerns = true;
        net -= known(input.outPoint().txid()).value(input.outPoint().index());
      }
    }
    return concerns
        ? new Entry.Reported(TxStatus.CONFIRMED, stored.isHeard(), net, stored.confirmation(), null)
        : null;
  }

  /** Whether a coin was known as own before this batch of news. */
  private boolean wasOwn(OutPoint coin) {
    return ownScript(coin) != OwnScripts.FOREIGN && !adopted.contains(coin);
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
