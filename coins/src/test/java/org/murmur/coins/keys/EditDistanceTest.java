package org.murmur.coins.keys;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EditDistanceTest {

  @ParameterizedTest
  @CsvSource({
    "'', '', 0",
    "'', abc, 3",
    "sync, sync, 0",
    "syn, sync, 1",
    "syync, sync, 1",
    "sink, sync, 2",
    "snyc, sync, 1",
    "ca, abc, 3"
  })
  void countsMistakesInBothDirections(String a, String b, int distance) {
    assertThat(EditDistance.of(a, b)).isEqualTo(distance);
    assertThat(EditDistance.of(b, a)).isEqualTo(distance);
  }
}
