package org.murmur.cli.wallet;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.p2p.chain.Birthday;

/** Parses and formats birthdays: a date or a height. */
public final class Birthdays {

  /** The earliest time zone (UTC+14): the user's time zone is unknown. */
  private static final ZoneOffset FIRST_ZONE = ZoneOffset.ofHours(14);

  /** Above the height of any network: testnet3, the longest, has about half as many blocks. */
  private static final int MAX_HEIGHT = 10_000_000;

  private Birthdays() {}

  /**
   * Parses a birthday: a height, {@code 2025-03-01} (from its first second anywhere on earth) or
   * {@code 2025-03-01T12:00:00Z}.
   */
  public static Birthday parse(String option, String text, Instant now) {
    if (text.matches("[0-9]{1,9}")) {
      int height = Integer.parseInt(text);
      if (height > MAX_HEIGHT) {
        throw Failure.usage(
            option + " '" + text + "' is above every network's height, expected at most 10000000");
      }
      return new Birthday.AtHeight(height);
    }
    Instant time = time(option, text);
    if (time.isAfter(now)) {
      throw Failure.usage(option + " '" + text + "' is in the future");
    }
    return new Birthday.AtTime(time);
  }

  private static Instant time(String option, String text) {
    try {
      return text.indexOf('T') > 0
          ? Instant.parse(text)
          : LocalDate.parse(text).atStartOfDay().toInstant(FIRST_ZONE);
    } catch (DateTimeException e) {
      throw new Failure(
          ExitCode.USAGE,
          "usage",
          option
              + " '"
              + text
              + "': "
              + (text.matches("[0-9]{4}-[0-9]{2}-[0-9]{2}") ? "no such day: " : "")
              + "expected a date like 2025-03-01 or a block height like 850000",
          e);
    }
  }

  /** Formats a birthday for people, as a date or a height. */
  public static String show(Birthday birthday) {
    return birthday instanceof Birthday.AtHeight at
        ? "height " + at.height()
        : ((Birthday.AtTime) birthday).time().toString();
  }
}
