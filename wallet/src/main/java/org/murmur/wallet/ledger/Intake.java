package org.murmur.wallet.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.ledger.LedgerChange.Transition;
import org.murmur.wallet.ledger.OwnScripts.Growth;

/** Enters one batch of news into the books. */
final class Intake {

  private final Entries entries;
  private final Resolutions resolutions;
  private final LedgerInput news;
  private final Growth growth;
  private final Map<Hash256, Sighting> sightings = new LinkedHashMap<>();
  // Outpoints whose other spenders in the news were called to be looked at: once each.
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
      sighting(tx).send(nextSeen());
    }
    for (Tx tx : news.pending()) {
      sighting(tx).relay(nextSeen());
    }
    admit();
    discount(news.missing());
    discount(news.abandoned());
    for (Hash256 txid : resolutions.renew()) {
      touched.affect(entries.known(txid));
    }
    List<Transition> transitions = transitions();
    return new LedgerChange(
        touched.facts(), touched.watches(), transitions, relevant(), touched.forgotten());
  }

  private long nextSeen() {
    return entries.nextSeen(news.time());
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
    List<Entry> affected = entries.confirmedFrom(next);
    affected.addAll(entries.unconfirmed());
    for (Entry entry : affected) {
      Fact old = entry.fact();
      boolean undone = old.height() >= next;
      if (undone || (!entry.isConfirmed() && old.pendingSince() > next)) {
        int since =
            old.pendingSince() == Fact.NEVER_PENDING ? next : Math.min(next, old.pendingSince());
        Repute repute = undone ? Repute.HEARD : old.repute();
        rewrite(entry, new Fact(old.tx(), old.seen(), old.firstSeen(), since, repute, null));
        if (undone) {
          waitingRoom.blockLeft();
        }
      }
    }
  }

  /**
   * Lets in what is relevant, to a fixpoint over the news and over the scripts it makes us derive.
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
      // What made room may have been all that it was wanted for.
      if (entries.contains(txid)
          || !isWanted(sighting)
          || !hasRoom(sighting)
          || !isWanted(sighting)) {
        continue;
      }
      Entry entry = entries.insert(sighting.fact(null, news));
      touched.touch(entry);
      addRivals(entry, open, waiting);
      for (int i = 0; i < entry.outputCount(); i++) {
        if (entry.isOwn(i)) {
          OutPoint coin = entry.tx().outPoint(i);
          open.addAll(waiting.getOrDefault(coin, List.of()));
          // Who was kept as a conflict only may concern the wallet now, and have conflicts of its
          // own.
          for (Entry spender : entries.spenders(coin)) {
            addRivals(spender, open, waiting);
          }
        }
      }
    }
  }

  private boolean isWanted(Sighting sighting) {
    return entries.isWanted(sighting.tx())
        || (sighting.isConfirmed()
            && sighting.tx().inputs().stream()
                .anyMatch(input -> growth.isLookedFor(input.outPoint())));
  }

  /** Whether one more may be kept. What is in a block always may, and what the user sends. */
  private boolean hasRoom(Sighting sighting) {
    return sighting.isConfirmed() || sighting.isSent() || waitingRoom.take(sighting.tx());
  }

  /** Has those looked at that spend the same, if it makes them wanted. */
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
    Fact fact = sighting.fact(entry.fact(), news);
    if (!fact.equals(entry.fact())) {
      rewrite(entry, fact);
    }
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

  /** Lets something count no longer that no block holds and that is no news. */
  private void discount(List<Hash256> txids) {
    for (Hash256 txid : txids) {
      Entry entry = entries.find(txid);
      if (entry != null && !entry.isConfirmed() && !sightings.containsKey(txid)) {
        Fact old = entry.fact();
        Repute repute = old.repute().discounted();
        rewrite(
            entry,
            new Fact(old.tx(), old.seen(), old.firstSeen(), old.pendingSince(), repute, null));
      }
    }
  }

  private void rewrite(Entry entry, Fact fact) {
    entries.rewrite(entry, fact);
    touched.touch(entry);
  }

  private List<Transition> transitions() {
    // All of it before anything new is remembered: what was reported follows from one another.
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

  /** How many different transactions of the news concern the wallet. */
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

  /** All that one batch of news says of one transaction. */
  private static final class Sighting {

    private Tx tx;
    private @Nullable Confirmation confirmation;
    private long seen;
    // Whether nobody but the user speaks of it, and whether the user does.
    private boolean unheard;
    private boolean sent;

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
    }

    void relay(long number) {
      seen = number;
      unheard = false;
    }

    /** The user sends it, which says nothing of what peers have. */
    void send(long number) {
      seen = number;
      sent = true;
      unheard = true;
    }

    boolean isSent() {
      return sent;
    }

    private Repute repute(@Nullable Fact old) {
      boolean known = old != null && old.repute() == Repute.HEARD;
      return unheard && !isConfirmed() && !known ? Repute.SENT : Repute.HEARD;
    }

    /** Keeps witness data if any copy has it. */
    Sighting richer(Tx other) {
      if (other.hasWitness() && !tx.hasWitness()) {
        tx = other;
      }
      return this;
    }

    Fact fact(@Nullable Fact old, LedgerInput news) {
      if (old == null) {
        int since = confirmation == null ? news.tip() + 1 : Fact.NEVER_PENDING;
        return new Fact(tx, seen, news.time(), since, repute(null), confirmation);
      }
      Tx best = old.tx().hasWitness() ? old.tx() : tx;
      Confirmation where = confirmation == null ? old.confirmation() : confirmation;
      // Relay of what is confirmed already says nothing new.
      long number = confirmation == null && where != null ? old.seen() : seen;
      if (where != null && where.equals(old.confirmation())) {
        number = old.seen();
      }
      return new Fact(best, number, old.firstSeen(), old.pendingSince(), repute(old), where);
    }
  }
}
