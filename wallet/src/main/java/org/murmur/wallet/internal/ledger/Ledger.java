package org.murmur.wallet.internal.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.internal.ledger.LedgerChange.Watch;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.ledger.Replacement;
import org.murmur.wallet.ledger.TxStatus;

/**
 * The wallet's books, updated by batches and restored from facts.
 *
 * <p>They keep transactions that pay an own script, that spend an own coin, or that spend an input
 * of such a transaction (its replacement). Effect, status and value of a transaction are not
 * stored: they follow from the facts and the own scripts on demand. So the order in which
 * transactions became known does not matter. Not all unconfirmed transactions are kept ({@link
 * UnconfirmedLimit}), and those above nodes' package limits do not count ({@link
 * ConflictResolution}).
 *
 * <p>An unconfirmed transaction that spends an own coin counts only if the owner of the coin signed
 * it. Anybody can invent another.
 *
 * <p>Conflicting pending transactions: nothing beats a confirmed one. Of two that spend own coins
 * only, the one with the higher fee counts: it replaced the other (BIP-0125), whoever repeats that.
 * Otherwise the last seen one counts, together with its pending ancestors, because the peer that
 * relayed it must have had those too. A block is a sighting. So after a reorganisation the
 * confirmed one counts before the one that it had replaced, as in a node's memory pool.
 *
 * <p>Not thread safe.
 */
public final class Ledger {

  private static final Comparator<Fact> OLDEST_FIRST =
      Comparator.comparingInt((Fact f) -> f.confirmation() == null ? Watch.OPEN : f.height())
          .thenComparingInt(f -> f.confirmation() == null ? 0 : f.confirmation().position())
          .thenComparingLong(f -> f.confirmation() == null ? f.firstSeen() : 0)
          .thenComparingLong(f -> f.confirmation() == null ? f.seen() : 0)
          .thenComparing(f -> f.tx().txid());

  // The entries, and which of them count. An Intake changes both, one batch at a time.
  private final Entries entries;
  private final Resolutions resolutions;
  // The balance since the last change, if it is known, and for which height.
  private @Nullable Balance balance;
  private int balanceAt;

  /** Opens empty books. */
  public Ledger(OwnScripts scripts, OwnScripts.Signatures signatures) {
    this(scripts, signatures, Archive.EMPTY);
  }

  private Ledger(OwnScripts scripts, OwnScripts.Signatures signatures, Archive archive) {
    this.entries = new Entries(scripts, signatures, archive);
    this.resolutions = new Resolutions(entries);
  }

