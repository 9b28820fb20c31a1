package org.murmur.wallet.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.ledger.LedgerChange.Transition;

/**
 * The wallet's books, kept up to date by news and restored from facts.
 *
 * <p>Kept are transactions that pay an own script, that spend an own coin, or that spend an input
 * of such a transaction (who replaced it). What a transaction means is never written down: its
 * effect, status and worth follow from the facts and the own scripts whenever they are asked for,
 * so it does not matter in which order they became known.
 *
 * <p>Pending transactions that exclude each other: nothing beats a confirmed one; otherwise the one
 * seen later counts, together with the pending transactions it builds on, because whoever relayed
 * it must have held those too. Being in a block is a sighting, so after a reorganisation the one
 * that was confirmed counts before the one it had replaced, as in a node's memory pool.
 *
 * <p>Not thread safe.
 */
public final class Ledger {

  /**
   * Confirmations after which a coinbase counts as mature. Consensus lets it be spent in the
   * hundredth block behind it; Core's wallet waits for one confirmation more (COINBASE_MATURITY + 1
   * in its GetBlocksToMaturity), and the sums are to be the same.
   */
  public static final int COINBASE_MATURITY = 101;

  /**
   * Unconfirmed transactions that are kept at once and spend nothing of the wallet's, and as many
   * that do. Anybody makes them up for nothing, without a key. Who really waits for a thousand
   * payments sees the others when they are in a block.
   */
  static final int MOST_UNCONFIRMED = 1_000;

  /** Bytes of either kind: ten of the largest that nodes relay, or a thousand of 4,000 bytes. */
  static final long MOST_UNCONFIRMED_BYTES = 4_000_000;

  private final Entries entries;
  private final Verdicts verdicts;

  /** Derives more scripts when those in use come near the end of those known. */
  public interface Growth {

    /**
     * Looks at the scripts in use and derives more if they are needed.
     *
     * @param usedScripts numbers of the own scripts that some transaction pays; not to be changed
     * @param minedScripts those of them that a transaction pays which is, or once was, in a block;
     *     not to be changed
     * @return true if there are new own scripts now
     */
    boolean grow(BitSet usedScripts, BitSet minedScripts);

    /** Scripts that never grow. */
    Growth NONE = (used, mined) -> false;
  }

  /**
   * Opens empty books.
   *
   * @param scripts what counts as own
   */
  public Ledger(OwnScripts scripts) {
    this.entries = new Entries(scripts);
    this.verdicts = new Verdicts(entries);
  }

  /**
   * Opens the books at what was written down.
   *
   * @param scripts what counts as own
   * @param facts all of them, in any order
   * @return the books
   */
  public static Ledger restore(OwnScripts scripts, Collection<Fact> facts) {
    Ledger ledger = new Ledger(scripts);
    for (Fact fact : facts) {
      ledger.entries.insert(fact);
    }
    ledger.verdicts.renew();
    for (Entry entry : ledger.entries.all()) {
      entry.remember(Told.of(entry, ledger.entries, ledger.verdicts));
    }
    return ledger;
  }

  /**
   * Takes news in.
   *
   * @param news what happened
   * @param growth derives more own scripts; asked until it has no more
   * @return what changed
   */
  public LedgerChange apply(LedgerInput news, Growth growth) {
    return new Update(news, growth).run();
  }

  /** One run of {@link #apply}: collects what it touches. */
  private final class Update {
    private final LedgerInput news;
    private final Growth growth;
    // Whatever may have a new status, worth or place.
    private final Set<Hash256> affected = new LinkedHashSet<>();
    private final Set<Hash256> changed = new LinkedHashSet<>();
    private final Set<OutPoint> dirty = new LinkedHashSet<>();
    private final Map<Hash256, Sighting> sightings = new LinkedHashMap<>();
    private final List<Hash256> forgotten = new ArrayList<>();
    // What is unconfirmed and spends nothing of the wallet's, and what does; counted when needed.
    private @Nullable Crowd payments;
    private @Nullable Crowd spends;
    private @Nullable Deque<Entry> forgettable;

