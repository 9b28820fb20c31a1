package org.murmur.bip37.internal.gcs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
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
  void readsAUnaryPartAndThenTheLowestBits() {
    BitInput input = new BitInput(bytes("11111111 0 010 10 110 0 001 1111111110 111"), 1);
    assertThat(input.readRice(3)).isEqualTo(0b010);
    assertThat(input.readRice(0)).isEqualTo(1);
    assertThat(input.readRice(4)).isEqualTo(0b10_0001);
    assertThat(input.readRice(3)).isEqualTo(0b1001_111);
    assertThat(input.atEnd()).isTrue();
  }

  @Property
  void readsBackWhatWasWritten(
      @ForAll @IntRange(max = 32) int p,
      @ForAll @Size(max = 30) List<@LongRange(min = 0, max = 300) Long> upper,
      @ForAll Random random) {
    BitOutput output = new BitOutput();
    List<Long> numbers = new ArrayList<>();
    for (long ones : upper) {
      long low = random.nextLong() & (1L << p) - 1;
      output.writeUnary(ones);
      output.write(low, p);
      numbers.add(ones << p | low);
    }

    BitInput input = new BitInput(output.toBytes().toArray(), 0);

    assertThat(numbers).allMatch(number -> input.readRice(p) == number);
    assertThat(input.atEnd()).isTrue();
  }

  @Test
  void bitsThatEndTooEarlyAreRefused() {
    for (String bits : List.of("", "11111111", "11111110", "0 1111111", "1".repeat(800))) {
      assertThatThrownBy(() -> new BitInput(bytes(bits), 0).readRice(8))
          .isInstanceOf(MalformedException.class);
    }
    assertThat(new BitInput(bytes("0 1111111"), 0).readRice(7)).isEqualTo(127);
  }

  @Test
  void onlyZerosOfTheLastByteMayBeLeft() {
    BitInput one = new BitInput(bytes("0010 0001"), 0);
    one.readRice(3);
    assertThat(one.atEnd()).isFalse();
    BitInput zeros = new BitInput(bytes("0010 0000"), 0);
    zeros.readRice(3);
    assertThat(zeros.atEnd()).isTrue();
    BitInput byteLeft = new BitInput(new byte[2], 0);
    byteLeft.readRice(7);
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
