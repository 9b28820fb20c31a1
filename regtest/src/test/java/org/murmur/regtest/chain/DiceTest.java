package org.murmur.regtest.chain;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;

/** All draws follow from these numbers, on every platform. */
class DiceTest {

  /** The first numbers of SplitMix64, as its authors' splitmix64.c prints them. */
  @Test
  void drawsTheNumbersOfSplitMix64() {
    Dice zero = new Dice(0);
    assertThat(zero.number()).isEqualTo(0xe220a8397b1dcdafL);
    assertThat(zero.number()).isEqualTo(0x6e789e6aa1b965f4L);
    assertThat(zero.number()).isEqualTo(0x06c45d188009454fL);
    Dice other = new Dice(1_234_567);
    assertThat(Long.toUnsignedString(other.number())).isEqualTo("6457827717110365317");
    assertThat(Long.toUnsignedString(other.number())).isEqualTo("3203168211198807973");
    assertThat(Long.toUnsignedString(other.number())).isEqualTo("9817491932198370423");
  }

  /** The least significant byte of a number comes first; a part of a number is its beginning. */
  @Test
  void bytesAreNumbersInLittleEndian() {
    assertThat(new Dice(0).bytes(8)).isEqualTo(Bytes.ofHex("afcd1d7b39a820e2"));
    assertThat(new Dice(0).bytes(11)).isEqualTo(Bytes.ofHex("afcd1d7b39a820e2f465b9"));
  }

  @Test
  void numbersBelowABoundAreRemaindersOfUnsignedOnes() {
    BigInteger first = new BigInteger("e220a8397b1dcdaf", 16);
    assertThat(new Dice(0).below(1000)).isEqualTo(first.mod(BigInteger.valueOf(1000)).intValue());
    long bound = 1L << 40;
    assertThat(new Dice(0).below(bound))
        .isEqualTo(first.mod(BigInteger.valueOf(bound)).longValue());
    assertThat(new Dice(0).between(10, 1009)).isEqualTo(10 + new Dice(0).below(1000));
  }

  @Test
  void aRangeOfOneIsThatOne() {
    assertThat(new Dice(5).between(7, 7)).isEqualTo(7);
    assertThat(new Dice(5).below(1)).isZero();
  }

  @Test
  void fractionsAreTheUpper53Bits() {
    double expected =
        new BigInteger("e220a8397b1dcdaf", 16).shiftRight(11).doubleValue() / Math.pow(2, 53);
    assertThat(new Dice(0).fraction()).isEqualTo(expected).isLessThan(1);
    Dice dice = new Dice(3);
    for (int i = 0; i < 1000; i++) {
      assertThat(dice.chance(0)).isFalse();
      assertThat(dice.chance(1)).isTrue();
    }
  }
}
