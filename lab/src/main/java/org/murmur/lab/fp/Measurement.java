package org.murmur.lab.fp;

import java.util.List;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterTheory;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.Table;
import org.murmur.lab.stats.Binomial;
import org.murmur.lab.stats.RandomFilter;
import org.murmur.regtest.chain.Dice;

/**
 * The measured false-positive rate of one or more filters of the same shape, by queries for
 * elements that no filter holds, and the mean realised rate of the filters.
 */
record Measurement(long hits, long queries, double realised) {

  /** Queries a filter for random elements and counts the matches. */
  static long hits(BloomFilter filter, int queries, Dice dice) {
    // A random element is a member with a chance of 2^-160: never. Its words are drawn in place.
    Bytes seed = dice.bytes(RandomFilter.ELEMENT_BYTES);
    byte[] element = seed.unsafeArray().clone();
    long hits = 0;
    for (int i = 0; i < queries; i++) {
      long word = dice.number();
      for (int at = 0; at < Long.BYTES; at++) {
        element[at] = (byte) (word >>> (8 * at));
      }
      hits += filter.contains(element, 0, element.length) ? 1 : 0;
    }
    return hits;
  }

  /** Combines rows with the columns {@code hits}, {@code queries} and {@code realised}. */
  static Measurement of(List<Table.Row> rows) {
    return new Measurement(
        rows.stream().mapToLong(row -> row.whole("hits")).sum(),
        rows.stream().mapToLong(row -> row.whole("queries")).sum(),
        rows.stream().mapToDouble(row -> row.number("realised")).average().orElse(0));
  }

  double rate() {
    return hits / (double) queries;
  }

  /** The exact interval of the true rate, of this measurement alone. */
  FilterTheory.Interval interval() {
    return interval(FalsePositives.CONFIDENCE);
  }

  /** The exact interval of the true rate. */
  FilterTheory.Interval interval(double confidence) {
    return Binomial.rate(hits, queries, confidence);
  }

  /** Whether the interval contains the realised rate. */
  boolean isAsRealised() {
    return interval().holds(realised);
  }
}