  /**
   * Opens stored books: the facts are all unconfirmed ones in any order, the archive has the
   * transactions in blocks.
   */
  public static Ledger restore(
      OwnScripts scripts,
      OwnScripts.Signatures signatures,
      Collection<Fact> facts,
      Archive archive) {
    Ledger ledger = new Ledger(scripts, signatures, archive);
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
   * Frees memory after the last batch is stored: transactions in blocks are read again from the
   * archive on demand. A ledger without an archive must not do this.
   */
  public void release() {
    release(Entries.MAX_LOADED);
  }

  /** Frees memory, but keeps up to this many transactions in blocks. */
  void release(int most) {
    entries.release(most);
  }

  /** Processes a batch. The growth derives more own scripts; it is called until it has no more. */
  public LedgerChange apply(LedgerInput news, OwnScripts.Growth growth) {
    balance = null;
    return new Intake(entries, resolutions, news, growth).run();
  }

  /**
   * Returns the wallet's balance in three sums; the active chain's height is for the age of
   * coinbases.
   */
  public Balance balance(int tip) {
    Balance known = balance;
    if (known == null || balanceAt != tip) {
      known = computeBalance(tip);
      balance = known;
      balanceAt = tip;
    }
    return known;
  }

  private Balance computeBalance(int tip) {
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
        unheard += entry.fact().repute().isUnheard() ? change : 0;
      }
    }
    return new Balance(confirmed, unconfirmedSum, immature, unheard);
  }

  /**
   * The part of a pending payment that blocks spend: it is in a lower block, which is not scanned
   * yet.
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
   * Returns the coins that nothing spends, confirmed or pending: by height, pending ones last. The
   * active chain's height is for the age of coinbases.
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
   * Returns the transactions that concern the wallet, of any status: in the order of the chain,
   * then the unconfirmed ones by when they were first seen.
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

  /** Returns the unconfirmed ones of {@link #transactions}, the last of them first. */
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
   * Returns a part of those {@link #transactions} that are in blocks, the last of them first,
   * without reading the others. It ends before one of them; empty for the last part. The last batch
   * must be stored.
   */
  public List<Fact> confirmedBefore(Optional<Fact> end, long limit) {
    Optional<Confirmation> where = end.flatMap(fact -> Optional.ofNullable(fact.confirmation()));
    return confirmedBefore(
        where.map(Confirmation::height).orElse(Integer.MAX_VALUE),
        where.map(Confirmation::position).orElse(0),
        limit);
  }

  /**
   * As {@link #confirmedBefore(Optional, long)}: the part ends before a position in the block of a
   * height. For the last part that is one more than the tip's, and 0.
   */
  public List<Fact> confirmedBefore(int height, int position, long limit) {
    return entries.storedBefore(height, position, limit);
  }

  /** Returns the transactions that count as pending, in no order. */
  public Set<Hash256> pending() {
    return resolutions.pending();
  }

  /**
   * Returns everything in the books, also replacements of payments that do not concern the wallet
   * otherwise, in no order.
   */
  public List<Fact> facts() {
    List<Fact> facts = new ArrayList<>(entries.all().size());
    for (Entry entry : entries.all()) {
      facts.add(entry.fact());
    }
    return facts;
  }

  /** Returns every outpoint whose spend matters, in no order. */
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

  /** Finds a transaction; null if the books do not have it. */
  public @Nullable Fact fact(Hash256 txid) {
    Entry entry = entries.find(txid);
    return entry == null ? null : entry.fact();
  }

  /**
   * Finds an unconfirmed descendant of a transaction that a peer announced: that peer must have the
   * transaction, too. Throws {@link IllegalArgumentException} if it is not in the books.
   */
  public Optional<Hash256> heardSpender(Hash256 txid) {
    Deque<Entry> open = new ArrayDeque<>();
    Set<Entry> met = new HashSet<>();
    open.add(asked(txid));
    while (!open.isEmpty()) {
      Entry entry = open.remove();
      for (int i = 0; i < entry.outputCount(); i++) {
        for (Entry spender : entries.spenders(entry.tx().outPoint(i))) {
          if (!spender.isConfirmed() && spender.fact().repute().isHeld()) {
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
   * Returns the status of a transaction. Throws {@link IllegalArgumentException} if it is not in
   * the books.
   */
  public TxStatus status(Hash256 txid) {
    return resolutions.status(asked(txid));
  }

  /**
   * Returns the replacement of a transaction: one that spends one of its inputs, confirmed if one
   * is; null unless its status is {@link TxStatus#REPLACED}. Throws {@link
   * IllegalArgumentException} if it is not in the books.
   */
  public @Nullable Replacement replacement(Hash256 txid) {
    return resolutions.replacement(asked(txid));
  }

  /**
   * Returns the effect of a transaction on the wallet, if it counts. Throws {@link
   * IllegalArgumentException} if it is not in the books.
   */
  public Effect effect(Hash256 txid) {
    return entries.effect(asked(txid));
  }

  /**
   * Returns the fee of a transaction of the ledger or another one; empty unless the ledger has all
   * transactions whose outputs it spends.
   */
  public OptionalLong fee(Tx tx) {
    return entries.fee(tx);
  }

  /**
   * Returns whether nodes refuse a transaction: a signature on an own coin is missing or wrong, or
   * it pays more than it spends. False also if it spends no own coin, or nobody here can say. The
   * curve is loaded for this.
   */
  public boolean isWrong(Tx tx) {
    return entries.isWrong(tx);
  }

  /**
   * Returns whether a transaction spends a coin of the wallet, an own output of one that counts,
   * even if a pending payment spends that already.
   */
  public boolean spendsOwn(Tx tx) {
    return tx.inputs().stream()
        .map(Tx.Input::outPoint)
        .anyMatch(
            coin ->
                entries.ownScript(coin) != OwnScripts.FOREIGN
                    && resolutions.isLive(entries.known(coin.txid())));
  }

  /** Returns the transaction that spends an output and counts; empty if none is known. */
  public Optional<Hash256> spender(OutPoint output) {
    return entries.spenders(output).stream()
        .filter(resolutions::isLive)
        .map(Entry::txid)
        .findFirst();
  }

  /** Returns a copy of the numbers of own scripts that some transaction pays, of any status. */
  public BitSet usedScripts() {
    return (BitSet) entries.usedScripts().clone();
  }

  /**
   * Returns a copy of the numbers of own scripts that a transaction pays which is, or once was, in
   * a block: all that the chain shows to a restored wallet.
   */
  public BitSet minedScripts() {
    return (BitSet) entries.minedScripts().clone();
  }

  private Entry asked(Hash256 txid) {
    Entry entry = entries.find(txid);
    if (entry == null) {
      throw new IllegalArgumentException("transaction " + txid + " is not the wallet's");
    }
    return entry;
  }
}
