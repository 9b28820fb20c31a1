package org.murmur.bip37;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.bitcoinj.core.BloomFilter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.bytes.Hex;

class MurmurHash3Test {

  static List<JsonNode> vectors() {
    return Vectors.cases("bloom/murmur3.json");
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void hashesAsPublished(JsonNode vector) {
    byte[] data = Hex.parse(vector.get("data").asText());
    int hash = MurmurHash3.hash((int) vector.get("seed").asLong(), data, 0, data.length);
    assertThat(Integer.toUnsignedLong(hash)).isEqualTo(vector.get("hash").asLong());
  }

  @Property
  void agreesWithBitcoinj(
      @ForAll @Size(max = 100) byte[] data, @ForAll int tweak, @ForAll byte before) {
    byte[] shifted = new byte[data.length + 2];
    shifted[0] = before;
    System.arraycopy(data, 0, shifted, 1, data.length);
    // Theirs reduces the hash modulo the size of a filter; the largest one loses fewest bits.
    byte[] filter = new byte[36_000];
    int functionThree = 3 * 0xfba4c795 + tweak;
    long ours = Integer.toUnsignedLong(MurmurHash3.hash(functionThree, shifted, 1, data.length));
    assertThat(ours % 288_000)
        .isEqualTo(BloomFilter.murmurHash3(filter, Integer.toUnsignedLong(tweak), 3, data));
  }
}
