package org.murmur.lab.families;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The arithmetic that all filter families share, against numbers of any length. */
class TheoryTest {

  /** A Bloom filter of 1 in 1,024 takes 10 bits at least, and 14.43 (Bloom 1970: 1.44 times). */
  @Test
  void boundsOfAThousandth() {
    assertThat(Theory.bound(1.0 / 1024)).isCloseTo(10, within(1e-12));
    assertThat(Theory.bloomBits(1.0 / 1024)).isCloseTo(14.4269504, within(1e-6));
    assertThat(Theory.log2(8)).isCloseTo(3, within(1e-12));
  }

  /** The least width at which a fingerprint is at least as rare, found by trying. */
  @ParameterizedTest
  @ValueSource(doubles = {0.9, 0.5, 0.49, 0.25, 0.1, 1.0 / 1024, 0.000976, 1e-6, 1e-9})
  void widthIsTheLeastThatIsRareEnough(double rate) {
    int width = 1;
    while (Math.pow(0.5, width) > rate) {
      width++;
    }
    assertThat(Theory.widthFor(rate)).isEqualTo(width);
  }

  /** The upper 64 bits of hash times range, without a sign. */
  @Test
  void reducingIsAMultiplicationOfUnsignedNumbers() {
    Random random = new Random(8);
    for (int i = 0; i < 2_000; i++) {
      long hash = i == 0 ? -1 : random.nextLong();
      long range = 1 + (random.nextLong() >>> (2 + random.nextInt(60)));
      BigInteger unsigned = new BigInteger(Long.toUnsignedString(hash));
      long expected = unsigned.multiply(BigInteger.valueOf(range)).shiftRight(64).longValueExact();
      assertThat(KeyedHash.reduce(hash, range)).isEqualTo(expected);
      if (range <= Integer.MAX_VALUE) {
        assertThat(KeyedHash.reduce(hash, (int) range)).isEqualTo((int) expected);
      }
    }
  }

  /** The first numbers of SplitMix64 from seed 0, as its authors' program prints them. */
  @Test
  void mixesAsSplitMix64Does() {
    assertThat(KeyedHash.mix(KeyedHash.GOLDEN)).isEqualTo(0xe220a8397b1dcdafL);
    assertThat(KeyedHash.mix(KeyedHash.GOLDEN << 1)).isEqualTo(0x6e789e6aa1b965f4L);
    assertThat(KeyedHash.mix(0)).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 8, 31, 32, 33, 59, 63})
  void packedNumbersStandSideBySide(int width) {
    int length = 130;
    PackedArray packed = new PackedArray(length, width);
    BigInteger mask = BigInteger.ONE.shiftLeft(width).subtract(BigInteger.ONE);
    BigInteger all = BigInteger.ZERO;
    Random random = new Random(width);
    for (int i = 0; i < 2_000; i++) {
      int at = random.nextInt(length);
      long value = new BigInteger(width, random).longValueExact();
      packed.set(at, value);
      all = all.andNot(mask.shiftLeft(at * width));
      all = all.or(BigInteger.valueOf(value).shiftLeft(at * width));
    }
    for (int at = 0; at < length; at++) {
      assertThat(packed.get(at))
          .as("number %d", at)
          .isEqualTo(all.shiftRight(at * width).and(mask).longValueExact());
    }
    assertThat(packed.bits()).isEqualTo(130L * width);
  }
}
