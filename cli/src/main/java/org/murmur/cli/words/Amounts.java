package org.murmur.cli.words;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** Formats bytes, counts and rates. */
public final class Amounts {

  private Amounts() {}

  public static String bytes(long bytes) {
    if (bytes < 1_000) {
      return bytes + " B";
    }
    if (bytes < 1_000_000) {
      return Text.of("%.1f kB", bytes / 1e3);
    }
    if (bytes < 1_000_000_000) {
      return Text.of("%.1f MB", bytes / 1e6);
    }
    return Text.of("%.2f GB", bytes / 1e9);
  }

  /** Formats a number and a noun whose plural takes an s: "1 script", "0 scripts". */
  public static String count(long number, String one) {
    return number + " " + one + (number == 1 ? "" : "s");
  }

  /** Leaves the first of many texts, and one that counts the rest. */
  public static List<String> first(List<String> texts, int most, IntFunction<String> rest) {
    if (texts.size() <= most) {
      return texts;
    }
    List<String> first = new ArrayList<>(texts.subList(0, most));
    first.add(rest.apply(texts.size() - most));
    return first;
  }

  /** Names things one after another. */
  public static String listed(List<?> things) {
    return things.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  /** Formats a rate or probability, 0 to 1: plain above one in a thousand, scientific below. */
  public static String rate(double rate) {
    return rate >= 0.001 || rate == 0 ? Text.of("%.4g", rate) : Text.of("%.3e", rate);
  }
}
