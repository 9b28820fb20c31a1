package org.murmur.wallet.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;

/** What was decided about everything unconfirmed: which of the rivals counts. */
final class Verdicts {

  private final Entries entries;
  private Map<Hash256, TxStatus> statuses = new HashMap<>();

  Verdicts(Entries entries) {
    this.entries = entries;
  }

  TxStatus status(Entry entry) {
    return entry.isConfirmed()
        ? TxStatus.CONFIRMED
        : statuses.getOrDefault(entry.txid(), TxStatus.DEAD);
  }

  boolean isLive(Entry entry) {
    TxStatus status = status(entry);
    return status == TxStatus.CONFIRMED || status == TxStatus.PENDING;
  }

  /** Whether it counted, or nothing has been decided about it: it was in a block until now. */
  boolean mayCount(Entry entry) {
    TxStatus status = statuses.get(entry.txid());
    return status == null || status == TxStatus.PENDING;
  }

  Set<Hash256> pending() {
    Set<Hash256> pending = new HashSet<>();
    statuses.forEach(
        (txid, status) -> {
          if (status == TxStatus.PENDING) {
            pending.add(txid);
          }
        });
    return pending;
  }

  /** What took the place of a transaction; null unless it is {@link TxStatus#REPLACED}. */
  @Nullable Rival rival(Entry entry) {
    if (entry.isConfirmed() || status(entry) != TxStatus.REPLACED) {
      return null;
    }
    Entry pending = null;
    for (Tx.Input input : entry.tx().inputs()) {
      for (Entry spender : entries.spenders(input.outPoint())) {
        if (spender.isConfirmed()) {
          return new Rival(spender.txid(), OptionalInt.of(spender.fact().height()));
        }
        if (pending == null && spender != entry && status(spender) == TxStatus.PENDING) {
          pending = spender;
        }
      }
    }
    return pending == null ? null : new Rival(pending.txid(), OptionalInt.empty());
  }

  /**
   * Decides again, after the entries changed.
   *
   * @return what is unconfirmed and has another status than before
   */
  List<Hash256> renew() {
    Map<Hash256, TxStatus> resolved = resolve();
    List<Hash256> changed = new ArrayList<>();
    resolved.forEach(
        (txid, status) -> {
          if (status != statuses.get(txid)) {
            changed.add(txid);
          }
        });
    statuses = resolved;
    return changed;
  }

  /** Decides about everything unconfirmed: what was seen last first, with all it builds on. */
  private Map<Hash256, TxStatus> resolve() {
    List<Entry> latestFirst = new ArrayList<>(entries.unconfirmed());
    latestFirst.sort(
        Comparator.comparingLong((Entry entry) -> entry.fact().seen())
            .reversed()
            .thenComparing(Entry::txid));
    Map<OutPoint, Entry> taken = new HashMap<>();
    Set<Entry> accepted = new HashSet<>();
    for (Entry entry : latestFirst) {
      Set<Entry> lot = withAncestors(entry, accepted);
      if (fits(lot, taken)) {
        accepted.addAll(lot);
        for (Entry member : lot) {
          for (Tx.Input input : member.tx().inputs()) {
            taken.put(input.outPoint(), member);
          }
        }
      }
    }
    Map<Hash256, TxStatus> resolved = new HashMap<>();
    for (Entry entry : latestFirst) {
      resolved.put(entry.txid(), resolve(entry, accepted, taken));
    }
    return resolved;
  }

  private TxStatus resolve(Entry entry, Set<Entry> accepted, Map<OutPoint, Entry> taken) {
    if (accepted.contains(entry)) {
      return TxStatus.PENDING;
    }
    if (conflicts(entry, taken)) {
      return TxStatus.REPLACED;
    }
    return entry.fact().missing() ? TxStatus.MISSING : TxStatus.DEAD;
  }

  private Set<Entry> withAncestors(Entry entry, Set<Entry> accepted) {
    Set<Entry> lot = new LinkedHashSet<>();
    Deque<Entry> open = new ArrayDeque<>();
    open.add(entry);
    while (!open.isEmpty()) {
      Entry next = open.remove();
      if (accepted.contains(next) || !lot.add(next)) {
        continue;
      }
      for (Tx.Input input : next.tx().inputs()) {
        Entry parent = entries.findUnconfirmed(input.outPoint().txid());
        if (parent != null) {
          open.add(parent);
        }
      }
    }
    return lot;
  }

  private boolean fits(Set<Entry> lot, Map<OutPoint, Entry> taken) {
    Set<OutPoint> inputs = new HashSet<>();
    for (Entry entry : lot) {
      if (entry.tx().isCoinbase() || entry.fact().missing() || conflicts(entry, taken)) {
        return false;
      }
      for (Tx.Input input : entry.tx().inputs()) {
        if (!inputs.add(input.outPoint())) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean conflicts(Entry entry, Map<OutPoint, Entry> taken) {
    for (Tx.Input input : entry.tx().inputs()) {
      Entry other = taken.get(input.outPoint());
      if ((other != null && other != entry) || entries.confirmedSpender(input.outPoint()) != null) {
        return true;
      }
    }
    return false;
  }
}
