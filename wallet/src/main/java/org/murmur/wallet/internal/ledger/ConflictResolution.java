package org.murmur.wallet.internal.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.ledger.TxStatus;

/**
 * Decides in one pass which unconfirmed transactions count: the last seen first, each with its
 * unconfirmed ancestors. It visits each transaction only a few times, whatever an attacker invents.
 */
final class ConflictResolution {

  /**
   * Maximum number of transactions in a package: an unconfirmed transaction and all its unconfirmed
   * ancestors, which count together. Core relays none whose package has more than 25
   * (DEFAULT_ANCESTOR_LIMIT), and of late none in a cluster of more than 64. A longer invented
   * chain only costs a walk along it.
   */
  static final int MAX_PACKAGE_COUNT = 100;

  /**
   * Maximum bytes of a package without witness data: twice what Core relays
   * (DEFAULT_ANCESTOR_SIZE_LIMIT_KVB, 101,000 virtual bytes).
   */
  static final int MAX_PACKAGE_BYTES = 202_000;

  /**
   * Satoshi that may be pending without a sum of the confirmed coins: no wallet holds all the other
   * coins, and that sum costs a walk through the books.
   */
  static final long PLAUSIBLE = Tx.MAX_MONEY / 21;

  private final Entries entries;
  private final Map<Entry, Set<Entry>> parents = new HashMap<>();
  // Those that can never count again, unless announced again or brought back by a reorganisation.
  private final Set<Entry> over = new HashSet<>();
  // Those that a block must hold: what a block holds spends an output of them, or of a descendant.
  private final Set<Entry> proven = new HashSet<>();
  // Those, the ones above the package limits, and those that would make more coins than exist.
  private final Set<Entry> hopeless = new HashSet<>();
  private final Set<Entry> impossible = new HashSet<>();
  private final Set<Entry> accepted = new HashSet<>();
  // Those that a payment with a higher fee replaced, and their descendants.
  private final Set<Entry> outbid = new HashSet<>();
  // Which transaction that counts spends an outpoint.
  private final Map<OutPoint, Entry> taken = new HashMap<>();
  // Which transaction that the peers no longer have spends an outpoint: the last seen one.
  private final Map<OutPoint, Entry> lost = new HashMap<>();
  // Payments whose replacement the peers no longer have, and the replacement.
  private final Map<Entry, Entry> replaced = new HashMap<>();
  private final Map<Hash256, TxStatus> statuses = new HashMap<>();

  ConflictResolution(Entries entries) {
    this.entries = entries;
    findProven();
    findLost();
    findImpossible();
    findHopeless();
    findOutbid();
    List<Entry> latestFirst = new ArrayList<>(entries.unconfirmed());
    latestFirst.sort(
        Comparator.comparing((Entry entry) -> outbid.contains(entry))
            .thenComparing(entry -> -entry.fact().seen())
            .thenComparing(Entry::txid));
    for (Entry entry : latestFirst) {
      if (!hopeless.contains(entry) && !accepted.contains(entry)) {
        offer(entry, withAncestors(entry, accepted));
      }
    }
    for (Entry entry : latestFirst) {
      Entry replacement = accepted.contains(entry) ? null : lostReplacement(entry, entry);
      if (replacement != null && entry.fact().repute().mayCount()) {
        replaced.put(entry, replacement);
      }
    }
    for (Entry entry : latestFirst) {
      statuses.put(entry.txid(), status(entry));
    }
  }

  /** Decides about all unconfirmed transactions. */
  Map<Hash256, TxStatus> statuses() {
    return statuses;
  }

  boolean isOver(Entry entry) {
    return over.contains(entry);
  }

  /** The unconfirmed transaction that counts and spends an outpoint; null if there is none. */
  @Nullable Entry spender(OutPoint outPoint) {
    return taken.get(outPoint);
  }

  /** The replacement that the peers no longer have; null if there is none. */
  @Nullable Entry lostReplacement(Entry entry) {
    return replaced.get(entry);
  }

  /**
   * Returns the replacement of a payment if a peer had it and none has it any more; {@code latest}
   * is the payment, or its descendant that was seen last. A node that took the replacement dropped
   * the payment, so the payment does not come back by itself. A transaction that spends the
   * wallet's own coins does come back: these must not be spent twice.
   */
  private @Nullable Entry lostReplacement(Entry entry, Entry latest) {
    for (Tx.Input input : entry.tx().inputs()) {
      Entry other = lost.get(input.outPoint());
      if (other != null && other.fact().seen() > latest.fact().seen()) {
        return entries.effect(entry).spent().isEmpty() ? other : null;
      }
    }
    return null;
  }

