package org.murmur.cli.terminal;

import java.util.Locale;
import org.murmur.cli.words.Failures;
import org.murmur.cli.words.Unit;
import org.murmur.lab.WholeNumber;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/**
 * Parsers of numeric options, and of units. Integers may be written as {@code 1e10}; too large ones
 * are reported.
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
