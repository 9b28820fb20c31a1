package org.murmur.bip37.internal.gcs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.internal.gcs.GolombCodedSet.Parameters;

class GolombCodedSetTest {

  private static final SipHash HASH = new SipHash(1, 2);

  @Property(tries = 300)
  void neverForgets(
      @ForAll @Size(max = 60) Set<@Size(max = 40) List<Byte>> drawn,
      @ForAll @IntRange(max = 32) int p,
      @ForAll @IntRange(min = 1) int m,
      @ForAll long key) {
    // Not far more than 2^P per step, or the unary part alone would take the memory of a block.
    long bounded = Math.min(m, Math.max(1, 8L << p));
    Parameters parameters = new Parameters(p, bounded, new SipHash(key, ~key));
    List<Bytes> elements = drawn.stream().map(GolombCodedSetTest::bytes).toList();

    GolombCodedSet set = GolombCodedSet.of(parameters, elements);

    assertThat(elements).allMatch(set::mayContain);
    assertThat(set.countContained(elements)).isEqualTo(elements.size());
    assertThat(set.elements()).isEqualTo(elements.size());
  }

  @Test
  void takesTheBitsPerElementThatTheCodeExpects() {
    // privacy.md section 6, at BIP-0158's parameters.
    Parameters basic = new Parameters(Parameters.BASIC_P, Parameters.BASIC_M, HASH);
    assertThat(basic.bitsPerElement()).isCloseTo(21.0524, within(0.0001));

    GolombCodedSet set = GolombCodedSet.of(basic, random(20_000, 7));

    // A step has 2 bits beyond P + 1 with a deviation of about 1.5: three of its mean are 0.03.
    assertThat(set.codeBits() / 20_000.0).isCloseTo(21.0524, within(0.035));
  }

  @Test
  void choosesTheSmallestCodeForARate() {
    for (double rate : new double[] {0.3, 0.1, 0.03, 1e-2, 1e-3, 1e-4, 1e-6, 1.0 / 784_931}) {
      Parameters chosen = Parameters.forRate(rate, HASH);
      assertThat(1.0 / chosen.m()).isCloseTo(rate, within(0.12 * rate));
      for (int p = 0; p < 25; p++) {
        double other = new Parameters(p, chosen.m(), HASH).bitsPerElement();
        assertThat(chosen.bitsPerElement()).isLessThanOrEqualTo(other + 0.02);
      }
    }
    assertThat(Parameters.forRate(1.0 / 784_931, HASH).p()).isEqualTo(19);
    assertThatThrownBy(() -> Parameters.forRate(1, HASH))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static List<Bytes> random(int count, long seed) {
    Random random = new Random(seed);
    List<Bytes> elements = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      byte[] element = new byte[20];
      random.nextBytes(element);
      elements.add(Bytes.wrap(element));
    }
    return elements;
  }

  static Bytes bytes(List<Byte> list) {
    byte[] array = new byte[list.size()];
    for (int i = 0; i < array.length; i++) {
      array[i] = list.get(i);
    }
    return Bytes.wrap(array);
  }

  @Property
  void thePlaceIsTheUpperHalfOfTheProduct(
      @ForAll long hash, @ForAll @LongRange(min = 0) long range) {
    BigInteger unsigned = new BigInteger(Long.toUnsignedString(hash));
    BigInteger product = unsigned.multiply(BigInteger.valueOf(range));
    assertThat(GolombCodedSet.place(hash, range)).isEqualTo(product.shiftRight(64).longValue());
  }
}