  /** Accepts a package if nothing that counts conflicts with it. */
  private void offer(Entry latest, Set<Entry> members) {
    if (members.stream()
        .noneMatch(member -> isTakenFrom(member) || lostReplacement(member, latest) != null)) {
      accepted.addAll(members);
      for (Entry member : members) {
        for (Tx.Input input : member.tx().inputs()) {
          taken.put(input.outPoint(), member);
        }
      }
    }
  }

  private TxStatus status(Entry entry) {
    if (accepted.contains(entry)) {
      return TxStatus.PENDING;
    }
    if (entries.isOutdone(entry.tx()) || isTakenFrom(entry) || replaced.containsKey(entry)) {
      return TxStatus.REPLACED;
    }
    return switch (entry.fact().repute()) {
      case DENIED -> TxStatus.MISSING;
      case ABANDONED -> TxStatus.ABANDONED;
      case HEARD, SENT, RELAYED, SIGNED -> TxStatus.DEAD;
    };
  }

  /** Whether another transaction that counts spends one of its inputs. */
  private boolean isTakenFrom(Entry entry) {
    for (Tx.Input input : entry.tx().inputs()) {
      Entry other = taken.get(input.outPoint());
      if (other != null && other != entry) {
        return true;
      }
    }
    return false;
  }

  /** Finds those whose block is not scanned yet, although peers may not have them any more. */
  private void findProven() {
    if (entries.unconfirmed().stream().allMatch(entry -> entry.fact().repute().mayCount())) {
      return;
    }
    Deque<Entry> open = new ArrayDeque<>();
    for (Entry entry : entries.unconfirmed()) {
      for (int i = 0; i < entry.outputCount(); i++) {
        if (entry.isOwn(i) && entries.confirmedSpender(entry.tx().outPoint(i)) != null) {
          open.add(entry);
          break;
        }
      }
    }
    while (!open.isEmpty()) {
      Entry entry = open.remove();
      if (proven.add(entry)) {
        open.addAll(parents(entry));
      }
    }
  }

  private void findLost() {
    for (Entry entry : entries.unconfirmed()) {
      if (entry.fact().repute() == Repute.DENIED && !proven.contains(entry)) {
        for (Tx.Input input : entry.tx().inputs()) {
          lost.merge(input.outPoint(), entry, (a, b) -> a.fact().seen() > b.fact().seen() ? a : b);
        }
      }
    }
  }

  /**
   * Finds payments that together with the others would give the wallet more coins than can exist.
   * The largest ones must be invented, so these do not count: they must not hide a real payment.
   */
  private void findImpossible() {
    Map<Entry, Long> gains = new HashMap<>();
    long sum = 0;
    for (Entry entry : entries.unconfirmed()) {
      long gain = Math.max(0, entries.effect(entry).net());
      gains.put(entry, gain);
      sum = Math.min(Long.MAX_VALUE / 2, sum + gain);
    }
    if (sum <= PLAUSIBLE) {
      return;
    }
    long room = Tx.MAX_MONEY - confirmedSum();
    List<Entry> smallestFirst = new ArrayList<>(gains.keySet());
    smallestFirst.sort(
        Comparator.<Entry>comparingLong(entry -> gains.getOrDefault(entry, 0L))
            .thenComparing(Entry::txid));
    for (Entry entry : smallestFirst) {
      long gain = gains.getOrDefault(entry, 0L);
      if (gain > room) {
        impossible.add(entry);
      } else {
        room -= gain;
      }
    }
  }

  private long confirmedSum() {
    return entries.confirmedCoins(0).stream().mapToLong(Unspent::value).sum();
  }

