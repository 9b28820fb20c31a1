package org.murmur.wallet.internal.ledger;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.internal.ledger.LedgerChange.Watch;

/** The changes of one batch in the books, and the entries that they may affect in turn. */
final class AffectedEntries {

  private final Entries entries;
  // Entries that may have a new status, value or place.
  private final Set<Hash256> affected = new LinkedHashSet<>();
  private final Set<Hash256> changed = new LinkedHashSet<>();
  private final Set<OutPoint> dirty = new LinkedHashSet<>();
  private final List<Hash256> forgotten = new ArrayList<>();
  // Outpoints whose spenders are affected. A later spender is touched itself.
  private final Set<OutPoint> expanded = new HashSet<>();

  AffectedEntries(Entries entries) {
    this.entries = entries;
  }

  /** Transactions that may have to be reported. */
  Set<Hash256> affected() {
    return affected;
  }

  /** Every changed fact, to be stored. */
  List<Fact> facts() {
    List<Fact> facts = new ArrayList<>();
    for (Hash256 txid : changed) {
      facts.add(entries.known(txid).fact());
    }
    return facts;
  }

  /** Outpoints whose spend matters, and whose birth or end may have changed. */
  List<Watch> watches() {
    List<Watch> watches = new ArrayList<>();
    for (OutPoint outPoint : dirty) {
      Watch watch = entries.watch(outPoint);
      if (watch != null) {
        watches.add(watch);
      }
    }
    return watches;
  }

  List<Hash256> forgotten() {
    return forgotten;
  }

  /** An entry came or changed. */
  void touch(Entry entry) {
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
   * Its change may affect others too: those that spend the same inputs, and those that spend its
   * outputs, whose value depends on the owner of these coins.
   */
  void affect(Entry entry) {
    affected.add(entry.txid());
    for (Tx.Input input : entry.tx().inputs()) {
      affectSpenders(input.outPoint());
    }
    for (int i = 0; i < entry.outputCount(); i++) {
      if (entry.isOwn(i)) {
        affectSpenders(entry.tx().outPoint(i));
      }
    }
  }

  private void affectSpenders(OutPoint outPoint) {
    if (expanded.add(outPoint)) {
      for (Entry spender : entries.spenders(outPoint)) {
        affected.add(spender.txid());
      }
    }
  }

  /** An entry is about to leave the books. */
  void forget(Entry entry) {
    touch(entry);
    affected.remove(entry.txid());
    changed.remove(entry.txid());
    forgotten.add(entry.txid());
  }
}
