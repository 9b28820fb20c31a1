package org.murmur.wallet.internal.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.internal.ledger.Fact.Voucher;
import org.murmur.wallet.internal.ledger.LedgerChange.Transition;
import org.murmur.wallet.internal.ledger.OwnScripts.Growth;
import org.murmur.wallet.ledger.Confirmation;

/** Enters one batch into the books. */
final class Intake {

  /**
   * Bytes of unproven witness data for each input that are kept, so that the size is known: three
   * keys and signatures of a multisig input have 250.
   */
  private static final int MAX_WITNESS = 500;

  private final Entries entries;
  private final Resolutions resolutions;
  private final LedgerInput news;
  private final Growth growth;
  private final Map<Hash256, Sighting> sightings = new LinkedHashMap<>();
  // Outpoints whose other spenders in the batch were visited: once each.
  private final Set<OutPoint> called = new HashSet<>();
  private final AffectedEntries touched;
  private final UnconfirmedLimit waitingRoom;

  Intake(Entries entries, Resolutions resolutions, LedgerInput news, Growth growth) {
    this.entries = entries;
    this.resolutions = resolutions;
    this.news = news;
    this.growth = growth;
    this.touched = new AffectedEntries(entries);
    this.waitingRoom = new UnconfirmedLimit(entries, resolutions, sightings.keySet(), touched);
  }

  LedgerChange run() {
    entries.begin();
    disconnect();
    for (LedgerInput.Mined mined : news.confirmed()) {
      sighting(mined.tx()).confirm(mined.confirmation(), nextSeen());
    }
    for (Tx tx : news.sent()) {
      // Even the user cannot make a wrong signature count.
      if (news.signed().contains(tx) || !entries.isWrong(tx)) {
        sighting(tx).send(nextSeen());
      }
    }
    for (Tx tx : news.signed()) {
      sighting(tx).sign(nextSeen());
    }
    for (Tx tx : news.pending()) {
      sighting(tx).relay(nextSeen());
    }
    admit();
    vouch();
    discount(news.missing(), Repute::denied);
    discount(news.abandoned(), Repute::abandoned);
    for (Hash256 txid : resolutions.renew()) {
      touched.affect(entries.known(txid));
    }
    List<Transition> transitions = transitions();
    return new LedgerChange(
        touched.facts(),
        touched.watches(),
        transitions,
        relevant(),
        touched.forgotten(),
        refused());
  }

  private long nextSeen() {
    return entries.nextSeen(news.time());
  }

  private Sighting sighting(Tx tx) {
    return sightings.computeIfAbsent(tx.txid(), txid -> new Sighting(tx)).add(tx);
  }

  /**
   * Voids confirmations above the fork. Transactions that were pending all along can be confirmed
   * from the fork on now, and so can their replacements.
   */
  private void disconnect() {
    int next = news.forkHeight() + 1;
    List<Entry> affected = entries.confirmedFrom(next);
    affected.addAll(entries.unconfirmed());
    for (Entry entry : affected) {
      Fact old = entry.fact();
      boolean undone = old.height() >= next;
      if (undone || (!entry.isConfirmed() && old.pendingSince() > next)) {
        int since =
            old.pendingSince() == Fact.NEVER_PENDING ? next : Math.min(next, old.pendingSince());
        Repute repute = undone ? old.repute().heard() : old.repute();
        Voucher by =
            undone && old.voucher() == Voucher.NOBODY ? Voucher.FORMER_BLOCK : old.voucher();
        rewrite(entry, new Fact(old.tx(), old.seen(), old.firstSeen(), since, repute, null, by));
        if (undone) {
          waitingRoom.blockLeft();
        }
      }
    }
  }

  /**
   * Adds relevant transactions, to a fixpoint over the batch and over the scripts that it makes us
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
      // The one that made room may have been the only reason to keep it.
      if (entries.contains(txid)
          || !isWanted(sighting)
          || !hasRoom(sighting)
          || !isWanted(sighting)) {
        continue;
      }
      Entry entry = entries.insert(lean(sighting.fact(null, news)));
      touched.touch(entry);
      addRivals(entry, open, waiting);
      for (int i = 0; i < entry.outputCount(); i++) {
        if (entry.isOwn(i)) {
          OutPoint coin = entry.tx().outPoint(i);
          open.addAll(waiting.getOrDefault(coin, List.of()));
          // A transaction kept only as a conflict may concern the wallet now, and have conflicts of
          // its own.
          for (Entry spender : entries.spenders(coin)) {
            addRivals(spender, open, waiting);
          }
        }
      }
    }
  }

  private boolean isWanted(Sighting sighting) {
    return (entries.isWanted(sighting.tx()) && isBelieved(sighting))
        || (sighting.isConfirmed()
            && sighting.tx().inputs().stream()
                .anyMatch(input -> growth.isLookedFor(input.outPoint())));
  }

  /**
   * Whether the owner of the own coins signed it, as far as they are known now. The txid does not
   * cover witness data, so one of several copies may be right.
   */
  private boolean isBelieved(Sighting sighting) {
    return sighting.isConfirmed()
        || sighting.isOfUser()
        || sighting.choose(copy -> !entries.isForged(copy));
  }

