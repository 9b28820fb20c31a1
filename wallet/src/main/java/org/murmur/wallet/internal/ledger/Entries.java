package org.murmur.wallet.internal.ledger;

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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.internal.ledger.LedgerChange.Watch;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.ledger.TxStatus;

/**
 * All transactions in the books, indexed by txid and by spent outpoints. It derives facts that need
 * no decision between conflicts: the owner of a coin, and the block that spent it.
 *
 * <p>Unconfirmed transactions are in memory. Those in blocks are loaded from the {@link Archive} on
 * demand, and may be {@linkplain #release released} again when they are stored.
 *
 * <p>Returned collections are views, not copies; callers must not change them.
 */
final class Entries {

  /** When this many transactions in blocks are loaded, all are released: some 15 MB. */
  static final int MAX_LOADED = 10_000;

  /** Sightings in one second that get different numbers, as a power of two. */
  private static final int SIGHTINGS_BITS = 20;

  private final OwnScripts scripts;
  private final OwnScripts.Signatures signatures;
  private final Archive archive;
  private final Map<Hash256, Entry> byTxid = new HashMap<>();
  private final Map<OutPoint, List<Entry>> spenders = new HashMap<>();
  // How many of its spenders are in a block: at most one, unless blocks are invalid.
  private final Map<OutPoint, Integer> confirmedSpenders = new HashMap<>();
  private final Map<Hash256, Entry> unconfirmed = new LinkedHashMap<>();
  private final NavigableMap<Integer, Map<Hash256, Entry>> confirmed = new TreeMap<>();
  private final BitSet usedScripts = new BitSet();
  private final BitSet minedScripts = new BitSet();
  // Outpoints whose spenders in the archive are loaded, and whether the whole archive is.
  private final Set<OutPoint> searched = new HashSet<>();
  private boolean whole;
  // Coins that were not known as own before this batch.
  private final Set<OutPoint> adopted = new HashSet<>();
  // Whether the scripts that the archive's transactions pay are among the used ones.
  private boolean storedScripts;
  private long lastSeen;

  Entries(OwnScripts scripts, OwnScripts.Signatures signatures, Archive archive) {
    this.scripts = scripts;
    this.signatures = signatures;
    this.archive = archive;
  }

  /** A new batch begins. */
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

  /** The loaded transactions; a copy. */
  List<Entry> loaded() {
    return new ArrayList<>(byTxid.values());
  }

  /** Loads the transactions that pay a script that was not an own one when they were stored. */
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
   * Forgets transactions in blocks except so many. The archive must hold all of them in their
   * present state.
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

  /** The unconfirmed transactions, in the order in which they became so. */
  Collection<Entry> unconfirmed() {
    return unconfirmed.values();
  }

  /**
   * A part of the archive's transactions that concern the wallet, the last before a place first.
   */
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

  /** The transactions in blocks from a height on, lowest first; a copy. */
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

  /** All its spenders, confirmed or not: conflicts, if there are several. */
  List<Entry> spenders(OutPoint outPoint) {
    if (!whole && searched.add(outPoint)) {
      archive.spenders(outPoint).forEach(this::load);
    }
    return spenders.getOrDefault(outPoint, List.of());
  }

  /** Its spender in a block: the lowest one, if blocks are invalid and there are several. */
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

  /** Whether a block spends one of its inputs. */
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
   * The number of the next sighting, higher than all loaded ones. It contains the time in seconds
   * since 1970, so that it is higher than those of the archive too.
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
        // An invented transaction may name an input twice.
        if (all.isEmpty() || all.get(all.size() - 1) != entry) {
          all.add(entry);
        }
      }
    }
  }

  /** Removes it from the books. The scripts it paid count as used until these are loaded again. */
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

  /** Files it with the transactions in blocks, or with the others. */
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

  /** Looks up the outputs' scripts; true if one more than before is ours. */
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

  /** Whether it is unconfirmed, and {@linkplain #isForged(Tx) invented} as far as is known now. */
  boolean isForged(Entry entry) {
    if (entry.fact().vouched() || !spendsOwn(entry.tx())) {
      return false;
    }
    int own = ownInputs(entry.tx()).size();
    if (!entry.isChecked(own)) {
      entry.checked(own, isForged(entry.tx()));
    }
    return entry.isForged();
  }

  /**
   * Whether an unconfirmed transaction is invented: the owner did not sign its spend of an own
   * coin, or it pays more than it spends.
   */
  boolean isForged(Tx tx) {
    return isFaulty(tx, (input, spent) -> !signatures.areRight(tx, input, spent));
  }

  /** Whether nodes refuse it: {@link #isForged(Tx)}, and not only for a script that is not run. */
  boolean isWrong(Tx tx) {
    return isFaulty(tx, (input, spent) -> signatures.areWrong(tx, input, spent));
  }

  private boolean isFaulty(Tx tx, BiPredicate<Integer, List<Optional<Tx.Output>>> isWrong) {
    List<Integer> own = ownInputs(tx);
    if (own.isEmpty()) {
      return false;
    }
    List<Optional<Tx.Output>> spent = spent(tx);
    return fee(tx).orElse(0) < 0 || own.stream().anyMatch(input -> isWrong.test(input, spent));
  }

  /**
   * The fee of a transaction, negative if it pays more than it spends. Empty unless all
   * transactions are known whose outputs it spends.
   */
  OptionalLong fee(Tx tx) {
    long fee = -tx.outputs().stream().mapToLong(Tx.Output::value).sum();
    for (Optional<Tx.Output> output : spent(tx)) {
      if (!output.isPresent()) {
        return OptionalLong.empty();
      }
      fee += output.get().value();
    }
    return OptionalLong.of(fee);
  }

  /** The output that each input spends, as far as it is known. */
  private List<Optional<Tx.Output>> spent(Tx tx) {
    return tx.inputs().stream().map(input -> output(input.outPoint())).collect(Collectors.toList());
  }

  /** The indices of the inputs that spend own coins. */
  private List<Integer> ownInputs(Tx tx) {
    List<Integer> own = new ArrayList<>();
    for (int i = 0; i < tx.inputs().size(); i++) {
      if (ownScript(tx.inputs().get(i).outPoint()) != OwnScripts.FOREIGN) {
        own.add(i);
      }
    }
    return own;
  }

  /** An output of a transaction in the books. */
  private Optional<Tx.Output> output(OutPoint outPoint) {
    Entry entry = find(outPoint.txid());
    int index = outPoint.index();
    return entry == null || index < 0 || index >= entry.outputCount()
        ? Optional.empty()
        : Optional.of(entry.tx().outputs().get(index));
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

  /** Its effect on the wallet, if it counts. */
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
   * Own outputs in blocks that no block spends: those in the archive, and new ones that are not
   * stored yet.
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

  /** The last report of a transaction in a block: it follows from the archive. */
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
        ? new Entry.Reported(
            TxStatus.CONFIRMED, stored.isHeard(), stored.repute(), net, stored.confirmation(), null)
        : null;
  }

  /** Whether a coin was known as own before this batch. */
  private boolean wasOwn(OutPoint coin) {
    return ownScript(coin) != OwnScripts.FOREIGN && !adopted.contains(coin);
  }

  /** The heights between which the spend of an outpoint matters; null if it never does. */
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

  /** Every outpoint that an entry spends or pays; a copy. */
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
