package org.murmur.bip37.internal.gcs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.internal.gcs.GolombCodedSet.Parameters;

class FilterMatcherTest {

  private static final Hash256 BLOCK = DoubleSha256.of(Bytes.ofHex("b10c"));

  private static GolombCodedSet filter(Collection<Bytes> scripts, Hash256 block) {
    return GolombCodedSet.of(Parameters.basic(block), scripts);
  }

  private static FilterMatcher matcher(Collection<Bytes> scripts) {
    FilterMatcher matcher = new FilterMatcher();
    scripts.forEach(matcher::add);
    return matcher;
  }

  private static List<Bytes> random(int count, Random random) {
    List<Bytes> scripts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      byte[] script = new byte[i % 2 == 0 ? 22 : 34];
      random.nextBytes(script);
      scripts.add(Bytes.wrap(script));
    }
    return scripts;
  }

  @Property(tries = 500)
  void missesNoScript(
      @ForAll @Size(min = 1, max = 60) Set<@Size(min = 1, max = 80) List<Byte>> drawn,
      @ForAll long block) {
    List<Bytes> scripts = drawn.stream().map(GolombCodedSetTest::bytes).toList();
    Hash256 hash = DoubleSha256.of(new ByteWriter().int64(block).toBytes());

    assertThat(matcher(scripts).match(filter(scripts, hash).toPayload(), hash))
        .isEqualTo(IntStream.range(0, scripts.size()).toArray());
  }

  @Property(tries = 60)
  void findsWhatSortingAndMergingFinds(
      @ForAll Random random,
      @ForAll @IntRange(max = 3000) int elements,
      @ForAll @IntRange(max = 300) int foreign) {
    List<Bytes> members = random(elements, random);
    GolombCodedSet filter = filter(members, BLOCK);
    List<Bytes> scripts = random(foreign, random);
    members.stream().filter(m -> random.nextInt(20) == 0).limit(150).forEach(scripts::add);
    Collections.shuffle(scripts, random);

    int[] found = matcher(scripts).match(filter.toPayload(), BLOCK);

    assertThat(found).hasSize(filter.countContained(scripts));
    assertThat(IntStream.of(found)).allMatch(i -> filter.mayContain(scripts.get(i)));
  }

  /** The bitmap alone would let a foreign script pass once in 16 tests. */
  @Test
  void tellsForeignScriptsOfAFullBlockApart() {
    Random random = new Random(5);
    List<Bytes> members = random(8_500, random);

    assertThat(matcher(random(2_000, random)).match(filter(members, BLOCK).toPayload(), BLOCK))
        .isEmpty();
  }

  /**
   * Of 40 million tests 51 are expected to match, with a deviation of 7.1; five of it is allowed.
   */
  @Test
  void matchesForeignScriptsAtTheRateOfBip158() {
    Random random = new Random(6);
    FilterMatcher matcher = matcher(random(20_000, random));
    // Under another block's key the values are as random as those of its own filter.
    Bytes filter = filter(random(100, random), BLOCK).toPayload();
    int found = 0;
    for (int i = 0; i < 2_000; i++) {
      found += matcher.match(filter, DoubleSha256.of(new ByteWriter().int32(i).toBytes())).length;
    }
    assertThat(found).isBetween(51 - 36, 51 + 36);
  }

  @Property(tries = 60)
  void grownOneMatchesLikeAFreshOne(
      @ForAll Random random, @ForAll @Size(max = 5) List<@IntRange(max = 40) Integer> steps) {
    List<Bytes> scripts = new ArrayList<>();
    FilterMatcher grown = new FilterMatcher();
    for (int step : steps) {
      for (Bytes script : random(step, random)) {
        assertThat(grown.add(script)).isEqualTo(scripts.size());
        scripts.add(script);
      }
      assertThat(grown.size()).isEqualTo(scripts.size());
      List<Bytes> members = random(50, random);
      scripts.stream().filter(s -> random.nextInt(4) == 0).forEach(members::add);
      Bytes filter = filter(members, BLOCK).toPayload();

      int[] all = grown.match(filter, BLOCK);
      assertThat(all).isEqualTo(matcher(scripts).match(filter, BLOCK));
      int from = random.nextInt(scripts.size() + 1);
      assertThat(grown.match(filter, BLOCK, from))
          .isEqualTo(IntStream.of(all).filter(i -> i >= from).toArray());
    }
  }

  @Test
  void forgetsTheFilterBefore() {
    List<Bytes> scripts = random(40, new Random(7));
    FilterMatcher matcher = matcher(scripts);
    matcher.match(filter(scripts, BLOCK).toPayload(), BLOCK);
    assertThat(matcher.match(Bytes.ofHex("00"), BLOCK)).isEmpty();

    Bytes one = filter(scripts.subList(3, 4), BLOCK).toPayload();
    assertThat(matcher.match(one, BLOCK)).containsExactly(3);
  }

  @Test
  void addsNoEmptyScript() {
    FilterMatcher matcher = new FilterMatcher();
    assertThatIllegalArgumentException().isThrownBy(() -> matcher.add(Bytes.EMPTY));
    assertThat(matcher.size()).isZero();
    assertThat(matcher.match(filter(random(9, new Random(8)), BLOCK).toPayload(), BLOCK)).isEmpty();
  }

  /**
   * One element of 20 bits needs three bytes, such as 7ffff0: it is 2^19 - 1, and four zeros
   * follow.
   */
  @ParameterizedTest
  @CsvSource({
    "'', no count",
    "fd, half a count",
    "01, no element",
    "0000, a byte is left",
    "fd0100 7ffff0, a count of 3 bytes",
    "feffffff7f 00000000, 2^31 elements and more",
    "ff00000000000000ff 00000000, 2^63 elements and more",
    "02 7ffff0, one element of two",
    "01 ffff7f, half an element",
    "01 7ffff1, a bit is left",
    "01 7ffff000, a byte is left",
    "01 ffffff, unary code without an end",
    "01 bfffe0, a value above the range",
    "03 ffffffffffffffff, unary code without an end",
    "01 fffffffffffffffffffffffffffffffe 000000, a value far above the range"
  })
  void refuses(String hex, String why) {
    FilterMatcher matcher = new FilterMatcher();
    assertThatThrownBy(() -> matcher.match(Bytes.ofHex(hex.replace(" ", "")), BLOCK))
        .as(why)
        .isInstanceOf(MalformedException.class);
    assertThat(matcher.match(Bytes.ofHex("017ffff0"), BLOCK)).isEmpty();
  }

  @Test
  void refusesTheLongestUnaryCodeAtOnce() {
    byte[] filter = new byte[4_000_000];
    Arrays.fill(filter, 1, filter.length, (byte) 0xff);
    filter[0] = 1;
    assertThatThrownBy(() -> new FilterMatcher().match(Bytes.wrap(filter), BLOCK))
        .isInstanceOf(MalformedException.class);
  }

  @Property(tries = 3000)
  void acceptsExactlyWhatIsWrittenSo(
      @ForAll Random random,
      @ForAll @IntRange(max = 12) int elements,
      @ForAll @IntRange(max = 3) int flips,
      @ForAll @IntRange(min = -2, max = 2) int longer) {
    byte[] bytes = filter(random(elements, random), BLOCK).toPayload().toArray();
    int length = Math.max(0, bytes.length + (random.nextBoolean() ? longer : 0));
    byte[] damaged = Arrays.copyOf(bytes, length);
    for (int i = 0; i < flips && length > 0; i++) {
      damaged[random.nextInt(length)] ^= (byte) (1 << random.nextInt(8));
    }
    Bytes filter = Bytes.wrap(damaged);

    assertThat(accepts(filter)).isEqualTo(isWrittenSo(filter));
  }

  @Property(tries = 2000)
  void refusesAnyBytesByOneException(@ForAll @Size(max = 40) List<Byte> filter) {
    Bytes bytes = GolombCodedSetTest.bytes(filter);
    assertThat(accepts(bytes)).isEqualTo(isWrittenSo(bytes));
  }

  private static boolean accepts(Bytes filter) {
    try {
      assertThat(matcher(random(3, new Random(9))).match(filter, BLOCK)).isSorted();
      return true;
    } catch (MalformedException refused) {
      return false;
    }
  }

  /** Whether the values of a filter can be read, are in the range, and give the same bytes. */
  private static boolean isWrittenSo(Bytes filter) {
    try {
      ByteReader in = new ByteReader(filter.unsafeArray());
      long count = in.compactSize();
      BitInput bits = new BitInput(filter.unsafeArray(), in.position());
      BitOutput out = new BitOutput();
      long value = 0;
      for (long i = 0; Long.compareUnsigned(i, count) < 0; i++) {
        long step = bits.readRice(Parameters.BASIC_P);
        value += step;
        if (value >= count * Parameters.BASIC_M) {
          return false;
        }
        out.writeUnary(step >>> Parameters.BASIC_P);
        out.write(step, Parameters.BASIC_P);
      }
      return new ByteWriter().compactSize(count).bytes(out.toBytes()).toBytes().equals(filter);
    } catch (MalformedException e) {
      return false;
    }
  }
}
