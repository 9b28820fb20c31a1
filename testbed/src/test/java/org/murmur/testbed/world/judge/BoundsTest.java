package org.murmur.testbed.world.judge;

import static org.murmur.testbed.world.judge.Scenery.assertBreach;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.p2p.internal.discovery.AddressTable;
import org.murmur.p2p.internal.machine.Footprint;

/** Each number of a footprint is one too high in turn. */
class BoundsTest {

  private static final int PEERS = 2;

  private static final long[] MOST = {
    PEERS,
    10_000 * PEERS,
    2_000 * PEERS,
    (16L << 20) * PEERS,
    11_000 * PEERS,
    1_000 * PEERS,
    64L << 20,
    100_000,
    8L << 20,
    AddressTable.MAX_FRESH + AddressTable.MAX_PROVEN,
    5_000
  };

  private static Footprint footprint(long[] is) {
    return new Footprint(
        (int) is[0],
        (int) is[1],
        (int) is[2],
        is[3],
        (int) is[4],
        (int) is[5],
        is[6],
        (int) is[7],
        is[8],
        (int) is[9],
        (int) is[10]);
  }

  @Test
  void mostOfEverythingIsAllowed() {
    Bounds.hold(footprint(MOST), PEERS);
    Bounds.hold(footprint(new long[11]), PEERS);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void oneMoreIsTooMuch(int figure) {
    long[] more = Arrays.copyOf(MOST, MOST.length);
    more[figure]++;
    assertBreach("too much is kept in memory", () -> Bounds.hold(footprint(more), PEERS));
  }

  @Test
  void morePeersThanThereAreIsTooMuch() {
    assertBreach("too much is kept in memory", () -> Bounds.hold(footprint(MOST), PEERS - 1));
  }
}