  /** The signatures that are right now need not be checked again, nor kept. */
  private void vouch() {
    for (Sighting sighting : sightings.values()) {
      Entry entry = entries.find(sighting.txid());
      if (entry != null
          && !entry.isConfirmed()
          && !entry.fact().isOfOwner()
          && entries.spendsOwn(entry.tx())
          && (entry.fact().vouched()
              ? sighting.choose(copy -> !entries.isForged(copy))
              : !entries.isForged(entry))) {
        Fact old = entry.fact();
        rewrite(entry, old.with(old.tx().withoutWitness(), old.repute(), Voucher.OWNER));
      }
    }
  }

  /** The unconfirmed ones that spend an own coin without a right signature. */
  private List<Hash256> refused() {
    List<Hash256> refused = new ArrayList<>();
    for (Sighting sighting : sightings.values()) {
      Entry entry = entries.find(sighting.txid());
      boolean forged =
          entry == null
              ? !sighting.isConfirmed() && entries.isForged(sighting.tx())
              : entries.isForged(entry);
      if (forged) {
        refused.add(sighting.txid());
      }
    }
    return refused;
  }

  /**
   * Whether one more may be kept. Transactions in blocks always may, and those that the user sends.
   */
  private boolean hasRoom(Sighting sighting) {
    return sighting.isConfirmed() || sighting.isOfUser() || waitingRoom.take(sighting.tx());
  }

  /** Visits the batch's other spenders of the same outpoint, if this makes them relevant. */
  private void addRivals(Entry entry, Deque<Sighting> open, Map<OutPoint, List<Sighting>> waiting) {
    if (!entry.concernsWallet()) {
      return;
    }
    for (Tx.Input input : entry.tx().inputs()) {
      if (called.add(input.outPoint())) {
        open.addAll(waiting.getOrDefault(input.outPoint(), List.of()));
      }
    }
  }

  private void update(Sighting sighting) {
    Entry entry = entries.known(sighting.txid());
    if (entries.isForged(entry)) {
      sighting.choose(copy -> !entries.isForged(copy));
    }
    Fact fact = lean(sighting.fact(entry.fact(), news));
    if (!fact.equals(entry.fact())) {
      rewrite(entry, fact);
    }
  }

  /**
   * Without witness data that is of no use. A txid does not cover it, so a peer may add any to a
   * transaction of others, which would be kept and would look large.
   */
  private Fact lean(Fact fact) {
    Tx tx = fact.tx();
    if (!tx.hasWitness() || fact.repute().isOfUser()) {
      return fact;
    }
    int more = tx.raw().length() - tx.withoutWitness().raw().length();
    boolean needless =
        fact.confirmation() != null
            || (more > MAX_WITNESS * tx.inputs().size() && !entries.spendsOwn(tx));
    return needless ? fact.with(tx.withoutWitness(), fact.repute(), fact.voucher()) : fact;
  }

  /** New scripts were derived: outputs of known transactions may turn out to be ours. */
  private void adoptOutputs() {
    entries.loadNewlyOwn();
    for (Entry entry : entries.loaded()) {
      if (entries.readOutputs(entry)) {
        touched.touch(entry);
      }
    }
  }

  /** Changes the repute of transactions that no block holds and that are no news. */
  private void discount(List<Hash256> txids, UnaryOperator<Repute> change) {
    for (Hash256 txid : txids) {
      Entry entry = entries.find(txid);
      if (entry != null && !entry.isConfirmed() && !sightings.containsKey(txid)) {
        Fact old = entry.fact();
        Repute repute = change.apply(old.repute());
        if (repute != old.repute()) {
          rewrite(entry, old.with(old.tx(), repute, old.voucher()));
        }
      }
    }
  }

