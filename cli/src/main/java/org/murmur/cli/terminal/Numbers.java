package org.murmur.cli.terminal;

import java.util.Locale;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.cli.words.Unit;
import org.murmur.lab.WholeNumber;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/**
 * Parsers and ranges of numeric options, and parsers of units. Integers may be written as {@code
 * 1e10}; too large ones are reported.
 */
public final class Numbers {

  private Numbers() {}

  /** Sets the number parsers on a command and its subcommands. */
  public static void installOn(CommandLine line) {
    line.registerConverter(Integer.class, Numbers::ofInt);
    line.registerConverter(int.class, Numbers::ofInt);
    line.registerConverter(Long.class, Numbers::ofLong);
    line.registerConverter(long.class, Numbers::ofLong);
    line.registerConverter(Double.class, Numbers::ofDouble);
    line.registerConverter(double.class, Numbers::ofDouble);
    line.registerConverter(Unit.class, Numbers::ofUnit);
    line.registerConverter(AmountText.class, AmountText::new);
  }

  /** Returns the number of an option, which is refused outside of its range. */
  public static long within(String option, long value, long least, long most) {
    if (value < least || value > most) {
      String end = most == Long.MAX_VALUE ? " or more" : " to " + most;
      throw Failure.usage(option + " " + value + ", expected " + least + end);
    }
    return value;
  }

  /** Returns the number of an option, which is refused below the least. */
  public static int atLeast(int least, String option, int value) {
    return (int) within(option, value, least, Long.MAX_VALUE);
  }

  private static Unit ofUnit(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "btc" -> Unit.BTC;
      case "sat", "sats", "satoshi" -> Unit.SAT;
      default -> throw new TypeConversionException("'" + text + "' is no unit: btc or sat");
    };
  }

  private static double ofDouble(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' is no number (write it without a unit)");
    }
  }

  private static int ofInt(String text) {
    return Math.toIntExact(of(text, Integer.MAX_VALUE));
  }

  private static long ofLong(String text) {
    return of(text, Long.MAX_VALUE);
  }

  private static long of(String text, long most) {
    try {
      return WholeNumber.parse(text, most);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(Failures.message(e));
    }
  }
}
