package org.murmur.regtest.node;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.ChainCoin;

/**
 * A node's unconfirmed transactions.
 *
 * <p>Inputs exist and are unspent, coinbases are mature, values are in range, outputs do not exceed
 * inputs. A transaction that conflicts with others replaces them if it pays more in fees than all
 * of them. A block requires no more of a transaction. A {@link RegtestNode} also checks what nodes
 * check before they relay: scripts and signatures, fees, form.
 *
 * <p>Follows its chain: transactions leave when a block confirms them or conflicts with them, and
 * come back when a reorganisation disconnects them. Thread-safe, under the chain's lock.
 */
public final class Mempool implements AutoCloseable {

  /** The mempool's verdict on a transaction. */
  public sealed interface Verdict {}

  /** It was accepted; those that it conflicted with, and their descendants, are gone. */
  public record Accepted(List<Tx> replaced) implements Verdict {}

  /** It was there already, or is confirmed. */
  public record AlreadyKnown() implements Verdict {}

  /** It was refused, for a reason for people. */
  public record Refused(String reason) implements Verdict {}

  /** Notified of new transactions, under the chain's lock: it must be quick and must not wait. */
  @FunctionalInterface
  public interface Listener {
    /** A transaction was accepted. */
    void accepted(Tx tx);
  }

  /** The minimum fee rate of a transaction, in satoshi for 1,000 virtual bytes (Core's default). */
  static final long MIN_FEE_RATE = 1000;

  private record Entry(Tx tx, long fee) {}

  /** Maximum number of transactions that wait for their parents (Core's default). */
  private static final int MAX_ORPHANS = 100;

