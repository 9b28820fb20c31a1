package org.murmur.coins.spend;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.coins.spend.fee.FeeRate;

/**
 * The wallet's transactions that are in no block, as nodes see them: a graph in which a child can
 * be mined only with its parents. Immutable.
 */
public final class PendingTransactions {

  /** No pending transaction. */
  public static final PendingTransactions NONE = new PendingTransactions(Map.of());

  /**
   * The largest package that nodes relay: a transaction with all its unconfirmed ancestors, or with
   * all its descendants (Core's DEFAULT_ANCESTOR_LIMIT and DEFAULT_DESCENDANT_LIMIT).
   */
  public static final int MAX_COUNT = 25;

  /** The largest size of such a package in virtual bytes (DEFAULT_ANCESTOR_SIZE_LIMIT_KVB). */
  public static final long MAX_VSIZE = 101_000;

  private final Map<Hash256, Pending> transactions;

  /**
   * A pending transaction.
   *
   * @param txid its id
   * @param parents its inputs' transactions; those in blocks may be among them
   * @param fee in satoshi; 0 if not known
   * @param vsize virtual bytes
   */
  public record Pending(Hash256 txid, Set<Hash256> parents, long fee, long vsize) {

    /** Copies the set. */
    public Pending {
      parents = Set.copyOf(parents);
    }
  }

  private PendingTransactions(Map<Hash256, Pending> transactions) {
    this.transactions = transactions;
  }

  /**
   * Makes the graph.
   *
   * @param transactions all that are pending
   * @return the graph
   */
  public static PendingTransactions of(Collection<Pending> transactions) {
    Map<Hash256, Pending> byId = new LinkedHashMap<>();
    transactions.forEach(pending -> byId.put(pending.txid(), pending));
    return new PendingTransactions(byId);
  }

  /**
   * Returns whether a transaction is pending.
   *
   * @param txid its id
   * @return false if it is unknown, or in a block
   */
  public boolean contains(Hash256 txid) {
    return transactions.containsKey(txid);
  }

  /**
   * Returns pending transactions with all their pending ancestors.
   *
   * @param txids the transactions; those that are not pending do not count
   * @return their ids
   */
  public Set<Hash256> withAncestors(Collection<Hash256> txids) {
    Set<Hash256> found = new HashSet<>();
    Deque<Hash256> open = new ArrayDeque<>(txids);
    while (!open.isEmpty()) {
      Pending pending = transactions.get(open.remove());
      if (pending != null && found.add(pending.txid())) {
        open.addAll(pending.parents());
      }
    }
    return found;
  }

  /**
   * Returns pending transactions with all their pending descendants.
   *
   * @param txids the transactions
   * @return their ids
   */
  public Set<Hash256> withDescendants(Collection<Hash256> txids) {
    Set<Hash256> found = new HashSet<>();
    for (Hash256 txid : transactions.keySet()) {
      if (txids.stream().anyMatch(withAncestors(Set.of(txid))::contains)) {
        found.add(txid);
      }
    }
    return found;
  }

  /**
   * Adds a transaction.
   *
   * @param pending the transaction
   * @return a new graph
   */
  public PendingTransactions and(Pending pending) {
    Map<Hash256, Pending> more = new LinkedHashMap<>(transactions);
    more.put(pending.txid(), pending);
    return new PendingTransactions(more);
  }

  /** The graph without some transactions, whose descendants must be among them. */
  PendingTransactions without(Set<Hash256> txids) {
    Map<Hash256, Pending> left = new LinkedHashMap<>(transactions);
    left.keySet().removeAll(txids);
    return new PendingTransactions(left);
  }

  /** The sum of the sizes in virtual bytes. */
  long vsize(Collection<Hash256> txids) {
    return txids.stream().mapToLong(txid -> pending(txid).vsize()).sum();
  }

  /** The sum of the fees in satoshi. */
  long fees(Collection<Hash256> txids) {
    return txids.stream().mapToLong(txid -> pending(txid).fee()).sum();
  }

  private Pending pending(Hash256 txid) {
    Pending pending = transactions.get(txid);
    if (pending == null) {
      throw new IllegalArgumentException("transaction " + txid + " is not pending");
    }
    return pending;
  }

  /** The length of the longest package that a child of these transactions joins, without it. */
  int longestPackage(Collection<Hash256> parents) {
    Set<Hash256> ancestors = withAncestors(parents);
    int longest = ancestors.size();
    for (Hash256 ancestor : ancestors) {
      longest = Math.max(longest, withDescendants(Set.of(ancestor)).size());
    }
    return longest;
  }

  /** Whether nodes relay a child of these transactions with this size. */
  boolean admits(Collection<Hash256> parents, long vsize) {
    Set<Hash256> ancestors = withAncestors(parents);
    if (ancestors.isEmpty()) {
      return true;
    }
    if (longestPackage(parents) >= MAX_COUNT || vsize(ancestors) + vsize > MAX_VSIZE) {
      return false;
    }
    return ancestors.stream()
        .allMatch(ancestor -> vsize(withDescendants(Set.of(ancestor))) + vsize <= MAX_VSIZE);
  }

  /** Those that miners do not take at a rate, alone or with their descendants. */
  Set<Hash256> notMinedAt(FeeRate rate) {
    Set<Hash256> left = new HashSet<>(transactions.keySet());
    while (removeMined(left, rate)) {
      // One package less.
    }
    return left;
  }

  private boolean removeMined(Set<Hash256> left, FeeRate rate) {
    for (Hash256 txid : left) {
      Set<Hash256> mined = withAncestors(Set.of(txid));
      mined.retainAll(left);
      if (fees(mined) >= rate.feeOf(vsize(mined))) {
        return left.removeAll(mined);
      }
    }
    return false;
  }

  /**
   * The fee that a child must pay for its ancestors so that they are mined with it at a rate, in
   * satoshi. Ancestors that are mined without the child need nothing, and their surplus does not
   * count.
   *
   * @param notMined of {@link #notMinedAt} this rate
   */
  long deficit(Collection<Hash256> parents, Set<Hash256> notMined, FeeRate rate) {
    Set<Hash256> ancestors = withAncestors(parents);
    ancestors.retainAll(notMined);
    return Math.max(0, rate.feeOf(vsize(ancestors)) - fees(ancestors));
  }
}