    Update(LedgerInput news, Growth growth) {
      this.news = news;
      this.growth = growth;
    }

    LedgerChange run() {
      disconnect();
      for (LedgerInput.Mined mined : news.confirmed()) {
        sighting(mined.tx()).confirm(mined.confirmation(), entries.nextSeen());
      }
      for (Tx tx : news.pending()) {
        sighting(tx).relay(entries.nextSeen());
      }
      admit();
      miss();
      for (Hash256 txid : verdicts.renew()) {
        affect(entries.known(txid));
      }
      List<Transition> transitions = transitions();
      List<Fact> facts = new ArrayList<>();
      for (Hash256 txid : changed) {
        facts.add(entries.known(txid).fact());
      }
      List<Watch> watches = new ArrayList<>();
      for (OutPoint outPoint : dirty) {
        Watch watch = entries.watch(outPoint);
        if (watch != null) {
          watches.add(watch);
        }
      }
      int relevant = 0;
      for (Hash256 txid : sightings.keySet()) {
        Entry entry = entries.find(txid);
        if (entry != null && entries.concernsWallet(entry)) {
          relevant++;
        }
      }
      return new LedgerChange(facts, watches, transitions, relevant, forgotten);
    }

    private Sighting sighting(Tx tx) {
      return sightings.computeIfAbsent(tx.txid(), txid -> new Sighting(tx)).richer(tx);
    }

    /**
     * Takes confirmations above the fork back. What was pending all along can be confirmed from the
     * fork on now, and so can what replaces it.
     */
    private void disconnect() {
      int next = news.forkHeight() + 1;
      for (Entry entry : entries.all()) {
        Fact old = entry.fact();
        boolean undone = old.height() >= next;
        if (undone || (!entry.isConfirmed() && old.pendingSince() > next)) {
          int since =
              old.pendingSince() == Fact.NEVER_PENDING ? next : Math.min(next, old.pendingSince());
          boolean missing = !undone && old.missing();
          replace(entry, new Fact(old.tx(), old.seen(), old.firstSeen(), since, missing, null));
        }
      }
    }

    /** Notes what a peer's whole memory pool did not hold. */
    private void miss() {
      for (Hash256 txid : news.missing()) {
        Entry entry = entries.find(txid);
        if (entry != null && !entry.isConfirmed() && !sightings.containsKey(txid)) {
          Fact old = entry.fact();
          replace(
              entry,
              new Fact(old.tx(), old.seen(), old.firstSeen(), old.pendingSince(), true, null));
        }
      }
    }

    /**
     * Lets in what is relevant, to a fixpoint over the news and over the scripts it makes us
     * derive.
     */
    private void admit() {
      Map<OutPoint, List<Sighting>> waiting = new HashMap<>();
      Deque<Sighting> open = new ArrayDeque<>();
      for (Sighting sighting : sightings.values()) {
        if (entries.contains(sighting.txid())) {
          update(sighting);
        } else {
          for (Tx.Input input : sighting.tx().inputs()) {
            waiting.computeIfAbsent(input.outPoint(), o -> new ArrayList<>(1)).add(sighting);
          }
          open.add(sighting);
        }
      }
      do {
        drain(open, waiting);
        if (!growth.grow(entries.usedScripts(), entries.minedScripts())) {
          return;
        }
        adoptOutputs();
        for (Sighting sighting : sightings.values()) {
          if (!entries.contains(sighting.txid())) {
            open.add(sighting);
          }
        }
      } while (true);
    }

