package org.murmur.wallet.internal.ledger;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.internal.ledger.LedgerChange.Watch;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.ledger.TxStatus;

/** The same rules, written a second time without any index or memory, slow and plain. */
final class NaiveLedger {

  private final OwnScripts own;
  final Map<Hash256, Known> known = new LinkedHashMap<>();
  private long seen;

  static final class Known {
    final Tx tx;
    long seen;
    int since = Fact.NEVER_PENDING;
    boolean missing;
    // Whether a block held it that left the chain, and no peer sent it when its coins were known.
    boolean former;
    boolean checked;
    @Nullable Confirmation where;

    Known(Tx tx) {
      this.tx = tx;
    }
  }

  NaiveLedger(OwnScripts own) {
    this.own = own;
  }

  void apply(LedgerInput news) {
    for (Known k : known.values()) {
      if (k.where != null && k.where.height() > news.forkHeight()) {
        k.where = null;
        k.missing = false;
        k.former = true;
        int since = news.forkHeight() + 1;
        k.since = k.since == Fact.NEVER_PENDING ? since : Math.min(k.since, since);
      } else if (k.where == null) {
        k.since = Math.min(k.since, news.forkHeight() + 1);
      }
    }
    Map<Hash256, Known> batch = new LinkedHashMap<>();
    for (LedgerInput.Mined mined : news.confirmed()) {
      Known k = batch.computeIfAbsent(mined.tx().txid(), id -> new Known(mined.tx()));
      k.where = mined.confirmation();
      k.seen = ++seen;
    }
    for (Tx tx : news.pending()) {
      batch.computeIfAbsent(tx.txid(), id -> new Known(tx)).seen = ++seen;
    }
    for (Hash256 txid : news.missing()) {
      Known k = known.get(txid);
      if (k != null && k.where == null && !batch.containsKey(txid)) {
        k.missing = true;
      }
    }
    boolean more = true;
    while (more) {
      more = false;
      for (Known k : batch.values()) {
        if (!known.containsKey(k.tx.txid()) && wanted(k.tx)) {
          k.since = k.where == null ? news.tip() + 1 : Fact.NEVER_PENDING;
          known.put(k.tx.txid(), k);
          more = true;
        }
      }
    }
    batch.forEach((txid, k) -> merge(txid, k));
    for (Hash256 txid : batch.keySet()) {
      Known k = known.get(txid);
      if (k != null && k.where == null) {
        k.checked |= spendsOwn(k.tx);
      }
    }
  }

  private boolean spendsOwn(Tx tx) {
    return tx.inputs().stream().anyMatch(input -> ownCoin(input.outPoint()) != null);
  }

  private boolean isOfOwner(Known k) {
    return spendsOwn(k.tx) && (k.checked || !k.former);
  }

  private void merge(Hash256 txid, Known k) {
    Known old = known.get(txid);
    if (old == null || old == k) {
      return;
    }
    old.missing = false;
    if (k.where == null) {
      old.seen = old.where == null ? k.seen : old.seen;
    } else if (!k.where.equals(old.where)) {
      old.where = k.where;
      old.seen = k.seen;
    }
  }

  private boolean wanted(Tx tx) {
    if (concerns(tx)) {
      return true;
    }
    for (Known k : known.values()) {
      if (concerns(k.tx) && sharesInput(k.tx, tx)) {
        return true;
      }
    }
    return false;
  }

  private static boolean sharesInput(Tx a, Tx b) {
    for (Tx.Input x : a.inputs()) {
      for (Tx.Input y : b.inputs()) {
        if (!x.outPoint().isNull() && x.outPoint().equals(y.outPoint())) {
          return true;
        }
      }
    }
    return false;
  }

  boolean concerns(Tx tx) {
    return tx.outputs().stream().anyMatch(o -> own.find(o.script()) >= 0)
        || tx.inputs().stream().anyMatch(i -> ownCoin(i.outPoint()) != null);
  }

  private Tx.@Nullable Output ownCoin(OutPoint o) {
    Known k = known.get(o.txid());
    if (k == null || o.index() < 0 || o.index() >= k.tx.outputs().size()) {
      return null;
    }
    Tx.Output output = k.tx.outputs().get(o.index());
    return own.find(output.script()) >= 0 ? output : null;
  }

