package org.murmur.bip37.internal.gcs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.MalformedException;

/** Bits of BIP-0158, against a string of ones and zeros. */
class BitInputTest {

  private static byte[] bytes(String bits) {
    StringBuilder whole = new StringBuilder(bits.replace(" ", ""));
    while (whole.length() % 8 != 0) {
      whole.append('0');
    }
    byte[] bytes = new byte[whole.length() / 8];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(whole.substring(8 * i, 8 * i + 8), 2);
    }
    return bytes;
  }

  @Test
  void theMostSignificantBitComesFirst() {
    BitInput input = new BitInput(bytes("1 010 11001100 1111"));
    assertThat(input.read(1)).isEqualTo(1);
    assertThat(input.read(3)).isEqualTo(0b010);
    assertThat(input.read(8)).isEqualTo(0b11001100);
    assertThat(input.read(4)).isEqualTo(0b1111);
    assertThat(input.atEnd()).isTrue();
  }

  @Test
  void unaryCountsOnesUpToAZero() {
    BitInput input = new BitInput(bytes("0 10 1111111111110 1"));
    assertThat(input.readUnary()).isZero();
    assertThat(input.readUnary()).isEqualTo(1);
    assertThat(input.readUnary()).isEqualTo(12);
    assertThat(input.read(1)).isEqualTo(1);
  }

  @Test
  void bitsThatEndTooEarlyAreRefused() {
    BitInput input = new BitInput(bytes("11111111"));
    assertThatThrownBy(input::readUnary).isInstanceOf(MalformedException.class);
    assertThatThrownBy(() -> new BitInput(new byte[1]).read(9))
        .isInstanceOf(MalformedException.class);
  }

  @Test
  void onlyZerosOfTheLastByteMayBeLeft() {
    BitInput one = new BitInput(bytes("1010 0001"));
    one.read(4);
    assertThat(one.atEnd()).isFalse();
    BitInput zeros = new BitInput(bytes("1010 0000"));
    zeros.read(4);
    assertThat(zeros.atEnd()).isTrue();
    BitInput byteLeft = new BitInput(new byte[2]);
    byteLeft.read(8);
    assertThat(byteLeft.atEnd()).as("a whole byte is left").isFalse();
  }

  @Test
  void writesAStringOfBits() {
    Random random = new Random(4);
    BitOutput output = new BitOutput();
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      if (random.nextInt(4) == 0) {
        int ones = random.nextInt(80);
        output.writeUnary(ones);
        expected.append("1".repeat(ones)).append('0');
      } else {
        int count = 1 + random.nextInt(40);
        BigInteger value = new BigInteger(count, random);
        output.write(value.longValueExact(), count);
        String digits = value.toString(2);
        expected.append("0".repeat(count - (value.signum() == 0 ? 0 : digits.length())));
        expected.append(value.signum() == 0 ? "" : digits);
      }
    }
    assertThat(output.bits()).isEqualTo(expected.length());
    assertThat(output.toBytes()).isEqualTo(Bytes.wrap(bytes(expected.toString())));
  }
}