    private void drain(Deque<Sighting> open, Map<OutPoint, List<Sighting>> waiting) {
      while (!open.isEmpty()) {
        Sighting sighting = open.remove();
        Hash256 txid = sighting.txid();
        if (entries.contains(txid) || !entries.isWanted(sighting.tx()) || !hasRoom(sighting)) {
          continue;
        }
        Entry entry = entries.insert(sighting.fact(null, news));
        touch(entry);
        addRivals(entry, open, waiting);
        for (int i = 0; i < entry.outputCount(); i++) {
          if (entry.isOwn(i)) {
            OutPoint coin = entry.tx().outPoint(i);
            open.addAll(waiting.getOrDefault(coin, List.of()));
            // Who was kept as a rival only may concern the wallet now, and have rivals of its own.
            for (Entry spender : entries.spenders(coin)) {
              addRivals(spender, open, waiting);
            }
          }
        }
      }
    }

    /**
     * Whether one more may be kept. What is in a block always may, and what the user sends.
     * Payments that do not count any more make room, the one seen first before others. One that
     * counts never does: else a flood would wash away the true ones that were there before it. So
     * it only hides those that come after, until they are in a block or peers have denied the
     * flood. What spends own coins never makes room, for it may be what the user sent.
     */
    private boolean hasRoom(Sighting sighting) {
      if (sighting.isConfirmed() || news.sent()) {
        return true;
      }
      if (entries.spendsOwn(sighting.tx())) {
        if (spends == null) {
          spends = crowd(true);
        }
        return spends.take(sighting.tx());
      }
      if (payments == null) {
        payments = crowd(false);
      }
      while (!payments.take(sighting.tx())) {
        Entry gone = nextForgettable();
        if (gone == null) {
          return false;
        }
        forget(gone);
        payments.release(gone.tx());
      }
      return true;
    }

    private Crowd crowd(boolean spending) {
      Crowd crowd = new Crowd();
      for (Entry entry : entries.unconfirmed()) {
        if (entries.spendsOwn(entry.tx()) == spending) {
          crowd.add(entry.tx());
        }
      }
      return crowd;
    }

    private @Nullable Entry nextForgettable() {
      if (forgettable == null) {
        List<Entry> old = new ArrayList<>();
        for (Entry entry : entries.unconfirmed()) {
          if (!verdicts.mayCount(entry) && !sightings.containsKey(entry.txid())) {
            old.add(entry);
          }
        }
        old.sort(Comparator.comparingLong(entry -> entry.fact().seen()));
        forgettable = new ArrayDeque<>(old);
      }
      // Nothing may build on it, and it may spend an own coin by now: that is looked at last.
      while (!forgettable.isEmpty()) {
        Entry entry = forgettable.remove();
        if (!entry.isConfirmed() && !entries.spendsOwn(entry.tx()) && !isSpent(entry)) {
          return entry;
        }
      }
      return null;
    }

    private boolean isSpent(Entry entry) {
      for (int i = 0; i < entry.outputCount(); i++) {
        if (!entries.spenders(entry.tx().outPoint(i)).isEmpty()) {
          return true;
        }
      }
      return false;
    }

    private void forget(Entry entry) {
      touch(entry);
      entries.remove(entry);
      affected.remove(entry.txid());
      changed.remove(entry.txid());
      forgotten.add(entry.txid());
    }

    private void addRivals(
        Entry entry, Deque<Sighting> open, Map<OutPoint, List<Sighting>> waiting) {
      for (Tx.Input input : entry.tx().inputs()) {
        open.addAll(waiting.getOrDefault(input.outPoint(), List.of()));
      }
    }

    private void update(Sighting sighting) {
      Entry entry = entries.known(sighting.txid());
      Fact fact = sighting.fact(entry.fact(), news);
      if (!fact.equals(entry.fact())) {
        replace(entry, fact);
      }
    }

    /** New scripts were derived: outputs of known transactions may turn out to be ours. */
    private void adoptOutputs() {
      for (Entry entry : entries.all()) {
        if (entries.readOutputs(entry)) {
          touch(entry);
        }
      }
    }

    private void replace(Entry entry, Fact fact) {
      entries.rewrite(entry, fact);
      touch(entry);
    }