  Map<Hash256, TxStatus> statuses() {
    List<Known> open = new ArrayList<>();
    Set<OutPoint> confirmedSpends = new HashSet<>();
    for (Known k : known.values()) {
      if (k.where == null) {
        open.add(k);
      } else {
        k.tx.inputs().forEach(i -> confirmedSpends.add(i.outPoint()));
        confirmedSpends.removeIf(OutPoint::isNull);
      }
    }
    Set<Known> proven = proven(open);
    Set<Known> lost = new HashSet<>(known.values());
    lost.removeIf(k -> k.where != null || !k.missing || proven.contains(k));
    List<Known> hopeful = new ArrayList<>(open);
    hopeful.removeIf(k -> isHopeless(k, lost, confirmedSpends));
    Set<Known> outbid = outbid(hopeful, open);
    open.sort(
        Comparator.comparing((Known k) -> outbid.contains(k)).thenComparing((Known k) -> -k.seen));
    Set<Known> live = new HashSet<>();
    for (Known k : open) {
      Set<Known> lot = new HashSet<>();
      collect(k, live, lot);
      boolean fits = true;
      for (Known member : lot) {
        fits &=
            !member.tx.isCoinbase()
                && !lost.contains(member)
                && !conflicted(member, live, confirmedSpends)
                && !replacedBefore(member, k.seen, lost);
        for (Known other : lot) {
          fits &= other == member || !sharesInput(other.tx, member.tx);
        }
      }
      if (fits) {
        live.addAll(lot);
      }
    }
    Map<Hash256, TxStatus> statuses = new HashMap<>();
    for (Known k : known.values()) {
      statuses.put(
          k.tx.txid(),
          k.where != null
              ? TxStatus.CONFIRMED
              : live.contains(k)
                  ? TxStatus.PENDING
                  : conflicted(k, live, confirmedSpends)
                          || (!lost.contains(k) && replacedBefore(k, k.seen, lost))
                      ? TxStatus.REPLACED
                      : k.missing ? TxStatus.MISSING : TxStatus.DEAD);
    }
    return statuses;
  }

