package org.murmur.lab.families;

import java.util.Arrays;
import java.util.Set;
import org.murmur.bip37.bytes.Bytes;

/**
 * The quotient filter (Bender et al. 2012): a hash table of fingerprints with linear probing. The
 * slot gives the upper part of the fingerprint, the quotient; only the remainder is stored. Each
 * slot has three bits: whether the slot's own quotient has a run of remainders anywhere
 * ("occupied"), whether the remainder continues the run of the slot before, and whether it was
 * shifted away from its own slot. So all fingerprints can be read back: the filter can delete,
 * merge and double. Doubling moves a bit from each remainder to the quotient.
 *
 * <p>Equal fingerprints are stored as often as they were added. The number of slots need not be a
 * power of two: a fingerprint is a number below slots · 2^remainder.
 */
final class QuotientFilter extends SetFilter {

  /** Share of slots in use; the paper gives 0.75 to 0.95 as the maximum. */
  private static final double LOAD = 0.9;

  private static final int METADATA_BITS = 3;

  static final FilterFamily FAMILY =
      new FilterFamily(
          "quotient",
          FilterFamily.OURS,
          Set.of(Feature.ADD, Feature.DELETE, Feature.GROW, Feature.MERGE, Feature.COUNT),
          rate -> (Theory.bound(rate) + Theory.log2(LOAD) + METADATA_BITS) / LOAD,
          plan -> remainder(plan.rate()) <= 30 ? null : "remainders of more than 30 bits",
          FilterFamily.filling((family, plan, more) -> new QuotientFilter(family, plan)));

  private static int remainder(double rate) {
    return Theory.widthFor(rate / LOAD);
  }

  /** The number of possible fingerprints; doubling does not change it. */
  private final long range;

  private int held;
  private Table table;

  QuotientFilter(FilterFamily family, Plan plan) {
    super(family, plan);
    int slots = (int) Math.ceil(plan.capacity() / LOAD) + 1;
    int remainder = remainder(plan.rate());
    this.range = (long) slots << remainder;
    this.table = new Table(slots, remainder);
  }

  private long fingerprint(Bytes element) {
    return KeyedHash.reduce(hash.of(element), range);
  }

  @Override
  public boolean mayContain(Bytes element) {
    return table.count(fingerprint(element)) > 0;
  }

  @Override
  public int count(Bytes element) {
    return table.count(fingerprint(element));
  }

  @Override
  public long bits() {
    return (long) table.slots * (table.remainder + METADATA_BITS);
  }

  @Override
  public double expectedRate() {
    return Arrays.stream(table.fingerprints()).distinct().count() / (double) range;
  }

  @Override
  public boolean add(Bytes element) {
    return add(fingerprint(element));
  }

  private boolean add(long fingerprint) {
    if (held + 1 > LOAD * table.slots) {
      if (table.remainder == 1 || table.slots > 1 << 28) {
        return false;
      }
      grow();
    }
    table.add(fingerprint);
    held++;
    return true;
  }

  private void grow() {
    Table larger = new Table(2 * table.slots, table.remainder - 1);
    for (long fingerprint : table.fingerprints()) {
      larger.add(fingerprint);
    }
    table = larger;
  }

  @Override
  public boolean delete(Bytes element) {
    long fingerprint = fingerprint(element);
    if (table.count(fingerprint) == 0) {
      return false;
    }
    table.remove(fingerprint);
    held--;
    return true;
  }

  @Override
  public void merge(SetFilter other) {
    QuotientFilter same = (QuotientFilter) samePlan(other);
    for (long fingerprint : same.table.fingerprints()) {
      if (!add(fingerprint)) {
        throw new IllegalStateException("no room for the union");
      }
    }
  }

  /**
   * The slots, in a circle. Used slots form stretches with an empty slot after each. A change reads
   * the stretch around a slot and rewrites it.
   */
  private static final class Table {
    private static final int OCCUPIED = 1;
    private static final int CONTINUATION = 2;
    private static final int SHIFTED = 4;

    private final int slots;
    private final int remainder;

    /** Each remainder above the three bits of its slot. */
    private final PackedArray cells;

    Table(int slots, int remainder) {
      this.slots = slots;
      this.remainder = remainder;
      this.cells = new PackedArray(slots, remainder + METADATA_BITS);
    }

    private int next(int slot) {
      return slot + 1 == slots ? 0 : slot + 1;
    }

    private int previous(int slot) {
      return slot == 0 ? slots - 1 : slot - 1;
    }

    private boolean has(int slot, int bit) {
      return (cells.get(slot) & bit) != 0;
    }

