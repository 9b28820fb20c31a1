package org.murmur.bip37;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.MalformedException;

class BloomFilterTest {

  private static final Bytes MEMBER = Bytes.ofHex("99108ad8ed9bb6274d3980bab5a85c048f0950c8");
  private static final Bytes STRANGER = Bytes.ofHex("19108ad8ed9bb6274d3980bab5a85c048f0950c8");

  static List<JsonNode> vectors() {
    return Vectors.cases("bloom/bloom_serialize.json");
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void serialisesAsPublished(JsonNode vector) {
    UpdateFlag flag = UpdateFlag.ofCode(vector.get("flags").asInt());
    for (Rounding rounding : Rounding.values()) {
      FilterParameters parameters =
          FilterParameters.of(
              vector.get("elements").asLong(),
              vector.get("false_positive_rate").asDouble(),
              (int) vector.get("tweak").asLong(),
              flag,
              rounding);
      BloomFilter.Builder builder = BloomFilter.builder(parameters);
      for (JsonNode element : vector.get("insert_in_order")) {
        assertThat(builder.build().contains(Bytes.ofHex(element.asText()))).isFalse();
        builder.add(Bytes.ofHex(element.asText()));
        assertThat(builder.build().contains(Bytes.ofHex(element.asText()))).isTrue();
      }
      BloomFilter filter = builder.build();
      assertThat(filter.toPayload().toHex()).isEqualTo(vector.get("serialized").asText());
      assertThat(BloomFilter.fromPayload(filter.toPayload())).isEqualTo(filter);
    }
  }

  @Test
  void distinguishesMembersFromOthers() {
    BloomFilter filter =
        BloomFilter.builder(FilterParameters.of(3, 0.01, 0, UpdateFlag.ALL, Rounding.CORE))
            .add(MEMBER)
            .build();
    assertThat(filter.contains(MEMBER)).isTrue();
    assertThat(filter.contains(STRANGER)).isFalse();
  }

  /** The filter of Bitcoin Core's functional test p2p_filter. */
  @Test
  void serialisesTheFilterOfCoresFunctionalTest() {
    FilterParameters parameters = FilterParameters.of(10, 1e-6, 0, UpdateFlag.ALL, Rounding.CORE);
    BloomFilter filter =
        BloomFilter.builder(parameters)
            .add(Bytes.ofHex("ffffffffffffffffffffffffffffffffffffffff"))
            .build();
    assertThat(parameters.bytes()).isEqualTo(35);
    assertThat(parameters.hashFunctions()).isEqualTo(19);
    assertThat(filter.toPayload().toHex())
        .isEqualTo(
            "23400008008000002000c000200400082400048000002000000000800000400002402000"
                + "130000000000000001");
    assertThat(filter.bitsSet()).isEqualTo(19);
  }

  @ParameterizedTest
  @CsvSource({
    "03614e9b050000000000000001, 12, 3.327106, 0.03125",
    "03ce4299050000000100008001, 11, 2.942901, 0.020226"
  })
  void measuresItself(String payload, int set, double elements, double rate) {
    BloomFilter filter = BloomFilter.fromPayload(Bytes.ofHex(payload));
    assertThat(filter.bitsSet()).isEqualTo(set);
    assertThat(filter.load()).isEqualTo(set / 24.0);
    assertThat(filter.estimatedElements()).isCloseTo(elements, within(1e-6));
    assertThat(filter.realisedRate()).isCloseTo(rate, within(1e-6));
  }

  @Test
  void withoutBytesMatchesEverythingAndTakesNothing() {
    BloomFilter empty = BloomFilter.fromPayload(Bytes.ofHex("00050000000000000001"));
    assertThat(empty.isEmpty()).isTrue();
    assertThat(empty.contains(MEMBER)).isTrue();
    assertThat(empty.contains(Bytes.EMPTY)).isTrue();
    assertThat(empty.with(MEMBER)).isEqualTo(empty);
    assertThat(empty.load()).isEqualTo(1);
    assertThat(empty.realisedRate()).isEqualTo(1);
  }

  @Test
  void withoutFunctionsMatchesEverything() {
    BloomFilter filter = BloomFilter.fromPayload(Bytes.ofHex("0100000000000000000000"));
    assertThat(filter.isEmpty()).isFalse();
    assertThat(filter.contains(MEMBER)).isTrue();
    assertThat(filter.realisedRate()).isEqualTo(1);
  }

  @Test
  void takesTheLargestFilterAndRefusesALargerOne() {
    byte[] data = new byte[36_000];
    FilterParameters largest = new FilterParameters(36_000, 50, -1, UpdateFlag.NONE);
    BloomFilter filter = BloomFilter.builder(largest).add(data, 0, 20).build();
    assertThat(BloomFilter.fromPayload(filter.toPayload())).isEqualTo(filter);

    byte[] larger = new byte[3 + 36_001 + 9];
    larger[0] = (byte) 0xfd;
    larger[1] = (byte) (36_001 & 0xff);
    larger[2] = (byte) (36_001 >> 8);
    assertThatThrownBy(() -> BloomFilter.fromPayload(Bytes.wrap(larger)))
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining("36001");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", // nothing
        "03614e9b0500000000000000", // no flags
        "03614e9b05000000000000000100", // a byte left over
        "03614e9b330000000000000001", // 51 functions
        "03614e9bffffffff0000000001", // 2^32 - 1 functions
        "fd0300614e9b050000000000000001", // the length not in its shortest form
        "ffffffffffffffffff614e9b050000000000000001", // a length beyond all bounds
      })
  void refusesMalformedInput(String payload) {
    assertThatThrownBy(() -> BloomFilter.fromPayload(Bytes.ofHex(payload)))
        .isInstanceOf(MalformedException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "0,NONE",
    "1,ALL",
    "2,P2PUBKEY_ONLY",
    "3,NONE",
    "4,NONE",
    "5,ALL",
    "254,P2PUBKEY_ONLY"
  })
  void readsTheFlagsByteAsCoreDoes(int code, UpdateFlag flag) {
    assertThat(UpdateFlag.ofCode(code)).isEqualTo(flag);
    String payload = "03614e9b0500000000000000" + String.format("%02x", code);
    assertThat(BloomFilter.fromPayload(Bytes.ofHex(payload)).parameters().flag()).isEqualTo(flag);
  }

