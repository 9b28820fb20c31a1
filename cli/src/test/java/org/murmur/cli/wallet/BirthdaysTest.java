package org.murmur.cli.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.chain.Birthday;

/** Birthdays must be too early rather than too late: earlier payments are never found. */
class BirthdaysTest {

  private static final Instant NOW = Instant.parse("2025-03-01T11:00:00Z");

  private static Birthday parse(String text) {
    return Birthdays.parse("--birthday", text, NOW);
  }

  /** Kiribati is the first to see a day, 14 hours before Greenwich. */
  @Test
  void aDayBeginsWhereItBeginsFirst() {
    assertThat(parse("2025-03-01"))
        .isEqualTo(new Birthday.AtTime(Instant.parse("2025-02-28T10:00:00Z")));
    assertThat(parse("2025-03-02"))
        .as("it is tomorrow there")
        .isEqualTo(new Birthday.AtTime(Instant.parse("2025-03-01T10:00:00Z")));
    assertThatThrownBy(() -> parse("2025-03-03")).hasMessageContaining("future");
  }

  @Test
  void anInstantIsThatInstant() {
    assertThat(parse("2025-03-01T10:59:00Z"))
        .isEqualTo(new Birthday.AtTime(Instant.parse("2025-03-01T10:59:00Z")));
    assertThatThrownBy(() -> parse("2025-03-01T11:00:01Z")).hasMessageContaining("future");
  }

  @Test
  void aHeightIsThatHeight() {
    assertThat(parse("850000")).isEqualTo(new Birthday.AtHeight(850_000));
  }
}