    private void touch(Entry entry) {
      changed.add(entry.txid());
      affect(entry);
      touchInputs(entry);
      for (int i = 0; i < entry.outputCount(); i++) {
        if (entry.isOwn(i)) {
          OutPoint outPoint = entry.tx().outPoint(i);
          dirty.add(outPoint);
          entries.spenders(outPoint).forEach(this::touchInputs);
        }
      }
    }

    private void touchInputs(Entry entry) {
      for (Tx.Input input : entry.tx().inputs()) {
        dirty.add(input.outPoint());
      }
    }

    /**
     * Its change may be news of others, too: of what takes the same inputs, and of what it pays,
     * whose worth depends on whose coins it spends.
     */
    private void affect(Entry entry) {
      affected.add(entry.txid());
      for (Tx.Input input : entry.tx().inputs()) {
        for (Entry rival : entries.spenders(input.outPoint())) {
          affected.add(rival.txid());
        }
      }
      for (int i = 0; i < entry.outputCount(); i++) {
        if (entry.isOwn(i)) {
          for (Entry child : entries.spenders(entry.tx().outPoint(i))) {
            affected.add(child.txid());
          }
        }
      }
    }

    private List<Transition> transitions() {
      List<Transition> transitions = new ArrayList<>();
      for (Hash256 txid : affected) {
        Entry entry = entries.known(txid);
        Told before = entry.told();
        Told after = Told.of(entry, entries, verdicts);
        if (after != null && !after.equals(before)) {
          transitions.add(
              new Transition(txid, before == null ? null : before.status(), after.status()));
        }
        entry.remember(after);
      }
      return transitions;
    }
  }

  /** How much is kept of something that costs its maker nothing. */
  private static final class Crowd {
    private int count;
    private long bytes;

    boolean take(Tx tx) {
      if (count >= MOST_UNCONFIRMED || bytes + tx.raw().length() > MOST_UNCONFIRMED_BYTES) {
        return false;
      }
      add(tx);
      return true;
    }

    void add(Tx tx) {
      count++;
      bytes += tx.raw().length();
    }

    void release(Tx tx) {
      count--;
      bytes -= tx.raw().length();
    }
  }

  /**
   * Returns the three sums.
   *
   * @param tip the active chain's height, for the age of coinbases
   * @return satoshi
   */
  public Balance balance(int tip) {
    long confirmed = 0;
    long immature = 0;
    long unconfirmedSum = 0;
    for (Entry entry : entries.all()) {
      TxStatus status = verdicts.status(entry);
      if (status == TxStatus.PENDING) {
        unconfirmedSum += entries.effect(entry).net();
      } else if (status == TxStatus.CONFIRMED) {
        for (int i = 0; i < entry.outputCount(); i++) {
          if (entry.isOwn(i) && entries.confirmedSpender(entry.tx().outPoint(i)) == null) {
            long value = entry.value(i);
            if (isImmature(entry, tip)) {
              immature += value;
            } else {
              confirmed += value;
            }
          }
        }
      }
    }
    return new Balance(confirmed, unconfirmedSum, immature);
  }

  /**
   * Returns the coins that nothing spends, confirmed or pending.
   *
   * @param tip the active chain's height, for the age of coinbases
   * @return by height, pending ones last
   */
  public List<Unspent> unspent(int tip) {
    List<Unspent> coins = new ArrayList<>();
    for (Entry entry : entries.all()) {
      if (!verdicts.isLive(entry)) {
        continue;
      }
      for (int i = 0; i < entry.outputCount(); i++) {
        OutPoint outPoint = entry.tx().outPoint(i);
        if (entry.isOwn(i) && entries.spenders(outPoint).stream().noneMatch(verdicts::isLive)) {
          coins.add(
              new Unspent(
                  outPoint,
                  entry.value(i),
                  entry.ownScript(i),
                  entry.fact().height(),
                  entry.tx().isCoinbase(),
                  isImmature(entry, tip)));
        }
      }
    }
    coins.sort(
        Comparator.comparingInt((Unspent coin) -> coin.height() < 0 ? Watch.OPEN : coin.height())
            .thenComparing(coin -> coin.outPoint().txid())
            .thenComparingInt(coin -> coin.outPoint().index()));
    return coins;
  }

