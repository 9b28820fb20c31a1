package org.murmur.bip37;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class TrafficTest {

  @Test
  void expectedPartialTreesOfSmallBlocks() {
    // O18 of the privacy notes, computed by enumeration.
    assertThat(Traffic.expectedHashes(4, 0.5)).isCloseTo(3.4375, within(1e-9));
    assertThat(Traffic.expectedBits(4, 0.5)).isCloseTo(5.875, within(1e-9));
    assertThat(Traffic.expectedHashes(7, 0.25)).isCloseTo(4.440735, within(1e-6));
    assertThat(Traffic.expectedBits(7, 0.25)).isCloseTo(8.131470, within(1e-6));
    assertThat(Traffic.expectedHashes(1, 0.25)).isEqualTo(1);
    assertThat(Traffic.expectedHashes(1_000, 0)).isEqualTo(1);
  }

  @Test
  void aYearOfFalsePositives() {
    // The table of section 3, in megabytes a year (52,560 blocks there).
    double[][] rows = {{1e-5, 13, 16}, {1e-4, 59, 91}, {1e-3, 452, 719}, {1e-2, 3577, 5718}};
    for (double[] row : rows) {
      assertThat(Traffic.bytesPerBlock(row[0], 2_500, 6, 300) * 52_560 / 1e6)
          .isCloseTo(row[1], within(0.02 * row[1] + 0.6));
      assertThat(Traffic.bytesPerBlock(row[0], 4_000, 6, 300) * 52_560 / 1e6)
          .isCloseTo(row[2], within(0.02 * row[2] + 0.6));
    }
    assertThat(Traffic.megabytesPerMonth(1e-4)).isBetween(7.0, 8.0);
  }
}