  /**
   * Finds those that cannot count however conflicts end. Each is visited once, after all its
   * ancestors.
   */
  private void findHopeless() {
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
            settle(entry);
          }
        }
      }
    }
  }

  private void settle(Entry entry) {
    Set<Entry> parents = parents(entry);
    if (entry.tx().isCoinbase()
        || entries.isForged(entry)
        || !(entry.fact().repute().mayCount() || proven.contains(entry))
        || entries.isOutdone(entry.tx())
        || parents.stream().anyMatch(over::contains)) {
      over.add(entry);
      hopeless.add(entry);
      return;
    }
    if (impossible.contains(entry) || parents.stream().anyMatch(hopeless::contains)) {
      hopeless.add(entry);
      return;
    }
    Set<Entry> members = withAncestors(entry, Set.of());
    if (members.size() > MAX_PACKAGE_COUNT || bytes(members) > MAX_PACKAGE_BYTES) {
      hopeless.add(entry);
    } else if (excludesItself(members)) {
      over.add(entry);
      hopeless.add(entry);
    }
  }

  /**
   * Finds payments that give way to another one whenever they were seen, so that a peer that
   * repeats them does not bring them back. Nobody here can check a spend of foreign coins, so it
   * displaces no payment of the wallet that a peer has. Of two of the wallet, the one of the lower
   * fee gives way, where both spend own coins only and the fees are known (BIP-0125).
   */
  private void findOutbid() {
    Set<OutPoint> ownersSpends = new HashSet<>();
    for (Entry entry : entries.unconfirmed()) {
      if (!hopeless.contains(entry) && isOfOwner(entry) && entry.fact().repute().isHeld()) {
        entry.tx().inputs().forEach(input -> ownersSpends.add(input.outPoint()));
      }
    }
    for (Entry entry : entries.unconfirmed()) {
      boolean givesWay =
          !hopeless.contains(entry)
              && (isOfOwner(entry)
                  ? isUnderbid(entry)
                  : entry.tx().inputs().stream()
                      .map(Tx.Input::outPoint)
                      .anyMatch(ownersSpends::contains));
      if (givesWay) {
        addWithDescendants(entry);
      }
    }
  }

  private void addWithDescendants(Entry entry) {
    Deque<Entry> open = new ArrayDeque<>(List.of(entry));
    while (!open.isEmpty()) {
      Entry next = open.remove();
      if (outbid.add(next)) {
        for (int i = 0; i < next.outputCount(); i++) {
          for (Entry child : entries.spenders(next.tx().outPoint(i))) {
            if (!child.isConfirmed()) {
              open.add(child);
            }
          }
        }
      }
    }
  }

  private boolean isUnderbid(Entry entry) {
    OptionalLong fee = ownFee(entry);
    if (!fee.isPresent()) {
      return false;
    }
    for (Tx.Input input : entry.tx().inputs()) {
      for (Entry other : entries.spenders(input.outPoint())) {
        if (other != entry
            && !other.isConfirmed()
            && !hopeless.contains(other)
            && isOfOwner(other)) {
          OptionalLong more = ownFee(other);
          if (more.isPresent() && more.getAsLong() > fee.getAsLong()) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Whether its owner signed it, and not only a block held it that left the chain. */
  private boolean isOfOwner(Entry entry) {
    return entries.spendsOwn(entry.tx()) && (entry.fact().isOfOwner() || !entry.fact().vouched());
  }

  /** The fee of a transaction that spends own coins only; empty for another. */
  private OptionalLong ownFee(Entry entry) {
    return entries.effect(entry).fee(entry.tx());
  }

  private static long bytes(Set<Entry> members) {
    return members.stream().mapToLong(member -> member.tx().strippedSize()).sum();
  }

  /** Whether the package spends one coin twice. */
  private static boolean excludesItself(Set<Entry> members) {
    Set<OutPoint> inputs = new HashSet<>();
    for (Entry member : members) {
      for (Tx.Input input : member.tx().inputs()) {
        if (!inputs.add(input.outPoint())) {
          return true;
        }
      }
    }
    return false;
  }

  /** The unconfirmed transactions whose coins it spends. */
  private Set<Entry> parents(Entry entry) {
    return parents.computeIfAbsent(
        entry,
        child -> {
          Set<Entry> found = new LinkedHashSet<>();
          for (Tx.Input input : child.tx().inputs()) {
            Entry parent = entries.findUnconfirmed(input.outPoint().txid());
            if (parent != null) {
              found.add(parent);
            }
          }
          return found;
        });
  }

  /** Its package, without those that count already; only a part of one that is too large. */
  private Set<Entry> withAncestors(Entry entry, Set<Entry> without) {
    Set<Entry> members = new LinkedHashSet<>();
    Deque<Entry> open = new ArrayDeque<>();
    open.add(entry);
    long bytes = 0;
    while (!open.isEmpty() && members.size() <= MAX_PACKAGE_COUNT && bytes <= MAX_PACKAGE_BYTES) {
      Entry next = open.remove();
      if (!without.contains(next) && members.add(next)) {
        bytes += next.tx().strippedSize();
        open.addAll(parents(next));
      }
    }
    return members;
  }
}
