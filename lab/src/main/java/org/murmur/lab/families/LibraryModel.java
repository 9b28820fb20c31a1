package org.murmur.lab.families;

import java.util.BitSet;
import java.util.function.IntToDoubleFunction;
import org.fastfilter.utils.Hash;
import org.jspecify.annotations.Nullable;

/**
 * A theoretical model of one filter of the library fastfilter, whose bits are not accessible. It is
 * notified of every key added and removed, and derives the filter's content from them.
 */
interface LibraryModel {

  /** Records a key that was passed to the filter, even if the filter refused it. */
  void added(long key);

  default void removed(long key) {
    throw new UnsupportedOperationException("nothing is removed from this kind");
  }

  double rate();

  /** The rate by the usual formula for this kind of filter. */
  default double textbookRate() {
    return rate();
  }

  /** A model that needs only the number of keys. */
  static LibraryModel of(IntToDoubleFunction rate, @Nullable Double textbook) {
    return new LibraryModel() {
      private int held;

      @Override
      public void added(long key) {
        held++;
      }

      @Override
      public double rate() {
        return rate.applyAsDouble(held);
      }

      @Override
      public double textbookRate() {
        return textbook == null ? rate() : textbook;
      }
    };
  }

  /** Four-bit counters at positions derived from the two halves of one hash. */
  final class Counters implements LibraryModel {

    private static final int FULL = 15;

    private final long seed;
    private final int functions;
    private final int[] counters;

    Counters(long seed, int functions, int places) {
      this.seed = seed;
      this.functions = functions;
      this.counters = new int[places];
    }

    private int place(long hash, int i) {
      return TwoHashes.FASTFILTER.position(hash >>> 32, hash, i, counters.length);
    }

    /** A full counter ends the insertion; the counters before it stay raised. */
    @Override
    public void added(long key) {
      long hash = Hash.hash64(key, seed);
      for (int i = 0; i < functions && counters[place(hash, i)] < FULL; i++) {
        counters[place(hash, i)]++;
      }
    }

    @Override
    public void removed(long key) {
      long hash = Hash.hash64(key, seed);
      for (int i = 0; i < functions; i++) {
        counters[place(hash, i)]--;
      }
    }

    private BitSet set() {
      BitSet set = new BitSet(counters.length);
      for (int place = 0; place < counters.length; place++) {
        set.set(place, counters[place] > 0);
      }
      return set;
    }

    @Override
    public double rate() {
      return TwoHashes.FASTFILTER.rate(set(), counters.length, functions, seed);
    }

    @Override
    public double textbookRate() {
      return Math.pow(set().cardinality() / (double) counters.length, functions);
    }
  }

  /**
   * Words of 64 bits: an element has two bits in one of the first words and two in one of the 16
   * words after it. A few words at both ends are emptier than the others.
   */
  final class PairsOfWords implements LibraryModel {

    private static final int WORD = 64;
    private static final int SPREAD = 16;

    private final long seed;
    private final int starts;
    private final long[] words;

    PairsOfWords(long seed, int starts) {
      this.seed = seed;
      this.starts = starts;
      this.words = new long[starts + SPREAD];
    }

    @Override
    public void added(long key) {
      long hash = Hash.hash64(key, seed);
      int start = Hash.reduce((int) hash, starts);
      long mixed = hash ^ Long.rotateLeft(hash, 32);
      words[start] |= pair(mixed);
      words[start + 1 + (int) (mixed >>> 60)] |= pair(mixed >>> 12);
    }

    private static long pair(long bits) {
      return 1L << bits | 1L << (bits >>> 6);
    }

    /** Both bits of a pair are drawn from all 64, so a word matches with the square of its load. */
    @Override
    public double rate() {
      double[] squares = new double[words.length];
      for (int i = 0; i < words.length; i++) {
        double load = Long.bitCount(words[i]) / (double) WORD;
        squares[i] = load * load;
      }
      double sum = 0;
      for (int start = 0; start < starts; start++) {
        for (int after = 1; after <= SPREAD; after++) {
          sum += squares[start] * squares[start + after];
        }
      }
      return sum / starts / SPREAD;
    }
  }
}