    /** No bit is set: a remainder in its own slot sets "occupied", any other sets "shifted". */
    private boolean isEmpty(int slot) {
      return !has(slot, OCCUPIED | CONTINUATION | SHIFTED);
    }

    int count(long fingerprint) {
      int own = (int) (fingerprint >>> remainder);
      if (!has(own, OCCUPIED)) {
        return 0;
      }
      long wanted = fingerprint & ((1L << remainder) - 1);
      int slot = startOfRun(own);
      int count = 0;
      do {
        count += cells.get(slot) >>> METADATA_BITS == wanted ? 1 : 0;
        slot = next(slot);
      } while (has(slot, CONTINUATION));
      return count;
    }

    /**
     * Goes back to a slot that is not shifted, then forward by one run for each quotient between.
     */
    private int startOfRun(int own) {
      int quotient = own;
      while (has(quotient, SHIFTED)) {
        quotient = previous(quotient);
      }
      int slot = quotient;
      while (quotient != own) {
        do {
          slot = next(slot);
        } while (has(slot, CONTINUATION));
        do {
          quotient = next(quotient);
        } while (!has(quotient, OCCUPIED));
      }
      return slot;
    }

    /** Adds a fingerprint. At least one slot stays empty. */
    void add(long fingerprint) {
      int start = startOfStretch(fingerprint);
      long[] old = read(start);
      long[] more = Arrays.copyOf(old, old.length + 1);
      int at = old.length;
      while (at > 0 && distance(start, fingerprint) < distance(start, old[at - 1])) {
        more[at] = old[at - 1];
        at--;
      }
      more[at] = fingerprint;
      write(start, more);
    }

    void remove(long fingerprint) {
      int start = startOfStretch(fingerprint);
      long[] old = read(start);
      for (int i = 0, slot = start; i < old.length; i++, slot = next(slot)) {
        cells.set(slot, 0);
      }
      long[] fewer = new long[old.length - 1];
      int at = 0;
      while (old[at] != fingerprint) {
        fewer[at] = old[at];
        at++;
      }
      System.arraycopy(old, at + 1, fewer, at, fewer.length - at);
      write(start, fewer);
    }

    /** The first slot after an empty one; the fingerprint's own slot if that is empty. */
    private int startOfStretch(long fingerprint) {
      int start = (int) (fingerprint >>> remainder);
      while (!isEmpty(start) && !isEmpty(previous(start))) {
        start = previous(start);
      }
      return start;
    }

    /** The distance from the start of a stretch to a fingerprint's own slot. */
    private int distance(int start, long fingerprint) {
      return Math.floorMod((int) (fingerprint >>> remainder) - start, slots);
    }

    /** The fingerprints of a stretch in the order of their slots. */
    private long[] read(int start) {
      int length = 0;
      for (int slot = start; !isEmpty(slot); slot = next(slot)) {
        length++;
      }
      long[] stretch = new long[length];
      int quotient = start;
      int slot = start;
      for (int i = 0; i < length; i++) {
        if (i > 0 && !has(slot, CONTINUATION)) {
          do {
            quotient = next(quotient);
          } while (!has(quotient, OCCUPIED));
        }
        stretch[i] = (long) quotient << remainder | cells.get(slot) >>> METADATA_BITS;
        slot = next(slot);
      }
      return stretch;
    }

    /** Writes fingerprints: each to its own slot, or to the next free one if that is taken. */
    private void write(int start, long[] stretch) {
      int at = -1;
      for (int i = 0; i < stretch.length; i++) {
        int own = distance(start, stretch[i]);
        at = Math.max(at + 1, own);
        long flags = at == own ? 0 : SHIFTED;
        if (i > 0 && own == distance(start, stretch[i - 1])) {
          flags |= CONTINUATION;
        }
        long value = stretch[i] & ((1L << remainder) - 1);
        cells.set((int) (((long) start + at) % slots), value << METADATA_BITS | flags);
      }
      for (long fingerprint : stretch) {
        int own = (int) (fingerprint >>> remainder);
        cells.set(own, cells.get(own) | OCCUPIED);
      }
    }

    /** All fingerprints, stretch by stretch. */
    long[] fingerprints() {
      long[] all = new long[slots];
      int count = 0;
      for (int slot = 0; slot < slots; slot++) {
        if (!isEmpty(slot) && isEmpty(previous(slot))) {
          for (long fingerprint : read(slot)) {
            all[count++] = fingerprint;
          }
        }
      }
      return Arrays.copyOf(all, count);
    }
  }
}
