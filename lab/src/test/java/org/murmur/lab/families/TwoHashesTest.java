package org.murmur.lab.families;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import com.google.common.hash.Hashing;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.commons.collections4.bloomfilter.EnhancedDoubleHasher;
import org.apache.commons.collections4.bloomfilter.Shape;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.FilterTheory;

class TwoHashesTest {

  private static final long SEED = 8;

  @Test
  void positionsAreCommonsCollections() {
    Random dice = new Random(SEED);
    for (int round = 0; round < 200; round++) {
      int places = 20 + dice.nextInt(1000);
      int functions = 1 + dice.nextInt(15);
      long first = dice.nextLong();
      long second = dice.nextLong();
      int[] theirs =
          new EnhancedDoubleHasher(first, second)
              .indices(Shape.fromKM(functions, places))
              .asIndexArray();
      int[] ours =
          IntStream.range(0, functions)
              .map(i -> TwoHashes.COLLECTIONS.position(first, second, i, places))
              .toArray();
      assertThat(ours).as("seed %s round %s", SEED, round).isEqualTo(theirs);
    }
  }

  @Test
  void positionsAreGuavas() throws Exception {
    Random dice = new Random(SEED);
    for (int round = 0; round < 50; round++) {
      byte[] element = new byte[20];
      dice.nextBytes(element);
      BloomFilter<byte[]> one =
          BloomFilter.create(Funnels.byteArrayFunnel(), 10 + dice.nextInt(300), 1e-3);
      one.put(element);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      one.writeTo(out);
      // Strategy, number of functions, number of words; then the words.
      ByteBuffer written = ByteBuffer.wrap(out.toByteArray());
      int functions = written.get(1);
      BitSet theirs = BitSet.valueOf(written.position(6).asLongBuffer());
      int places = 8 * (out.size() - 6);
      ByteBuffer hash =
          ByteBuffer.wrap(Hashing.murmur3_128().hashBytes(element).asBytes())
              .order(java.nio.ByteOrder.LITTLE_ENDIAN);
      long first = hash.getLong();
      long second = hash.getLong();
      BitSet ours = new BitSet();
      for (int i = 0; i < functions; i++) {
        ours.set(TwoHashes.GUAVA.position(first, second, i, places));
      }
      assertThat(ours).as("seed %s round %s", SEED, round).isEqualTo(theirs);
    }
  }

  /** 64 places divide 2^63, so that two residues decide all: every pair of them is tried. */
  @Test
  void theRateIsTheShareOfAllPairsOfHashes() {
    int places = 64;
    int functions = 5;
    BitSet set = new BitSet();
    for (int i = 0; i < functions; i++) {
      set.set(TwoHashes.GUAVA.position(17, 11, i, places));
    }
    int hits = 0;
    for (int first = 0; first < places; first++) {
      for (int second = 0; second < places; second++) {
        boolean covered = true;
        for (int i = 0; i < functions; i++) {
          covered &= set.get((first + i * second) % places);
        }
        hits += covered ? 1 : 0;
      }
    }
    // The element itself, the same from its other end, and five that stay in one place at least.
    assertThat(hits).isGreaterThanOrEqualTo(7);
    double exact = hits / (double) (places * places);
    long asked = 1L << 20;
    double found = TwoHashes.GUAVA.rate(set, places, functions, SEED);
    assertThat(FilterTheory.wilson(Math.round(found * asked), asked, 3.3).holds(exact)).isTrue();
    // The textbook: five of 64 places are set, to the power of five.
    assertThat(exact / Math.pow(functions / (double) places, functions)).isGreaterThan(500);
  }

  /**
   * In an array that is large for its two hashes the textbook holds for any way to make the k
   * positions.
   */
  @Test
  void aLargeArrayKeepsToTheTextbook() {
    int places = 1 << 16;
    int functions = 4;
    Random dice = new Random(SEED);
    BitSet set = new BitSet();
    while (set.cardinality() < places / 2) {
      set.set(dice.nextInt(places));
    }
    for (TwoHashes hashes : TwoHashes.values()) {
      assertThat(hashes.rate(set, places, functions, SEED))
          .as(hashes.name())
          .isCloseTo(1.0 / 16, within(0.002));
    }
  }
}
