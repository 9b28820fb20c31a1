package org.murmur.lab.families;

import java.util.Set;
import org.murmur.bip37.bytes.Bytes;

/**
 * The d-left counting Bloom filter (Bonomi, Mitzenmacher, Panigrahy, Singh and Varghese 2006),
 * which is not a real Bloom filter. It has four tables of buckets with eight cells; each cell holds
 * a fingerprint and a two-bit counter. A new fingerprint goes to the emptiest of its four buckets,
 * the leftmost on a tie. This keeps all buckets nearly equally full.
 *
 * <p>For safe deletion, two fingerprints that share a cell value in one table must not share it in
 * another. A bijection gives the bucket and remainder of a fingerprint in each table, so a cell
 * identifies its fingerprint. Ours shifts the bucket by an amount that depends on the stored
 * remainder; the paper's multiplies, which needs powers of two.
 */
final class DLeftCounting extends SetFilter {

  private static final int TABLES = 4;
  private static final int CELLS = 8;

  /** Cells of a bucket in use on average (paper, section 4). */
  private static final int PLANNED = 6;

  private static final int COUNTER_BITS = 2;
  private static final int FULL = 3;

  static final FilterFamily FAMILY =
      new FilterFamily(
          "dleft",
          FilterFamily.OURS,
          Set.of(Feature.ADD, Feature.DELETE, Feature.COUNT),
          DLeftCounting::bitsInTheory,
          plan -> bitsOfRemainder(plan.rate()) <= 30 ? null : "remainders of more than 30 bits",
          FilterFamily.filling(DLeftCounting::new));

  private final int buckets;
  private final int remainderBits;

  /** Table by table, bucket by bucket: the counter above the remainder. */
  private final PackedArray cells;

  private int cellsUsed;

  private static double bitsInTheory(double rate) {
    return (Theory.bound(rate) + Theory.log2(TABLES * PLANNED) + COUNTER_BITS) * CELLS / PLANNED;
  }

  private static int bitsOfRemainder(double rate) {
    return Theory.widthFor(rate / (TABLES * PLANNED));
  }

  private DLeftCounting(FilterFamily family, Plan plan, int more) {
    super(family, plan);
    int planned = TABLES * PLANNED;
    this.buckets = (plan.capacity() + planned - 1) / planned + more;
    this.remainderBits = bitsOfRemainder(plan.rate());
    this.cells = new PackedArray(TABLES * buckets * CELLS, COUNTER_BITS + remainderBits);
  }

  private long remainder(long hashed) {
    return KeyedHash.mix(hashed) >>> (64 - remainderBits);
  }

  /** The first cell of a fingerprint's bucket in a table. */
  private int bucket(int table, long hashed) {
    int shift = KeyedHash.position(remainder(hashed), table, buckets);
    int bucket = (int) (((long) KeyedHash.reduce(hashed, buckets) + shift) % buckets);
    return (table * buckets + bucket) * CELLS;
  }

  private long counter(int cell) {
    return cells.get(cell) >>> remainderBits;
  }

  private boolean holds(int cell, long remainder) {
    long value = cells.get(cell);
    return value >>> remainderBits > 0 && (value & ((1L << remainderBits) - 1)) == remainder;
  }

  @Override
  public boolean mayContain(Bytes element) {
    return count(element) > 0;
  }

  @Override
  public int count(Bytes element) {
    long hashed = hash.of(element);
    long remainder = remainder(hashed);
    int count = 0;
    for (int table = 0; table < TABLES; table++) {
      int first = bucket(table, hashed);
      for (int cell = first; cell < first + CELLS; cell++) {
        count += holds(cell, remainder) ? (int) counter(cell) : 0;
      }
    }
    return count;
  }

  @Override
  public long bits() {
    return cells.bits();
  }

  @Override
  public double expectedRate() {
    // Each cell in use matches one fingerprint. One added more than three times takes several
    // cells; this is neglected.
    return cellsUsed / Math.scalb((double) buckets, remainderBits);
  }

  @Override
  public boolean add(Bytes element) {
    long hashed = hash.of(element);
    long remainder = remainder(hashed);
    int free = -1;
    int most = 0;
    for (int table = 0; table < TABLES; table++) {
      int first = bucket(table, hashed);
      int freeHere = 0;
      int lastFree = -1;
      for (int cell = first; cell < first + CELLS; cell++) {
        if (holds(cell, remainder) && counter(cell) < FULL) {
          put(cell, counter(cell) + 1, remainder);
          return true;
        }
        if (counter(cell) == 0) {
          freeHere++;
          lastFree = cell;
        }
      }
      if (freeHere > most) {
        most = freeHere;
        free = lastFree;
      }
    }
    if (free < 0) {
      return false;
    }
    put(free, 1, remainder);
    cellsUsed++;
    return true;
  }

  private void put(int cell, long counter, long remainder) {
    cells.set(cell, counter << remainderBits | remainder);
  }

  @Override
  public boolean delete(Bytes element) {
    long hashed = hash.of(element);
    long remainder = remainder(hashed);
    for (int table = 0; table < TABLES; table++) {
      int first = bucket(table, hashed);
      for (int cell = first; cell < first + CELLS; cell++) {
        if (holds(cell, remainder)) {
          long left = counter(cell) - 1;
          put(cell, left, left == 0 ? 0 : remainder);
          cellsUsed -= left == 0 ? 1 : 0;
          return true;
        }
      }
    }
    return false;
  }
}