  private final Chain chain;
  private final boolean standardOnly;
  // Their parents are not here yet; the oldest make room.
  private final Map<Hash256, Tx> orphans =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Hash256, Tx> eldest) {
          return size() > MAX_ORPHANS;
        }
      };
  // In order of arrival; parents therefore stand before their children.
  private final Map<Hash256, Entry> entries = new LinkedHashMap<>();
  // The txids by wtxid.
  private final Map<Hash256, Hash256> byWtxid = new HashMap<>();
  private final Map<OutPoint, Hash256> spenders = new HashMap<>();
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private final Chain.Listener follower = this::follow;

  public Mempool(Chain chain) {
    this(chain, false);
  }

  /**
   * Makes an empty one that follows a chain. If it is {@code standardOnly} it takes only standard
   * transactions from peers, as real nodes do.
   */
  public Mempool(Chain chain, boolean standardOnly) {
    this.chain = chain;
    this.standardOnly = standardOnly;
    chain.listen(follower);
  }

  /** Stops following the chain. */
  @Override
  public void close() {
    chain.forget(follower);
  }

  /** Registers for new transactions. */
  public void listen(Listener listener) {
    listeners.add(listener);
  }

  /** Offers a transaction without the relay policy: any transaction that a block could hold. */
  public Verdict accept(Tx tx) {
    return accept(tx, false);
  }

  /** Offers a transaction from a peer: the relay policy applies, if this mempool has any. */
  Verdict acceptFromPeer(Tx tx) {
    return accept(tx, standardOnly);
  }

  private Verdict accept(Tx tx, boolean standard) {
    synchronized (chain) {
      Verdict verdict = judge(tx, standard);
      if (verdict instanceof Accepted) {
        orphans.remove(tx.txid());
        listeners.forEach(listener -> listener.accepted(tx));
        adopt(tx.txid());
      }
      return verdict;
    }
  }

  /** Retries those that waited for a transaction. */
  private void adopt(Hash256 parent) {
    for (Tx orphan : List.copyOf(orphans.values())) {
      if (orphan.inputs().stream().anyMatch(input -> input.outPoint().txid().equals(parent))) {
        orphans.remove(orphan.txid());
        acceptFromPeer(orphan);
      }
    }
  }

  /**
   * Keeps a transaction that was refused for missing parents, until they come. Returns these; none
   * if that was not the reason.
   */
  List<Hash256> keepOrphan(Tx tx) {
    synchronized (chain) {
      List<Hash256> missing = new ArrayList<>();
      for (Tx.Input input : tx.inputs()) {
        Hash256 parent = input.outPoint().txid();
        if (coin(input.outPoint()) == null && !entries.containsKey(parent)) {
          missing.add(parent);
        }
      }
      if (!missing.isEmpty()) {
        orphans.put(tx.txid(), tx);
      }
      return missing;
    }
  }

  /** Returns a copy of all transactions, parents before their children. */
  public List<Tx> transactions() {
    synchronized (chain) {
      return entries.values().stream().map(Entry::tx).toList();
    }
  }

  /** Finds a transaction, or returns null if it is not here. */
  public @Nullable Tx transaction(Hash256 txid) {
    synchronized (chain) {
      Entry entry = entries.get(txid);
      return entry == null ? null : entry.tx();
    }
  }

  /** Finds a transaction by its txid or by its wtxid. */
  @Nullable Tx find(Hash256 hash, boolean wtxid) {
    synchronized (chain) {
      Hash256 txid = wtxid ? byWtxid.get(hash) : hash;
      return txid == null ? null : transaction(txid);
    }
  }

  /** The hash of a transaction with its witness (BIP-0141). */
  static Hash256 wtxid(Tx tx) {
    return tx.hasWitness() ? DoubleSha256.of(tx.raw()) : tx.txid();
  }

  /** A transaction's fee rate, in satoshi for 1,000 virtual bytes; 0 if it is not here. */
  long feeRate(Hash256 txid) {
    synchronized (chain) {
      Entry entry = entries.get(txid);
      return entry == null ? 0 : entry.fee() * 1000 / entry.tx().virtualSize();
    }
  }

  /** The minimum fee of a transaction for relay, in satoshi. */
  static long leastFee(Tx tx) {
    return (MIN_FEE_RATE * tx.virtualSize() + 999) / 1000;
  }

  /**
   * Returns the fee of a transaction in satoshi. Throws {@link IllegalArgumentException} if it is
   * not here.
   */
  public long fee(Hash256 txid) {
    synchronized (chain) {
      Entry entry = entries.get(txid);
      if (entry == null) {
        throw new IllegalArgumentException("transaction " + txid + " is not in the mempool");
      }
      return entry.fee();
    }
  }

  public int size() {
    synchronized (chain) {
      return entries.size();
    }
  }

  /** Forgets all transactions, as a restart without a saved mempool does. */
  public void clear() {
    synchronized (chain) {
      entries.clear();
      byWtxid.clear();
      spenders.clear();
    }
  }

  private Verdict judge(Tx tx, boolean standard) {
    if (entries.containsKey(tx.txid()) || chain.coin(tx.outPoint(0)) != null) {
      return new AlreadyKnown();
    }
    if (tx.isCoinbase()) {
      return new Refused("coinbase");
    }
    Optional<Tx.Flaw> flaw = tx.flaw();
    if (flaw.isPresent()) {
      return new Refused(flaw.get().words());
    }
    Set<Hash256> conflicts = new LinkedHashSet<>();
    List<ChainCoin> coins = new ArrayList<>();
    long in = 0;
    for (Tx.Input input : tx.inputs()) {
      OutPoint outPoint = input.outPoint();
      ChainCoin coin = coin(outPoint);
      if (coin == null) {
        return new Refused("missing or spent input " + outPoint);
      }
      if (!coin.spendableAt(chain.height() + 1)) {
        return new Refused("immature input " + outPoint);
      }
      coins.add(coin);
      in += coin.value();
      Hash256 conflict = spenders.get(outPoint);
      if (conflict != null) {
        conflicts.add(conflict);
      }
    }
    long fee = in - tx.outputs().stream().mapToLong(Tx.Output::value).sum();
    if (fee < 0) {
      return new Refused("outputs above inputs");
    }
    String objection = standard ? RelayPolicy.objection(tx, coins, fee, chain) : null;
    return objection == null ? replace(tx, fee, conflicts, standard) : new Refused(objection);
  }

  private Verdict replace(Tx tx, long fee, Set<Hash256> conflicts, boolean standard) {
    for (Hash256 conflict : conflicts) {
      Entry entry = present(conflict);
      // Core asks for a higher fee rate than that of each direct conflict (PaysMoreThanConflicts).
      if (standard && fee * entry.tx().virtualSize() <= entry.fee() * tx.virtualSize()) {
        return new Refused("fee rate does not exceed that of " + conflict);
      }
    }
    Set<Hash256> leaving = withDescendants(conflicts);
    long lost = 0;
    List<Tx> replaced = new ArrayList<>();
    for (Hash256 txid : leaving) {
      Entry entry = present(txid);
      lost += entry.fee();
      replaced.add(entry.tx());
    }
    // A replacement pays for its own relay too (BIP-0125).
    long least = standard ? lost + leastFee(tx) - 1 : lost;
    if (!leaving.isEmpty() && fee <= least) {
      return new Refused("fee " + fee + " does not exceed " + lost + " of those it replaces");
    }
    for (Tx.Input input : tx.inputs()) {
      if (leaving.contains(input.outPoint().txid())) {
        return new Refused("spends what it replaces");
      }
    }
    leaving.forEach(this::remove);
    entries.put(tx.txid(), new Entry(tx, fee));
    byWtxid.put(wtxid(tx), tx.txid());
    tx.inputs().forEach(input -> spenders.put(input.outPoint(), tx.txid()));
    return new Accepted(List.copyOf(replaced));
  }

  /** An unspent output of the chain or of an unconfirmed transaction. */
  private @Nullable ChainCoin coin(OutPoint outPoint) {
    Entry parent = entries.get(outPoint.txid());
    if (parent == null) {
      return chain.coin(outPoint);
    }
    List<Tx.Output> outputs = parent.tx().outputs();
    int index = outPoint.index();
    if (index < 0 || index >= outputs.size()) {
      return null;
    }
    Tx.Output output = outputs.get(index);
    return new ChainCoin(outPoint, output.value(), output.script(), chain.height() + 1, false);
  }

  private Set<Hash256> withDescendants(Set<Hash256> roots) {
    Set<Hash256> all = new LinkedHashSet<>();
    List<Hash256> open = new ArrayList<>(roots);
    while (!open.isEmpty()) {
      Hash256 txid = open.remove(open.size() - 1);
      if (all.add(txid)) {
        Tx tx = present(txid).tx();
        for (int i = 0; i < tx.outputs().size(); i++) {
          Hash256 child = spenders.get(tx.outPoint(i));
          if (child != null) {
            open.add(child);
          }
        }
      }
    }
    return all;
  }

  private Entry present(Hash256 txid) {
    Entry entry = entries.get(txid);
    if (entry == null) {
      throw new AssertionError("transaction " + txid + " is a spender but not in the mempool");
    }
    return entry;
  }

  private void remove(Hash256 txid) {
    Entry entry = entries.remove(txid);
    if (entry != null) {
      byWtxid.remove(wtxid(entry.tx()));
      entry.tx().inputs().forEach(input -> spenders.remove(input.outPoint(), txid));
    }
  }

  private void follow(List<Block> disconnected, List<Block> connected) {
    if (!disconnected.isEmpty()) {
      reconsider(disconnected);
      return;
    }
    for (Block block : connected) {
      for (int i = 0; i < block.size() && !entries.isEmpty(); i++) {
        confirm(block.txid(i), block.tx(i));
      }
    }
  }

  private void confirm(Hash256 txid, Tx tx) {
    remove(txid);
    Set<Hash256> conflicts = new LinkedHashSet<>();
    for (Tx.Input input : tx.inputs()) {
      Hash256 conflict = spenders.get(input.outPoint());
      if (conflict != null) {
        conflicts.add(conflict);
      }
    }
    withDescendants(conflicts).forEach(this::remove);
  }

  /**
   * Checks all again: first the transactions that the chain no longer confirms, then those that
   * were here.
   */
  private void reconsider(List<Block> disconnected) {
    List<Tx> candidates = new ArrayList<>();
    for (int i = disconnected.size() - 1; i >= 0; i--) {
      List<Tx> transactions = disconnected.get(i).transactions();
      candidates.addAll(transactions.subList(1, transactions.size()));
    }
    candidates.addAll(transactions());
    clear();
    candidates.forEach(tx -> judge(tx, false));
  }

  /** How many there are. */
  @Override
  public String toString() {
    return "Mempool[" + size() + " transactions]";
  }
}
