package org.murmur.lab.families;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Supplier;
import org.fastfilter.Filter;
import org.fastfilter.cuckoo.Cuckoo16;
import org.fastfilter.cuckoo.Cuckoo8;
import org.fastfilter.utils.Hash;
import org.fastfilter.xor.Xor8;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;

/**
 * The families of the library fastfilter. Its keys are numbers of 64 bits: an element's keyed hash.
 * Its filters are sized for their initial elements. Their bits are not accessible, so each filter
 * has a {@link LibraryModel}.
 */
final class FastFilters {

  private static final int ATTEMPTS = 50;

  /** Held while the library draws seeds: it has one source for all threads. */
  private static final Object LOCK = new Object();

  private FastFilters() {}

  static List<FilterFamily> families() {
    return List.of(
        family(
            "counting-fastfilter",
            Set.of(Feature.ADD, Feature.DELETE),
            rate -> Counting.COUNTER_BITS * Theory.bloomBits(rate),
            BloomShape::refusal,
            Counting::filter,
            Counting::model),
        family(
            "blocked-fastfilter",
            Set.of(Feature.ADD),
            Blocked::bitsInTheory,
            Blocked::refusal,
            Blocked::filter,
            Blocked::model),
        family(
            "cuckoo-fastfilter",
            Set.of(),
            rate -> (Theory.bound(rate) + Theory.log2(2 * Cuckoo.BUCKET)) / Cuckoo.LOAD,
            Cuckoo::refusal,
            Cuckoo::filter,
            Cuckoo::model),
        family(
            "xor-fastfilter",
            Set.of(),
            rate -> 1.23 * Theory.bound(rate),
            Xor::refusal,
            (plan, keys) -> Xor8.construct(keys),
            Xor::model));
  }

  /** Makes a filter of the library from distinct keys. */
  private interface Construction {
    Filter filter(Plan plan, long[] keys);
  }

  private interface Modelling {
    LibraryModel model(Plan plan, Filter filter, long librarySeed);
  }

  private static FilterFamily family(
      String name,
      Set<Feature> features,
      DoubleUnaryOperator bits,
      FilterFamily.Limits limits,
      Construction construction,
      Modelling modelling) {
    return new FilterFamily(
        name,
        "fastfilter 1.0.2",
        features,
        bits,
        limits,
        (family, plan, elements) -> make(family, plan, elements, construction, modelling));
  }

  private static SetFilter make(
      FilterFamily family,
      Plan planned,
      Collection<Bytes> elements,
      Construction construction,
      Modelling modelling) {
    for (int attempt = 0; ; attempt++) {
      Plan plan = planned.attempt(attempt);
      KeyedHash hash = new KeyedHash(plan.seed());
      long[] keys = elements.stream().mapToLong(hash::of).distinct().toArray();
      try {
        Filter filter = seeded(plan, () -> construction.filter(plan, keys));
        LibraryModel model = modelling.model(plan, filter, seeded(plan, Hash::randomSeed));
        for (long key : keys) {
          model.added(key);
        }
        return new Wrapped(family, plan, filter, model);
      } catch (IllegalStateException | UnsupportedOperationException full) {
        // A cuckoo table with too many moves, or a counter that would overflow: another seed may
        // work.
        if (attempt == ATTEMPTS) {
          throw full;
        }
      }
    }
  }

  /** Makes an object whose library seeds are derived from ours. */
  private static <T> T seeded(Plan plan, Supplier<T> maker) {
    synchronized (LOCK) {
      Hash.setSeed(plan.seed());
      return maker.get();
    }
  }

  private static final class Wrapped extends SetFilter {
    private final Filter filter;
    private final LibraryModel model;

    Wrapped(FilterFamily family, Plan plan, Filter filter, LibraryModel model) {
      super(family, plan);
      this.filter = filter;
      this.model = model;
    }

    @Override
    public boolean mayContain(Bytes element) {
      return filter.mayContain(hash.of(element));
    }

    @Override
    public long bits() {
      return filter.getBitCount();
    }

    @Override
    public double expectedRate() {
      return model.rate();
    }

    @Override
    public double textbookRate() {
      return model.textbookRate();
    }

    @Override
    public boolean add(Bytes element) {
      if (!family.can(Feature.ADD)) {
        return super.add(element);
      }
      long key = hash.of(element);
      model.added(key);
      try {
        filter.add(key);
      } catch (UnsupportedOperationException full) {
        return false;
      }
      return true;
    }

    @Override
    public boolean delete(Bytes element) {
      if (!family.can(Feature.DELETE)) {
        return super.delete(element);
      }
      long key = hash.of(element);
      if (!filter.mayContain(key)) {
        return false;
      }
      filter.remove(key);
      model.removed(key);
      return true;
    }
  }

  /**
   * A counting Bloom filter of four-bit counters. A counter that would exceed 15 throws in the
   * middle of an insertion; the insertion is then refused. The counters raised before it stay
   * raised. This forgets nothing, but adds false positives.
   */
  private static final class Counting {

    static final int COUNTER_BITS = 4;

    static Filter filter(Plan plan, long[] keys) {
      return org.fastfilter.bloom.count.CountingBloom.construct(
          keys, Theory.bloomBits(plan.rate()));
    }

    static LibraryModel model(Plan plan, Filter filter, long seed) {
      int functions = (int) Math.max(1, Math.round(Theory.bloomBits(plan.rate()) * Theory.LN2));
      int places = Math.toIntExact(filter.getBitCount() / COUNTER_BITS);
      return new LibraryModel.Counters(seed, functions, places);
    }
  }

  /**
   * A blocked Bloom filter of four functions: two bits in a 64-bit word and two in one of the 16
   * words after it.
   */
  private static final class Blocked {