  private static boolean isImmature(Entry entry, int tip) {
    return entry.isConfirmed()
        && entry.tx().isCoinbase()
        && tip - entry.fact().height() + 1 < COINBASE_MATURITY;
  }

  /**
   * Returns the transactions that concern the wallet, whatever became of them.
   *
   * @return in the order of the chain, then what is unconfirmed by when it was first seen
   */
  public List<Fact> transactions() {
    List<Fact> facts = new ArrayList<>();
    for (Entry entry : entries.all()) {
      if (entries.concernsWallet(entry)) {
        facts.add(entry.fact());
      }
    }
    facts.sort(
        Comparator.comparingInt((Fact f) -> f.confirmation() == null ? Watch.OPEN : f.height())
            .thenComparingInt(f -> f.confirmation() == null ? 0 : f.confirmation().position())
            .thenComparingLong(f -> f.confirmation() == null ? f.firstSeen() : 0)
            .thenComparingLong(f -> f.confirmation() == null ? f.seen() : 0)
            .thenComparing(f -> f.tx().txid()));
    return facts;
  }

  /**
   * Returns the transactions that count as pending.
   *
   * @return txids in no order
   */
  public Set<Hash256> pending() {
    return verdicts.pending();
  }

  /**
   * Returns everything that is in the books, also who replaced a payment without concerning the
   * wallet otherwise.
   *
   * @return in no order
   */
  public List<Fact> facts() {
    List<Fact> facts = new ArrayList<>(entries.all().size());
    for (Entry entry : entries.all()) {
      facts.add(entry.fact());
    }
    return facts;
  }

  /**
   * Returns every outpoint whose spend matters.
   *
   * @return in no order
   */
  public Set<Watch> watches() {
    Set<Watch> watches = new HashSet<>();
    for (OutPoint outPoint : entries.outPoints()) {
      Watch watch = entries.watch(outPoint);
      if (watch != null) {
        watches.add(watch);
      }
    }
    return watches;
  }

  /**
   * Looks a transaction up.
   *
   * @param txid which
   * @return what is known, or null
   */
  public @Nullable Fact fact(Hash256 txid) {
    Entry entry = entries.find(txid);
    return entry == null ? null : entry.fact();
  }

  /**
   * Returns what became of a transaction.
   *
   * @param txid of a transaction in the books
   * @return its status
   * @throws IllegalArgumentException if it is not in the books
   */
  public TxStatus status(Hash256 txid) {
    return verdicts.status(asked(txid));
  }

  /**
   * Returns what took the place of a transaction.
   *
   * @param txid of a transaction in the books
   * @return a transaction that spends one of its inputs, confirmed if one is; null unless its
   *     status is {@link TxStatus#REPLACED}
   * @throws IllegalArgumentException if it is not in the books
   */
  public @Nullable Rival rival(Hash256 txid) {
    return verdicts.rival(asked(txid));
  }

  /**
   * Returns what a transaction does to the wallet, if it counts.
   *
   * @param txid of a transaction in the books
   * @return coins that come and go
   * @throws IllegalArgumentException if it is not in the books
   */
  public Effect effect(Hash256 txid) {
    return entries.effect(asked(txid));
  }

  /**
   * Returns the own scripts that some transaction pays, whatever became of it.
   *
   * @return a copy of the set of numbers
   */
  public BitSet usedScripts() {
    return (BitSet) entries.usedScripts().clone();
  }

  private Entry asked(Hash256 txid) {
    Entry entry = entries.find(txid);
    if (entry == null) {
      throw new IllegalArgumentException("transaction " + txid + " is not the wallet's");
    }
    return entry;
  }
}
