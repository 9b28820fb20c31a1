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

  /**
   * The most transactions of a lot: what no block holds and has to count together, one and all that
   * it builds on. Core relays none whose lot has more than 25 (DEFAULT_ANCESTOR_LIMIT), of late
   * none in a cluster of more than 64; who makes up a longer chain only makes us walk along it.
   */
  static final int MOST_IN_A_LOT = 100;

  /**
   * The most bytes without witness data that a lot has together: twice what Core relays
   * (DEFAULT_ANCESTOR_SIZE_LIMIT_KVB, 101,000 virtual bytes).
   */
  static final int MOST_BYTES_IN_A_LOT = 202_000;

  private final Entries entries;
  private Map<Hash256, TxStatus> statuses = new HashMap<>();
  // What can never count again, unless it is told of anew or a reorganisation brings it back.
  private Set<Entry> over = new HashSet<>();

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

  /**
   * Whether it had no hope at the last verdict: peers denied it, a block took its place, it is of a
   * block that left the chain and cannot be without it, or all this is so of something it builds
   * on. What only gave way to something that no block holds, and what builds on that, may count
   * again.
   */
  boolean isOver(Entry entry) {
    return over.contains(entry) || entry.fact().missing() || entries.isOutdone(entry.tx());
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
    for (Tx.Input input : entry.tx().inputs()) {
      Entry spender = entries.confirmedSpender(input.outPoint());
      if (spender != null) {
        return new Rival(spender.txid(), OptionalInt.of(spender.fact().height()));
      }
    }
    for (Tx.Input input : entry.tx().inputs()) {
      for (Entry spender : entries.spenders(input.outPoint())) {
        if (spender != entry && status(spender) == TxStatus.PENDING) {
          return new Rival(spender.txid(), OptionalInt.empty());
        }
      }
    }
    return null;
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
    over = new HashSet<>();
    Set<Entry> hopeless = hopeless();
    Map<OutPoint, Entry> taken = new HashMap<>();
    Set<Entry> accepted = new HashSet<>();
    for (Entry entry : latestFirst) {
      if (hopeless.contains(entry)) {
        continue;
      }
      Set<Entry> lot = withAncestors(entry, accepted);
      if (lot.stream().noneMatch(member -> conflicts(member, taken))) {
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
    if (entries.isOutdone(entry.tx()) || conflicts(entry, taken)) {
      return TxStatus.REPLACED;
    }
    return entry.fact().missing() ? TxStatus.MISSING : TxStatus.DEAD;
  }

  /**
   * What cannot count whichever rivals do: what is over, and what builds on more than nodes relay.
   * Each is looked at once, after all that it builds on.
   */
  private Set<Entry> hopeless() {
    Set<Entry> hopeless = new HashSet<>();
    Set<Entry> settled = new HashSet<>();
    Deque<Entry> open = new ArrayDeque<>();
    for (Entry first : entries.unconfirmed()) {
      open.push(first);
      while (!open.isEmpty()) {
        Entry entry = open.element();
        int before = open.size();
        if (!settled.contains(entry)) {
          for (Entry parent : parents(entry)) {
            if (!settled.contains(parent)) {
              open.push(parent);
            }
          }
        }
        if (open.size() == before) {
          open.remove();
          if (settled.add(entry)) {
            settle(entry, hopeless);
          }
        }
      }
    }
    return hopeless;
  }

  private void settle(Entry entry, Set<Entry> hopeless) {
    List<Entry> parents = parents(entry);
    if (entry.tx().isCoinbase()
        || entry.fact().missing()
        || entries.isOutdone(entry.tx())
        || parents.stream().anyMatch(over::contains)) {
      over.add(entry);
      hopeless.add(entry);
      return;
    }
    if (parents.stream().anyMatch(hopeless::contains)) {
      hopeless.add(entry);
      return;
    }
    Set<Entry> lot = withAncestors(entry, Set.of());
    long bytes = lot.stream().mapToLong(member -> member.tx().strippedSize()).sum();
    if (lot.size() > MOST_IN_A_LOT || bytes > MOST_BYTES_IN_A_LOT) {
      hopeless.add(entry);
    } else if (excludesItself(lot)) {
      over.add(entry);
      hopeless.add(entry);
    }
  }

  /** Whether one coin is spent twice in it. */
  private static boolean excludesItself(Set<Entry> lot) {
    Set<OutPoint> inputs = new HashSet<>();
    for (Entry member : lot) {
      for (Tx.Input input : member.tx().inputs()) {
        if (!inputs.add(input.outPoint())) {
          return true;
        }
      }
    }
    return false;
  }

  /** Those unconfirmed ones whose coins it spends; as often as it does. */
  private List<Entry> parents(Entry entry) {
    List<Entry> parents = new ArrayList<>();
    for (Tx.Input input : entry.tx().inputs()) {
      Entry parent = entries.findUnconfirmed(input.outPoint().txid());
      if (parent != null) {
        parents.add(parent);
      }
    }
    return parents;
  }

  /** What has to count with it; of too many only some. */
  private Set<Entry> withAncestors(Entry entry, Set<Entry> accepted) {
    Set<Entry> lot = new LinkedHashSet<>();
    Deque<Entry> open = new ArrayDeque<>();
    open.add(entry);
    while (!open.isEmpty() && lot.size() <= MOST_IN_A_LOT) {
      Entry next = open.remove();
      if (!accepted.contains(next) && lot.add(next)) {
        open.addAll(parents(next));
      }
    }
    return lot;
  }

  /** Whether something that counts spends what it spends. */
  private static boolean conflicts(Entry entry, Map<OutPoint, Entry> taken) {
    for (Tx.Input input : entry.tx().inputs()) {
      Entry other = taken.get(input.outPoint());
      if (other != null && other != entry) {
        return true;
      }
    }
    return false;
  }
}
