package org.murmur.wallet.internal.ledger;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.internal.ledger.LedgerChange.Watch;
import org.murmur.wallet.ledger.Confirmation;

/** An archive in memory, written from a ledger's changes as the store and the element log are. */
final class MapArchive implements Archive {

  private final Map<Hash256, Fact> facts = new HashMap<>();
  private final Map<OutPoint, Watch> watches = new HashMap<>();

  void write(LedgerChange change) {
    change.facts().forEach(fact -> facts.put(fact.tx().txid(), fact));
    change.watches().forEach(watch -> watches.put(watch.outPoint(), watch));
    change.forgotten().forEach(facts::remove);
  }

  List<Fact> unconfirmed() {
    return facts.values().stream().filter(fact -> fact.confirmation() == null).toList();
  }

  private List<Fact> mined() {
    return facts.values().stream().filter(fact -> fact.confirmation() != null).toList();
  }

  @Override
  public @Nullable Fact find(Hash256 txid) {
    Fact fact = facts.get(txid);
    return fact == null || fact.confirmation() == null ? null : fact;
  }

  @Override
  public List<Fact> spenders(OutPoint outPoint) {
    List<Fact> spenders = new ArrayList<>();
    for (Fact fact : mined()) {
      if (fact.tx().inputs().stream().anyMatch(i -> i.outPoint().equals(outPoint))) {
        spenders.add(fact);
      }
    }
    return spenders;
  }

  @Override
  public List<Fact> before(int height, int position, int limit) {
    return mined().stream()
        .filter(fact -> isBefore(where(fact), height, position))
        .sorted(
            Comparator.comparingInt((Fact fact) -> -fact.height())
                .thenComparingInt(fact -> -where(fact).position()))
        .limit(limit)
        .toList();
  }

  private static Confirmation where(Fact fact) {
    return Objects.requireNonNull(fact.confirmation());
  }

  private static boolean isBefore(Confirmation where, int height, int position) {
    return where.height() < height || (where.height() == height && where.position() < position);
  }

  @Override
  public int ownScript(OutPoint outPoint) {
    Watch watch = watches.get(outPoint);
    return watch == null || find(outPoint.txid()) == null ? OwnScripts.FOREIGN : watch.script();
  }

  @Override
  public BitSet usedScripts() {
    BitSet used = new BitSet();
    watches.keySet().stream()
        .map(this::ownScript)
        .filter(script -> script != OwnScripts.FOREIGN)
        .forEach(used::set);
    return used;
  }

  @Override
  public List<Unspent> coins(int tip) {
    List<Unspent> coins = new ArrayList<>();
    for (Watch watch : watches.values()) {
      OutPoint outPoint = watch.outPoint();
      Fact fact = find(outPoint.txid());
      if (fact != null && watch.own() && watch.end() == Watch.OPEN) {
        Tx.Output output = fact.tx().outputs().get(outPoint.index());
        coins.add(
            Unspent.of(
                outPoint,
                output.value(),
                watch.script(),
                fact.height(),
                fact.tx().isCoinbase(),
                tip));
      }
    }
    return coins;
  }
}
