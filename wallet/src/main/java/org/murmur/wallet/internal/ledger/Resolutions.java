package org.murmur.wallet.internal.ledger;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.ledger.Replacement;
import org.murmur.wallet.ledger.TxStatus;

/** The last {@linkplain ConflictResolution decision} about all unconfirmed transactions. */
final class Resolutions {

  private final Entries entries;
  private ConflictResolution last;

  Resolutions(Entries entries) {
    this.entries = entries;
    this.last = new ConflictResolution(entries);
  }

  TxStatus status(Entry entry) {
    return entry.isConfirmed()
        ? TxStatus.CONFIRMED
        : last.statuses().getOrDefault(entry.txid(), TxStatus.DEAD);
  }

  boolean isLive(Entry entry) {
    return status(entry).counts();
  }

  /**
   * Whether it could never count at the last decision: peers denied it, a block replaced it, it is
   * from a disconnected block and needs that block, or this holds for one of its ancestors. A
   * transaction that only lost to an unconfirmed one may count again, and so may its descendants.
   */
  boolean isOver(Entry entry) {
    return last.isOver(entry) || !entry.fact().repute().mayCount() || entries.isOutdone(entry.tx());
  }

  Set<Hash256> pending() {
    Set<Hash256> pending = new HashSet<>();
    last.statuses()
        .forEach(
            (txid, status) -> {
              if (status == TxStatus.PENDING) {
                pending.add(txid);
              }
            });
    return pending;
  }

  /** The replacement of a transaction; null unless it is {@link TxStatus#REPLACED}. */
  @Nullable Replacement replacement(Entry entry) {
    if (entry.isConfirmed() || status(entry) != TxStatus.REPLACED) {
      return null;
    }
    for (Tx.Input input : entry.tx().inputs()) {
      Entry spender = entries.confirmedSpender(input.outPoint());
      if (spender != null) {
        return replacement(spender, OptionalInt.of(spender.fact().height()));
      }
    }
    for (Tx.Input input : entry.tx().inputs()) {
      Entry spender = last.spender(input.outPoint());
      if (spender != null) {
        return replacement(spender, OptionalInt.empty());
      }
    }
    Entry lost = last.lostReplacement(entry);
    return lost == null ? null : replacement(lost, OptionalInt.empty());
  }

  private Replacement replacement(Entry by, OptionalInt height) {
    Repute repute = by.fact().repute();
    Replacement.Origin origin =
        !repute.isSent() && repute != Repute.SIGNED
            ? Replacement.Origin.OTHER
            : entries.effect(by).paid(by.tx()).isEmpty()
                ? Replacement.Origin.CANCEL
                : Replacement.Origin.PAYMENT;
    return new Replacement(by.txid(), height, origin);
  }

  /** The facts to report of it now; null if it does not concern the wallet. */
  Entry.@Nullable Reported report(Entry entry) {
    return entry.concernsWallet()
        ? new Entry.Reported(
            status(entry),
            entry.fact().isHeard(),
            entry.fact().repute(),
            entries.effect(entry).net(),
            entry.fact().confirmation(),
            replacement(entry))
        : null;
  }

  /** Its last report; null if it did not concern the wallet. */
  Entry.@Nullable Reported reported(Entry entry) {
    Fact stored = entry.stored();
    return stored == null ? entry.reported() : entries.storedReport(stored);
  }

  /**
   * Decides again, after the entries changed, and returns the unconfirmed transactions whose status
   * changed.
   */
  List<Hash256> renew() {
    ConflictResolution before = last;
    last = new ConflictResolution(entries);
    List<Hash256> changed = new ArrayList<>();
    last.statuses()
        .forEach(
            (txid, status) -> {
              if (status != before.statuses().get(txid)) {
                changed.add(txid);
              }
            });
    return changed;
  }
}
