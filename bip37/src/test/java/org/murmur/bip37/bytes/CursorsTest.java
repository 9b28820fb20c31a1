package org.murmur.bip37.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.bitcoinj.base.Sha256Hash;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** ByteWriter and ByteReader. */
class CursorsTest {

  private static ByteReader reader(String hex) {
    return new ByteReader(Hex.parse(hex));
  }

  @Property
  void readsTheWrittenData(
      @ForAll byte b, @ForAll short s, @ForAll int i, @ForAll long l, @ForAll byte[] bytes) {
    ByteWriter out = new ByteWriter();
    out.uint8(b & 0xff).uint16(s & 0xffff).uint16BigEndian(s & 0xffff).int32(i).int32(i).int64(l);
    out.compactSize(l).varBytes(Bytes.of(bytes)).bytes(bytes, 0, bytes.length);
    ByteReader in = new ByteReader(out.toArray());
    assertThat(in.remaining()).isEqualTo(out.length());
    assertThat(in.uint8()).isEqualTo(b & 0xff);
    assertThat(in.uint16()).isEqualTo(s & 0xffff);
    assertThat(in.uint16BigEndian()).isEqualTo(s & 0xffff);
    assertThat(in.int32()).isEqualTo(i);
    assertThat(in.uint32()).isEqualTo(Integer.toUnsignedLong(i));
    assertThat(in.int64()).isEqualTo(l);
    assertThat(in.compactSize()).isEqualTo(l);
    assertThat(in.varBytes()).isEqualTo(Bytes.of(bytes));
    assertThat(in.bytes(bytes.length)).isEqualTo(Bytes.of(bytes));
    in.expectEnd();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 00",
    "252, fc",
    "253, fdfd00",
    "65535, fdffff",
    "65536, fe00000100",
    "4294967295, feffffffff",
    "4294967296, ff0000000001000000",
    "-1, ffffffffffffffffff",
  })
  void writesTheShortestSize(long value, String hex) {
    assertThat(new ByteWriter().compactSize(value).toBytes().toHex()).isEqualTo(hex);
    assertThat(reader(hex).compactSize()).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fdfc00", "fe00ff0000", "ffffffffff00000000", "fd00", "fe", ""})
  void refusesLongerAndCutSizes(String hex) {
    assertThatThrownBy(() -> reader(hex).compactSize()).isInstanceOf(MalformedException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"05aabbccdd", "ffffffffffffffffffaa", "fdffffaa", "ff000000000000008000"})
  void refusesACountThatCannotBe(String hex) {
    assertThatThrownBy(() -> reader(hex).varBytes()).isInstanceOf(MalformedException.class);
  }

  @Property
  void hashesKeepTheirBytesInBothOrders(@ForAll @Size(32) byte[] bytes) {
    Hash256 hash = Hash256.ofInternal(bytes);
    assertThat(hash.toInternal()).isEqualTo(bytes);
    assertThat(Hash256.ofDisplay(hash.toDisplay())).isEqualTo(hash).hasSameHashCodeAs(hash);
    StringBuilder reversed = new StringBuilder();
    for (int i = 31; i >= 0; i--) {
      reversed.append(String.format("%02x", bytes[i]));
    }
    assertThat(hash.toString()).isEqualTo(reversed.toString());
    byte[] shifted = new byte[40];
    hash.write(shifted, 5);
    assertThat(Hash256.read(shifted, 5)).isEqualTo(hash);
  }

  @Property
  void hashesCompareAsUnsignedNumbers(@ForAll @Size(32) byte[] a, @ForAll @Size(32) byte[] b) {
    Hash256 x = Hash256.ofInternal(a);
    Hash256 y = Hash256.ofInternal(b);
    BigInteger p = new BigInteger(x.toDisplay(), 16);
    BigInteger q = new BigInteger(y.toDisplay(), 16);
    assertThat(Integer.signum(x.compareTo(y))).isEqualTo(p.compareTo(q));
  }

  @Property
  void hexGoesThereAndBack(@ForAll byte[] bytes) {
    assertThat(Hex.parse(Hex.format(bytes))).isEqualTo(bytes);
    assertThat(Hex.parse(Hex.format(bytes).toUpperCase(Locale.ROOT))).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0g", "é0", "٣٣", " 0"})
  void refusesTextThatIsNoHex(String text) {
    assertThatThrownBy(() -> Hex.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Property
  void doubleSha256AgreesWithBitcoinj(@ForAll byte[] bytes, @ForAll @Size(32) byte[] other) {
    Hash256 hash = DoubleSha256.of(Bytes.of(bytes));
    assertThat(hash.toInternal()).isEqualTo(Sha256Hash.hashTwice(bytes));
    Hash256 right = Hash256.ofInternal(other);
    assertThat(DoubleSha256.ofPair(hash, right).toInternal())
        .isEqualTo(Sha256Hash.hashTwice(hash.toInternal(), other));
  }
}
