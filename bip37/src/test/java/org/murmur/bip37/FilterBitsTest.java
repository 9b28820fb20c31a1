package org.murmur.bip37;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The fast look-ups against BIP-0037's definition, written down plainly. */
class FilterBitsTest {

  private static BitSet bitsOf(byte[] element, int offset, int length, int k, int tweak, int bits) {
    BitSet set = new BitSet();
    for (int i = 0; i < k; i++) {
      int hash = MurmurHash3.hash(i * 0xfba4c795 + tweak, element, offset, length);
      set.set((int) (Integer.toUnsignedLong(hash) % bits));
    }
    return set;
  }

  @Test
  void findsExactlyTheBitsOfTheDefinitionForEveryLength() {
    long seed = 20_261_121;
    System.out.println("FilterBitsTest seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 20_000; round++) {
      int length = round % 8 < 4 ? new int[] {20, 32, 33, 36}[round % 4] : random.nextInt(80);
      int offset = random.nextInt(5);
      byte[] data = new byte[offset + length + random.nextInt(3)];
      random.nextBytes(data);
      int bytes = round % 3 == 0 ? 1 + random.nextInt(40) : 1 + random.nextInt(36_000);
      int k = 1 + random.nextInt(50);
      int tweak = random.nextInt();
      BitSet expected = bitsOf(data, offset, length, k, tweak, 8 * bytes);

      FilterBits filter = new FilterBits(new byte[bytes], k, tweak);
      assertThat(filter.contains(data, offset, length)).isFalse();
      filter.add(data, offset, length);
      assertThat(BitSet.valueOf(filter.data())).isEqualTo(expected);
      assertThat(filter.contains(data, offset, length)).isTrue();

      // With any one of its bits cleared the element is gone.
      int cleared =
          expected.stream().skip(random.nextInt(expected.cardinality())).findFirst().getAsInt();
      filter.data()[cleared >> 3] &= (byte) ~(1 << (cleared & 7));
      assertThat(filter.contains(data, offset, length)).isFalse();
    }
  }

  @Test
  void coversEverySizeOfFilterWithTheWholeRangeOfHashes() {
    SplittableRandom random = new SplittableRandom(7);
    for (int bytes = 1; bytes <= 36_000; bytes++) {
      byte[] element = new byte[20];
      random.nextBytes(element);
      FilterBits filter = new FilterBits(new byte[bytes], 11, bytes);
      filter.add(element, 0, 20);
      assertThat(BitSet.valueOf(filter.data()))
          .isEqualTo(bitsOf(element, 0, 20, 11, bytes, 8 * bytes));
      assertThat(filter.contains(element, 0, 20)).isTrue();
    }
  }
}
