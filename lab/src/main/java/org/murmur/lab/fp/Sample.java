package org.murmur.lab.fp;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.TxElements;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.internal.privacy.BlockCost;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.bip37.tx.Tx;

/**
 * The transactions of some blocks, as independent trials of a filter.
 *
 * <p>Transactions that share an element match together. So each transaction counts only with the
 * elements that no other transaction here has. A transaction whose shared element passes the filter
 * says nothing about its own elements: it is set aside.
 */
final class Sample {

  /** A transaction: the number of elements only it has, and the elements it shares. */
  private record Member(Hash256 txid, int own, List<Bytes> shared) {}

  /**
   * The matches of one filter.
   *
   * @param tested the transactions that were not set aside: each is a trial
   * @param elements the number of unshared elements of the tested transactions
   * @param expected the expected number of matches among the tested transactions
   * @param hits the number of matches among the tested transactions
   * @param rate the rate per element that follows
   */
  record Count(int matched, int tested, int elements, double expected, int hits, double rate) {}

  private final List<Member> members = new ArrayList<>();

  private Sample() {}

  static Sample of(List<FullBlock> blocks) {
    List<Map.Entry<Hash256, Set<Bytes>>> elements = new ArrayList<>();
    Map<Bytes, Integer> transactionsWith = new HashMap<>();
    for (FullBlock block : blocks) {
      for (Tx tx : block.transactions()) {
        Set<Bytes> distinct = TxElements.distinct(tx);
        elements.add(Map.entry(tx.txid(), distinct));
        distinct.forEach(element -> transactionsWith.merge(element, 1, Integer::sum));
      }
    }
    Sample sample = new Sample();
    for (Map.Entry<Hash256, Set<Bytes>> one : elements) {
      List<Bytes> shared =
          one.getValue().stream()
              .filter(each -> transactionsWith.getOrDefault(each, 0) > 1)
              .toList();
      int own = one.getValue().size() - shared.size();
      sample.members.add(new Member(one.getKey(), own, shared));
    }
    return sample;
  }

  int transactions() {
    return members.size();
  }

  /**
   * Counts the matches of a server for the filter that was sent to it, which it must not have
   * changed.
   */
  Count count(BloomFilter filter, List<Hash256> matched) {
    Set<Hash256> found = new HashSet<>(matched);
    List<Member> tested =
        members.stream().filter(one -> one.shared().stream().noneMatch(filter::contains)).toList();
    int hits = (int) tested.stream().filter(one -> found.contains(one.txid())).count();
    return new Count(
        matched.size(),
        tested.size(),
        tested.stream().mapToInt(Member::own).sum(),
        expected(tested, filter.realisedRate()),
        hits,
        rateOf(tested, hits));
  }

  private static double expected(List<Member> tested, double rate) {
    double sum = 0;
    for (Member one : tested) {
      sum += BlockCost.matchChance(rate, one.own());
    }
    return sum;
  }

  /** The rate per element at which the expected number of matches is the observed one. */
  private static double rateOf(List<Member> tested, int hits) {
    if (hits == 0) {
      return 0;
    }
    double low = 0;
    double high = 1;
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      if (expected(tested, middle) < hits) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }
}