    private static final int WORD = 64;

    /** The number of words after those that may hold a first pair. */
    private static final int EXTRA_WORDS = 17;

    private static final int MAX_BITS = 64;

    static double bitsInTheory(double rate) {
      double low = 1;
      double high = 1e6;
      for (int step = 0; step < 100; step++) {
        double middle = (low + high) / 2;
        if (rate(WORD / middle) > rate) {
          low = middle;
        } else {
          high = middle;
        }
      }
      return high;
    }

    static @Nullable String refusal(Plan plan) {
      return bitsInTheory(plan.rate()) <= MAX_BITS
          ? null
          : "four functions would take more than " + MAX_BITS + " bits for each element";
    }

    /** The rate of a large table. */
    private static double rate(double elementsForWord) {
      double set = pairSet(2 * elementsForWord);
      return set * set;
    }

    /** The chance that both bits of a pair are set in a word that holds some pairs. */
    private static double pairSet(double pairs) {
      double oneClear = Math.exp(-pairs * (1 - Math.pow(1 - 1.0 / WORD, 2)));
      double twoClear = Math.exp(-pairs * (1 - Math.pow(1 - 2.0 / WORD, 2)));
      // The two bits of a queried pair may be the same.
      return (1 - oneClear) / WORD + (1 - 2 * oneClear + twoClear) * (WORD - 1) / WORD;
    }

    static Filter filter(Plan plan, long[] keys) {
      int bits = (int) Math.ceil(bitsInTheory(plan.rate()));
      return org.fastfilter.bloom.BlockedBloom.construct(keys, bits);
    }

    static LibraryModel model(Plan plan, Filter filter, long seed) {
      int starts = (int) (filter.getBitCount() / WORD) - EXTRA_WORDS;
      return new LibraryModel.PairsOfWords(seed, Math.max(1, starts));
    }
  }

  /** Cuckoo filters with fingerprints of 8 or 16 bits; equal ones are stored once. */
  private static final class Cuckoo {

    static final int BUCKET = 4;
    static final double LOAD = 0.95;

    /** The number of buckets is rounded down to an even one: small tables would be too full. */
    private static final int MIN_KEYS = 500;

    private static double rate(int width, double heldByBucket) {
      return -Math.expm1(2 * heldByBucket * Math.log1p(-Math.scalb(1.0, -width)));
    }

    private static int width(double rate) {
      return rate(8, BUCKET * LOAD) <= rate ? 8 : 16;
    }

    static @Nullable String refusal(Plan plan) {
      if (plan.capacity() < MIN_KEYS) {
        return "the library overfills tables below " + MIN_KEYS + " elements";
      }
      return rate(16, BUCKET * LOAD) <= plan.rate()
          ? null
          : "the library has fingerprints of 8 and 16 bits only";
    }

    static Filter filter(Plan plan, long[] keys) {
      return width(plan.rate()) == 8 ? Cuckoo8.construct(keys) : Cuckoo16.construct(keys);
    }

    static LibraryModel model(Plan plan, Filter filter, long seed) {
      int width = width(plan.rate());
      double buckets = filter.getBitCount() / (BUCKET * (double) width);
      return LibraryModel.of(held -> rate(width, held / buckets), null);
    }
  }

  /**
   * The xor filter with fingerprints of 8 bits. Its rate is not 1/256, because the library takes an
   * element's fingerprint and its second place from the same hash bits. So elements that share that
   * place have similar fingerprints, and there are a fifth more false positives. The array shows
   * the exact rate. With 16 bits the same happens, up to three times too often in small sets, but
   * that array is not accessible.
   */
  private static final class Xor {

    /** In thirds with few places, two keys may share all places and can never be separated. */
    private static final int MIN_KEYS = 32;

    private static final int WIDTH = 8;
    private static final int VALUES = 1 << WIDTH;

    /** Size and seed come before the array. */
    private static final int HEADER_BYTES = 12;

    /** The second place depends on the lowest 11 bits of the hash, then on its highest. */
    private static final int LOW_BITS = 11;

    private static final int GRID_BITS = 22;

    static @Nullable String refusal(Plan plan) {
      if (plan.capacity() < MIN_KEYS) {
        return "the library may try for ever below " + MIN_KEYS + " elements";
      }
      return plan.rate() >= 1.3 / VALUES ? null : "with its 8 bits the library reaches 0.005";
    }

    static LibraryModel model(Plan plan, Filter filter, long seed) {
      return LibraryModel.of(held -> rate(((Xor8) filter).getData()), 1.0 / VALUES);
    }

    /** The chance that a non-member's three places give its fingerprint. */
    private static double rate(byte[] data) {
      int part = (data.length - HEADER_BYTES) / 3;
      double[] first = new double[VALUES];
      double[] third = new double[VALUES];
      for (int place = 0; place < part; place++) {
        first[data[HEADER_BYTES + place] & 0xff] += 1.0 / part;
        third[data[HEADER_BYTES + 2 * part + place] & 0xff] += 1.0 / part;
      }
      // The second place together with the fingerprint, over a grid of the bits that determine
      // them.
      double[] second = new double[VALUES];
      for (long bits = 0; bits < 1L << GRID_BITS; bits++) {
        int place = (int) ((bits * part) >>> GRID_BITS);
        int fingerprint = (int) (bits >>> (GRID_BITS - LOW_BITS)) & (VALUES - 1);
        int value = data[HEADER_BYTES + part + place] & 0xff;
        second[value ^ fingerprint] += 1.0 / (1L << GRID_BITS);
      }
      double rate = 0;
      for (int a = 0; a < VALUES; a++) {
        for (int b = 0; b < VALUES; b++) {
          rate += first[a] * third[b] * second[a ^ b];
        }
      }
      return rate;
    }
  }
}