  private void rewrite(Entry entry, Fact fact) {
    entries.rewrite(entry, fact);
    touched.touch(entry);
  }

  private List<Transition> transitions() {
    // All reports before anything new is recorded: a report follows from other reports.
    Map<Hash256, Optional<Entry.Reported>> reported = new HashMap<>();
    for (Hash256 txid : touched.affected()) {
      Entry entry = entries.known(txid);
      reported.put(txid, Optional.ofNullable(resolutions.reported(entry)));
    }
    List<Transition> transitions = new ArrayList<>();
    for (Hash256 txid : touched.affected()) {
      Entry entry = entries.known(txid);
      Entry.Reported before = reported.getOrDefault(txid, Optional.empty()).orElse(null);
      Entry.Reported after = resolutions.report(entry);
      if (after != null && !after.equals(before)) {
        transitions.add(
            new Transition(txid, before == null ? null : before.status(), after.status()));
      }
      entry.remember(after);
    }
    return transitions;
  }

  /** How many different transactions of the batch concern the wallet. */
  private int relevant() {
    int relevant = 0;
    for (Hash256 txid : sightings.keySet()) {
      Entry entry = entries.find(txid);
      if (entry != null && entry.concernsWallet()) {
        relevant++;
      }
    }
    return relevant;
  }

  /** All data of one batch about one transaction. */
  private static final class Sighting {

    private Tx tx;
    // Differ in witness data only.
    private final List<Tx> copies = new ArrayList<>(1);
    private @Nullable Confirmation confirmation;
    private long seen;
    // Whether a peer or a block has it, and whether the user sends it, or only signs it.
    private boolean heard;
    private boolean sent;
    private boolean signed;

    Sighting(Tx tx) {
      this.tx = tx;
    }

    Tx tx() {
      return tx;
    }

    Hash256 txid() {
      return tx.txid();
    }

    boolean isConfirmed() {
      return confirmation != null;
    }

    void confirm(Confirmation where, long number) {
      confirmation = where;
      seen = number;
      heard = true;
    }

    void relay(long number) {
      seen = number;
      heard = true;
    }

    /** The user sends it, which proves nothing about peers. */
    void send(long number) {
      seen = number;
      sent = true;
    }

    /** The user signs it, and has not ordered to send it. */
    void sign(long number) {
      seen = number;
      signed = true;
    }

    boolean isOfUser() {
      return sent || signed;
    }

    private Voucher voucher() {
      return signed ? Voucher.WALLET : sent ? Voucher.OWNER : Voucher.NOBODY;
    }

    private Repute repute(@Nullable Fact old) {
      if (old == null) {
        Repute made = sent ? Repute.SENT : signed ? Repute.SIGNED : Repute.HEARD;
        return heard ? made.heard() : made;
      }
      Repute before = old.repute();
      Repute now = sent ? before.sent() : signed ? before.signed() : before;
      return heard ? now.heard() : now;
    }

    /** Keeps witness data if any copy has it. */
    Sighting add(Tx copy) {
      copies.add(copy);
      if (copy.hasWitness() && !tx.hasWitness()) {
        tx = copy;
      }
      return this;
    }

    /** Takes the first copy that is right; returns whether there is one. */
    boolean choose(Predicate<Tx> right) {
      for (Tx copy : copies) {
        if (right.test(copy)) {
          tx = copy;
          return true;
        }
      }
      return false;
    }

    Fact fact(@Nullable Fact old, LedgerInput news) {
      if (old == null) {
        int since = confirmation == null ? news.tip() + 1 : Fact.NEVER_PENDING;
        return new Fact(tx, seen, news.time(), since, repute(null), confirmation, voucher());
      }
      Tx best = keepsTx(old) ? old.tx() : tx;
      Confirmation where = confirmation == null ? old.confirmation() : confirmation;
      // The relay of a confirmed transaction is nothing new.
      long number = confirmation == null && where != null ? old.seen() : seen;
      if (where != null && where.equals(old.confirmation())) {
        number = old.seen();
      }
      return new Fact(
          best,
          number,
          old.firstSeen(),
          old.pendingSince(),
          repute(old),
          where,
          Collections.max(List.of(old.voucher(), voucher())));
    }

    /** A peer's witness data is of no use where the signatures are known to be right. */
    private boolean keepsTx(Fact old) {
      return isOfUser() ? old.tx().hasWitness() : old.vouched() || !tx.hasWitness();
    }
  }
}
