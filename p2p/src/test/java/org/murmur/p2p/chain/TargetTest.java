package org.murmur.p2p.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Hash256;

class TargetTest {

  private static final BigInteger ALL = BigInteger.ONE.shiftLeft(256);

  /** The cases of Core's arith_uint256 tests (bignum_SetCompact). */
  @ParameterizedTest
  @CsvSource({
    "01123456, 12, 01120000",
    "02123456, 1234, 02123400",
    "03123456, 123456, 03123456",
    "04123456, 12345600, 04123456",
    "05009234, 92340000, 05009234",
    "20123456, 1234560000000000000000000000000000000000000000000000000000000000, 20123456",
    "1d00ffff, ffff0000000000000000000000000000000000000000000000000000, 1d00ffff",
    "207fffff, 7fffff0000000000000000000000000000000000000000000000000000000000, 207fffff",
    "02008000, 80, 02008000",
  })
  void decodesAndShortens(String bits, String value, String canonical) {
    Target target = Target.ofBits((int) Long.parseLong(bits, 16));
    assertThat(target.value()).isEqualTo(new BigInteger(value, 16));
    assertThat(Target.of(target.value()).bits()).isEqualTo((int) Long.parseLong(canonical, 16));
    assertThat(target).hasToString("0".repeat(64 - value.length()) + value);
  }

  /** Zero, negative and overflowing numbers. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "00000000", "00123456", "01003456", "02000056", "03000000", "04000000", "00923456",
        "01803456", "02800056", "03800000", "04800000", "01fedcba", "04923456", "ff123456",
        "23000001", "22000100", "21010000"
      })
  void refuses(String hex) {
    int bits = (int) Long.parseLong(hex, 16);
    assertThat(Target.decode(bits)).isNull();
    assertThatThrownBy(() -> Target.ofBits(bits)).isInstanceOf(IllegalArgumentException.class);
  }

  @Property
  void shorteningKeepsTheTopBits(@ForAll long seed) {
    Random random = new Random(seed);
    BigInteger value = new BigInteger(1 + random.nextInt(256), random).add(BigInteger.ONE);
    Target target = Target.of(value);
    assertThat(target.value()).isLessThanOrEqualTo(value);
    assertThat(value.subtract(target.value()).bitLength())
        .isLessThanOrEqualTo(Math.max(0, value.bitLength() - 15));
    assertThat(Target.of(target.value()).bits()).isEqualTo(target.bits());
    assertThat(Target.ofBits(target.bits())).isEqualTo(target);
  }

  @Property
  void comparesLikeNumbers(@ForAll long seed) {
    Random random = new Random(seed);
    Target target = Target.of(new BigInteger(1 + random.nextInt(256), random).add(BigInteger.ONE));
    BigInteger nearby = target.value().add(BigInteger.valueOf(random.nextInt(5) - 2));
    BigInteger far = new BigInteger(256, random).shiftRight(random.nextInt(256));
    for (BigInteger number : List.of(target.value(), nearby, far)) {
      if (number.signum() >= 0 && number.bitLength() <= 256) {
        Hash256 hash = Hash256.ofDisplay(String.format("%064x", number));
        assertThat(target.isReachedBy(hash)).isEqualTo(number.compareTo(target.value()) <= 0);
      }
    }
  }

  @Test
  void workIsTheMeanNumberOfHashes() {
    assertThat(Target.ofBits(0x207fffff).work().hashes()).isEqualTo(2);
    assertThat(Target.ofBits(0x1d00ffff).work().hashes()).isEqualTo(0x100010001L);
    Target one = Target.of(BigInteger.ONE);
    assertThat(one.work().hashes()).isEqualTo(ALL.divide(BigInteger.TWO));
    assertThat(Target.of(ALL.subtract(BigInteger.ONE)).work().hashes()).isEqualTo(1);
  }

  @Test
  void workDoesNotFitIntoTwelveBytes() {
    ChainWork twelve = ChainWork.of(BigInteger.ONE.shiftLeft(96).subtract(BigInteger.ONE));
    ChainWork more = twelve.plus(ChainWork.of(BigInteger.ONE));
    assertThat(more.isMoreThan(twelve)).isTrue();
    assertThat(twelve.isMoreThan(more)).isFalse();
    assertThat(more.isMoreThan(more)).isFalse();
    assertThat(more).hasToString("0".repeat(39) + "1" + "0".repeat(24));
    assertThat(ChainWork.ofHex(more.toString())).isEqualTo(more).hasSameHashCodeAs(more);
    ChainWork all = Target.of(BigInteger.ONE).work().times(2);
    assertThat(all.hashes()).isEqualTo(ALL);
    assertThat(all.isMoreThan(more)).isTrue();
  }

  /** From one period's first header to the next: 2,015 of the old target and one of the new. */
  @ParameterizedTest
  @ValueSource(strings = {"mainnet", "signet"})
  void workAddsUpToThePublicLists(String network) throws IOException {
    List<String[]> rows = rows(network);
    Target target = Target.ofBits(ChainParams.ofName(network).rules().limitBits());
    ChainWork sum = target.work(); // genesis
    for (String[] row : rows) {
      Target next = Target.ofBits((int) Long.parseLong(row[4], 16));
      sum = sum.plus(target.work().times(2015)).plus(next.work());
      assertThat(sum).as("height %s", row[0]).isEqualTo(ChainWork.ofHex(row[5]));
      assertThat(Target.of(next.value()).bits()).isEqualTo(next.bits());
      assertThat(next.isReachedBy(Hash256.ofDisplay(row[1]))).isTrue();
      target = next;
    }
  }

  /** The rest of the period that the first list ends with, then whole periods. */
  @Test
  void workAddsUpToTheListOfEnds() throws IOException {
    List<String[]> starts = rows("mainnet");
    ChainWork sum = ChainWork.ofHex(starts.get(starts.size() - 1)[5]);
    int blocks = 2_015;
    for (String[] row : rows("mainnet-ends")) {
      Target target = Target.ofBits((int) Long.parseLong(row[2], 16));
      sum = sum.plus(target.work().times(blocks));
      assertThat(sum).as("height %s", row[0]).isEqualTo(ChainWork.ofHex(row[3]));
      assertThat(target.isReachedBy(Hash256.ofDisplay(row[1]))).isTrue();
      blocks = 2_016;
    }
  }

  static List<String[]> rows(String network) throws IOException {
    String name = "/vectors/checkpoints/" + network + ".csv";
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(TargetTest.class.getResourceAsStream(name)),
                StandardCharsets.UTF_8))) {
      return reader.lines().skip(1).map(line -> line.split(",")).toList();
    }
  }
}