  /** Whether it can never count, whatever the conflicts. */
  private boolean isHopeless(Known k, Set<Known> lost, Set<OutPoint> confirmedSpends) {
    Set<Known> lot = new HashSet<>();
    collect(k, Set.of(), lot);
    Set<OutPoint> inputs = new HashSet<>();
    for (Known member : lot) {
      if (member.tx.isCoinbase() || lost.contains(member)) {
        return true;
      }
      for (Tx.Input input : member.tx.inputs()) {
        if (confirmedSpends.contains(input.outPoint()) || !inputs.add(input.outPoint())) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Those that give way to one which its owner signed, unlike them; or of a higher fee, if both
   * spend own coins only. And what builds on them.
   */
  private Set<Known> outbid(List<Known> hopeful, List<Known> open) {
    Set<Known> outbid = new HashSet<>();
    for (Known k : hopeful) {
      for (Known other : hopeful) {
        if (other != k && sharesInput(k.tx, other.tx)) {
          boolean more =
              spendsOwnOnly(k.tx) && spendsOwnOnly(other.tx) && fee(other.tx) > fee(k.tx);
          if (isOfOwner(other) && (isOfOwner(k) ? more : !other.missing)) {
            outbid.add(k);
          }
        }
      }
    }
    boolean more = true;
    while (more) {
      more = false;
      for (Known k : open) {
        boolean builds =
            k.tx.inputs().stream()
                .map(input -> known.get(input.outPoint().txid()))
                .anyMatch(outbid::contains);
        more |= builds && outbid.add(k);
      }
    }
    return outbid;
  }

  private boolean spendsOwnOnly(Tx tx) {
    return tx.inputs().stream().allMatch(input -> ownCoin(input.outPoint()) != null);
  }

  private long fee(Tx tx) {
    long fee = 0;
    for (Tx.Input input : tx.inputs()) {
      fee += Objects.requireNonNull(ownCoin(input.outPoint())).value();
    }
    return fee - tx.outputs().stream().mapToLong(Tx.Output::value).sum();
  }

  /** Those that a block must hold: what a block holds spends a coin of them or of a descendant. */
  private Set<Known> proven(List<Known> open) {
    Set<Known> proven = new HashSet<>();
    boolean more = true;
    while (more) {
      more = false;
      for (Known k : open) {
        boolean spent = false;
        for (int i = 0; i < k.tx.outputs().size(); i++) {
          spent |= ownCoin(k.tx.outPoint(i)) != null && spender(k.tx.outPoint(i)) != null;
        }
        for (Known child : proven) {
          spent |=
              child.tx.inputs().stream().anyMatch(in -> in.outPoint().txid().equals(k.tx.txid()));
        }
        more |= spent && proven.add(k);
      }
    }
    return proven;
  }

  private boolean replacedBefore(Known k, long seen, Set<Known> lost) {
    return k.tx.inputs().stream().allMatch(i -> ownCoin(i.outPoint()) == null)
        && lost.stream()
            .anyMatch(other -> other != k && other.seen > seen && sharesInput(other.tx, k.tx));
  }

  private void collect(Known k, Set<Known> live, Set<Known> lot) {
    if (live.contains(k) || !lot.add(k)) {
      return;
    }
    for (Tx.Input input : k.tx.inputs()) {
      Known parent = known.get(input.outPoint().txid());
      if (parent != null && parent.where == null) {
        collect(parent, live, lot);
      }
    }
  }

  private static boolean conflicted(Known k, Set<Known> live, Set<OutPoint> confirmedSpends) {
    return k.tx.inputs().stream().anyMatch(i -> confirmedSpends.contains(i.outPoint()))
        || live.stream().anyMatch(other -> other != k && sharesInput(other.tx, k.tx));
  }

  long net(Tx tx) {
    long net = 0;
    for (Tx.Output output : tx.outputs()) {
      net += own.find(output.script()) >= 0 ? output.value() : 0;
    }
    for (Tx.Input input : tx.inputs()) {
      Tx.Output coin = ownCoin(input.outPoint());
      net -= coin == null ? 0 : coin.value();
    }
    return net;
  }

  Balance balance(int tip) {
    Map<Hash256, TxStatus> statuses = statuses();
    long confirmed = 0;
    long immature = 0;
    long unconfirmed = 0;
    for (Known k : known.values()) {
      if (statuses.get(k.tx.txid()) == TxStatus.PENDING) {
        unconfirmed += net(k.tx);
        for (int i = 0; i < k.tx.outputs().size(); i++) {
          Tx.Output coin = ownCoin(k.tx.outPoint(i));
          unconfirmed -= coin != null && spender(k.tx.outPoint(i)) != null ? coin.value() : 0;
        }
      }
      if (k.where == null) {
        continue;
      }
      for (int i = 0; i < k.tx.outputs().size(); i++) {
        OutPoint o = k.tx.outPoint(i);
        Tx.Output coin = ownCoin(o);
        if (coin == null || spender(o) != null) {
          continue;
        }
        if (k.tx.isCoinbase() && tip - k.where.height() + 1 <= 100) {
          immature += coin.value();
        } else {
          confirmed += coin.value();
        }
      }
    }
    return new Balance(confirmed, unconfirmed, immature, 0);
  }

  private @Nullable Known spender(OutPoint o) {
    return known.values().stream()
        .filter(k -> k.where != null)
        .filter(k -> k.tx.inputs().stream().anyMatch(i -> i.outPoint().equals(o)))
        .min(Comparator.comparingInt(k -> Objects.requireNonNull(k.where).height()))
        .orElse(null);
  }

  Set<Watch> watches() {
    Set<Watch> watches = new HashSet<>();
    for (Known k : known.values()) {
      for (int i = 0; i < k.tx.outputs().size(); i++) {
        OutPoint o = k.tx.outPoint(i);
        Tx.Output coin = ownCoin(o);
        if (coin != null) {
          int birth = k.where == null ? k.since : k.where.height();
          watches.add(new Watch(o, own.find(coin.script()), birth, end(o)));
        }
      }
      for (Tx.Input input : k.tx.inputs()) {
        OutPoint o = input.outPoint();
        if (o.isNull() || ownCoin(o) != null) {
          continue;
        }
        int birth = Watch.OPEN;
        for (Known spender : known.values()) {
          boolean spends = spender.tx.inputs().stream().anyMatch(x -> x.outPoint().equals(o));
          if (spends && spender.since >= 0 && concerns(spender.tx)) {
            birth = Math.min(birth, spender.since);
          }
        }
        if (birth != Watch.OPEN) {
          watches.add(new Watch(o, OwnScripts.FOREIGN, birth, end(o)));
        }
      }
    }
    return watches;
  }

  private int end(OutPoint o) {
    Known spender = spender(o);
    return spender == null || spender.where == null ? Watch.OPEN : spender.where.height();
  }
}
