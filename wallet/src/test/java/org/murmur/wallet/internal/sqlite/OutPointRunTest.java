package org.murmur.wallet.internal.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.internal.store.StoredOutPoints;

class OutPointRunTest {

  private static final int OWN_AND_MINED = 1 | 4;

  private static byte[] run(long vout, long birth, long script, long height, long value) {
    ByteWriter out = new ByteWriter(64);
    out.compactSize(1).uint8(7).uint8(OWN_AND_MINED).hash(Hash256.ZERO);
    out.compactSize(vout).compactSize(birth).compactSize(script);
    return out.compactSize(height).compactSize(value).toArray();
  }

  @Test
  void readsTheLargestNumbers() {
    byte[] data = run(0xffff_ffffL, 0x7fff_fffe, 0x7fff_fffe, 0x7fff_ffff, Tx.MAX_MONEY);
    StoredOutPoints read = new StoredOutPoints(new ArrayList<>(), new ArrayList<>());
    OutPointRun.read(1, new ByteReader(data), read);
    assertThat(read.logged().get(0).outPoint().index()).isEqualTo(-1);
    assertThat(read.logged().get(0).index()).isEqualTo(256 + 7);
    assertThat(read.coins().get(0).value()).isEqualTo(Tx.MAX_MONEY);
    assertThat(read.coins().get(0).height()).isEqualTo(Integer.MAX_VALUE);
  }

  /** A number that is cut off is another number, and somebody's money. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void refusesNumbersThatNoOutputHas(int damaged) {
    long[] numbers = {0, 1, 2, 3, 4};
    numbers[damaged] = damaged == 0 ? 1L << 32 : damaged == 4 ? Tx.MAX_MONEY + 1 : 1L << 31;
    byte[] data = run(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
    assertThatThrownBy(() -> OutPointRun.of(1, new ByteReader(data)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