  @Test
  void staysTheSameWhenTheBuilderContinues() {
    BloomFilter.Builder builder =
        BloomFilter.builder(new FilterParameters(100, 5, 1, UpdateFlag.NONE)).add(MEMBER);
    BloomFilter first = builder.build();
    BloomFilter second = builder.add(STRANGER).build();
    assertThat(first.contains(STRANGER)).isFalse();
    assertThat(second).isEqualTo(first.with(STRANGER)).hasSameHashCodeAs(first.with(STRANGER));
    assertThat(second).isNotEqualTo(first);
  }

  @Property(tries = 300)
  void agreesWithBitcoinj(
      @ForAll @IntRange(min = 1, max = 3000) int elements,
      @ForAll @IntRange(min = 3, max = 90) int tenthsOfADigit,
      @ForAll int tweak,
      @ForAll @Size(max = 60) List<byte[]> members,
      @ForAll @Size(max = 60) List<byte[]> strangers) {
    double rate = Math.pow(10, -tenthsOfADigit / 10.0);
    org.bitcoinj.core.BloomFilter theirs =
        new org.bitcoinj.core.BloomFilter(
            elements, rate, tweak, org.bitcoinj.core.BloomFilter.BloomUpdate.UPDATE_ALL);
    BloomFilter.Builder builder =
        BloomFilter.builder(
            FilterParameters.of(elements, rate, tweak, UpdateFlag.ALL, Rounding.BITCOINJ));
    for (byte[] member : members) {
      theirs.insert(member);
      builder.add(Bytes.of(member));
    }
    BloomFilter ours = builder.build();
    assertThat(ours.toPayload()).isEqualTo(Bytes.of(theirs.serialize()));
    assertThat(members).allMatch(member -> ours.contains(Bytes.of(member)));
    for (byte[] stranger : strangers) {
      assertThat(ours.contains(Bytes.of(stranger))).isEqualTo(theirs.contains(stranger));
    }
  }

  @Property(tries = 300)
  void decodesItsOwnEncoding(
      @ForAll @IntRange(max = 2000) int bytes,
      @ForAll @IntRange(max = 50) int functions,
      @ForAll int tweak,
      @ForAll UpdateFlag flag,
      @ForAll @Size(max = 20) List<byte[]> members) {
    BloomFilter.Builder builder =
        BloomFilter.builder(new FilterParameters(bytes, functions, tweak, flag));
    members.forEach(member -> builder.add(member, 0, member.length));
    BloomFilter filter = builder.build();
    BloomFilter decoded = BloomFilter.fromPayload(filter.toPayload());
    assertThat(decoded).isEqualTo(filter).hasSameHashCodeAs(filter);
    assertThat(decoded.toPayload()).isEqualTo(filter.toPayload());
  }

  /**
   * False positives as many as the bits promise. Twelve filters at 4 standard deviations: a correct
   * filter fails here once in a thousand seeds, and the seeds are fixed.
   */
  @Test
  void hasTheRateThatItsBitsPromise() {
    long seed = 1;
    System.out.println("BloomFilterTest rate seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    int[] lengths = {20, 32, 33, 36, 65, 72};
    for (int round = 0; round < 12; round++) {
      int length = lengths[round % lengths.length];
      double rate = round < 6 ? 1e-2 : 1e-3;
      FilterParameters parameters =
          FilterParameters.of(1000, rate, random.nextInt(), UpdateFlag.NONE, Rounding.CORE);
      BloomFilter.Builder builder = BloomFilter.builder(parameters);
      byte[] element = new byte[length];
      for (int i = 0; i < 1000; i++) {
        random.nextBytes(element);
        builder.add(element, 0, length);
      }
      BloomFilter filter = builder.build();
      int hits = 0;
      int trials = 300_000;
      for (int i = 0; i < trials; i++) {
        random.nextBytes(element);
        hits += filter.contains(element, 0, length) ? 1 : 0;
      }
      FilterTheory.Interval measured = FilterTheory.wilson(hits, trials, 4);
      assertThat(measured.holds(filter.realisedRate()))
          .as("%d of %d for %s, promised %s", hits, trials, filter, filter.realisedRate())
          .isTrue();
      assertThat(filter.realisedRate()).isCloseTo(parameters.expectedRate(1000), within(rate / 3));
      assertThat(filter.estimatedElements()).isCloseTo(1000, within(40.0));
    }
  }

  @Test
  void forgetsNoElementOfALargeFilter() {
    SplittableRandom random = new SplittableRandom(3);
    FilterParameters parameters =
        FilterParameters.of(20_000, 1e-3, 99, UpdateFlag.NONE, Rounding.CORE);
    BloomFilter.Builder builder = BloomFilter.builder(parameters);
    List<Bytes> members = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      byte[] element = new byte[20 + i % 17];
      random.nextBytes(element);
      members.add(Bytes.wrap(element));
      builder.add(members.get(i));
    }
    BloomFilter filter = builder.build();
    assertThat(members).allMatch(filter::contains);
  }
}
