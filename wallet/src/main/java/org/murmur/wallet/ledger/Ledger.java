package org.murmur.wallet.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.ledger.LedgerChange.Watch;

/**
 * The wallet's books, kept up to date by news and restored from facts.
 *
 * <p>Kept are transactions that pay an own script, that spend an own coin, or that spend an input
 * of such a transaction (who replaced it). What a transaction means is never written down: its
 * effect, status and worth follow from the facts and the own scripts whenever they are asked for,
 * so it does not matter in which order those that are kept became known. Of what no block holds not
 * all is kept ({@link UnconfirmedLimit}), nor does what builds on more than nodes relay count
 * ({@link ConflictResolution}).
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

  private static final Comparator<Fact> OLDEST_FIRST =
      Comparator.comparingInt((Fact f) -> f.confirmation() == null ? Watch.OPEN : f.height())
          .thenComparingInt(f -> f.confirmation() == null ? 0 : f.confirmation().position())
          .thenComparingLong(f -> f.confirmation() == null ? f.firstSeen() : 0)
          .thenComparingLong(f -> f.confirmation() == null ? f.seen() : 0)
          .thenComparing(f -> f.tx().txid());

  // What is in the books, and which of it counts. An Intake changes both, one batch at a time.
  private final Entries entries;
  private final Resolutions resolutions;

  /**
   * Opens empty books.
   *
   * @param scripts what counts as own
   */
  public Ledger(OwnScripts scripts) {
    this(scripts, Archive.EMPTY);
  }

  private Ledger(OwnScripts scripts, Archive archive) {
    this.entries = new Entries(scripts, archive);
    this.resolutions = new Resolutions(entries);
  }

  /**
   * Opens the books at what was written down.
   *
   * @param scripts what counts as own
   * @param facts what the archive does not have, in any order: all that is unconfirmed
   * @param archive what blocks hold
   * @return the books
   */
  public static Ledger restore(OwnScripts scripts, Collection<Fact> facts, Archive archive) {
    Ledger ledger = new Ledger(scripts, archive);
    for (Fact fact : facts) {
      ledger.entries.insert(fact);
    }
    ledger.resolutions.renew();
    for (Entry entry : ledger.entries.loaded()) {
      if (entry.stored() == null) {
        entry.remember(ledger.resolutions.report(entry));
      }
    }
    return ledger;
  }

  /**
   * Frees memory after what was taken in is stored: what blocks hold is read again from the archive
   * when it is needed. A ledger without an archive must not do this.
   */
  public void release() {
    release(Entries.MAX_LOADED);
  }

  /** Lets so many transactions in blocks stay. */
  void release(int most) {
    entries.release(most);
  }

  /**
   * Takes news in.
   *
   * @param news what happened
   * @param growth derives more own scripts; asked until it has no more
   * @return what changed
   */
  public LedgerChange apply(LedgerInput news, OwnScripts.Growth growth) {
    return new Intake(entries, resolutions, news, growth).run();
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
    for (Unspent coin : entries.confirmedCoins(tip)) {
      if (coin.immature()) {
        immature += coin.value();
      } else {
        confirmed += coin.value();
      }
    }
    long unconfirmedSum = 0;
    long unheard = 0;
    for (Entry entry : entries.unconfirmed()) {
      if (resolutions.status(entry) == TxStatus.PENDING) {
        long change = entries.effect(entry).net() - spentInBlocks(entry);
        unconfirmedSum += change;
        unheard += entry.fact().repute() == Repute.SENT ? change : 0;
      }
    }
    return new Balance(confirmed, unconfirmedSum, immature, unheard);
  }

  /**
   * What blocks spend of a pending payment: it is in one below them, which was not looked at yet.
   */
  private long spentInBlocks(Entry pending) {
    long spent = 0;
    for (int i = 0; i < pending.outputCount(); i++) {
      if (pending.isOwn(i) && entries.confirmedSpender(pending.tx().outPoint(i)) != null) {
        spent += pending.value(i);
      }
    }
    return spent;
  }

  /**
   * Returns the coins that nothing spends, confirmed or pending.
   *
   * @param tip the active chain's height, for the age of coinbases
   * @return by height, pending ones last
   */
  public List<Unspent> unspent(int tip) {
    List<Unspent> coins = entries.confirmedCoins(tip);
    Set<OutPoint> spent = new HashSet<>();
    for (Entry entry : entries.unconfirmed()) {
      if (resolutions.isLive(entry)) {
        entry.tx().inputs().forEach(input -> spent.add(input.outPoint()));
        for (int i = 0; i < entry.outputCount(); i++) {
          if (entry.isOwn(i) && entries.confirmedSpender(entry.tx().outPoint(i)) == null) {
            coins.add(entry.coin(i, tip));
          }
        }
      }
    }
    coins.removeIf(coin -> spent.contains(coin.outPoint()));
    coins.sort(
        Comparator.comparingInt((Unspent coin) -> coin.height() < 0 ? Watch.OPEN : coin.height())
            .thenComparing(coin -> coin.outPoint().txid())
            .thenComparingInt(coin -> coin.outPoint().index()));
    return coins;
  }

  /**
   * Returns the transactions that concern the wallet, whatever became of them.
   *
   * @return in the order of the chain, then what is unconfirmed by when it was first seen
   */
  public List<Fact> transactions() {
    List<Fact> facts = new ArrayList<>();
    for (Entry entry : entries.all()) {
      if (entry.concernsWallet()) {
        facts.add(entry.fact());
      }
    }
    facts.sort(OLDEST_FIRST);
    return facts;
  }

  /**
   * Returns the unconfirmed ones of {@link #transactions}.
   *
   * @return the last of them first
   */
  public List<Fact> unconfirmedNewestFirst() {
    List<Fact> facts = new ArrayList<>();
    for (Entry entry : entries.unconfirmed()) {
      if (entry.concernsWallet()) {
        facts.add(entry.fact());
      }
    }
    facts.sort(OLDEST_FIRST.reversed());
    return facts;
  }

  /**
   * Returns a part of those {@link #transactions} that are in blocks, without reading the others.
   * What was taken in must be stored.
   *
   * @param end one of them, before which the part ends; empty for the last part
   * @param limit how many at most
   * @return the last of them first
   */
  public List<Fact> confirmedBefore(Optional<Fact> end, long limit) {
    Optional<Confirmation> where = end.flatMap(fact -> Optional.ofNullable(fact.confirmation()));
    return entries.storedBefore(
        where.map(Confirmation::height).orElse(Integer.MAX_VALUE),
        where.map(Confirmation::position).orElse(0),
        limit);
  }

  /**
   * Returns the transactions that count as pending.
   *
   * @return txids in no order
   */
  public Set<Hash256> pending() {
    return resolutions.pending();
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
   * Looks for an unconfirmed transaction that a peer announced and that builds on another one:
   * whoever announced it must have that one, too.
   *
   * @param txid of a transaction in the books
   * @return the first that is found
   * @throws IllegalArgumentException if it is not in the books
   */
  public Optional<Hash256> heardSpender(Hash256 txid) {
    Deque<Entry> open = new ArrayDeque<>();
    Set<Entry> met = new HashSet<>();
    open.add(asked(txid));
    while (!open.isEmpty()) {
      Entry entry = open.remove();
      for (int i = 0; i < entry.outputCount(); i++) {
        for (Entry spender : entries.spenders(entry.tx().outPoint(i))) {
          if (!spender.isConfirmed() && spender.fact().repute() == Repute.HEARD) {
            return Optional.of(spender.txid());
          }
          if (met.add(spender)) {
            open.add(spender);
          }
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Returns what became of a transaction.
   *
   * @param txid of a transaction in the books
   * @return its status
   * @throws IllegalArgumentException if it is not in the books
   */
  public TxStatus status(Hash256 txid) {
    return resolutions.status(asked(txid));
  }

  /**
   * Returns what took the place of a transaction.
   *
   * @param txid of a transaction in the books
   * @return a transaction that spends one of its inputs, confirmed if one is; null unless its
   *     status is {@link TxStatus#REPLACED}
   * @throws IllegalArgumentException if it is not in the books
   */
  public @Nullable Replacement replacement(Hash256 txid) {
    return resolutions.replacement(asked(txid));
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
   * Returns whether a transaction spends a coin of the wallet's, also one that a pending payment
   * spends already.
   *
   * @param tx any
   * @return true if an input is an own output of a confirmed or pending transaction
   */
  public boolean spendsOwn(Tx tx) {
    return tx.inputs().stream()
        .map(Tx.Input::outPoint)
        .anyMatch(
            coin ->
                entries.ownScript(coin) != OwnScripts.FOREIGN
                    && resolutions.isLive(entries.known(coin.txid())));
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
