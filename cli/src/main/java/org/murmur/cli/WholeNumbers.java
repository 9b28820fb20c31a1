package org.murmur.cli;

import org.murmur.lab.WholeNumber;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Options that take whole numbers take {@code 1e10} as well, and say it if one is too large. */
final class WholeNumbers {

  private WholeNumbers() {}

  static void installOn(CommandLine line) {
    line.registerConverter(Integer.class, WholeNumbers::ofInt);
    line.registerConverter(int.class, WholeNumbers::ofInt);
    line.registerConverter(Long.class, WholeNumbers::ofLong);
    line.registerConverter(long.class, WholeNumbers::ofLong);
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
