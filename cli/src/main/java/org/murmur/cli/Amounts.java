package org.murmur.cli;

import java.util.Locale;

/** Satoshi as people read them: BTC with eight decimals. */
final class Amounts {

  private static final long SATOSHI_PER_BTC = 100_000_000;

  private Amounts() {}

  /** For example {@code -0.00012345}; no floating point in between. */
  static String btc(long satoshi) {
    String sign = satoshi < 0 ? "-" : "";
    return String.format(
        Locale.ROOT,
        "%s%d.%08d",
        sign,
        Math.abs(satoshi / SATOSHI_PER_BTC),
        Math.abs(satoshi % SATOSHI_PER_BTC));
  }

  /** As {@link #btc}, but with a plus sign for what came in. */
  static String signedBtc(long satoshi) {
    return satoshi > 0 ? "+" + btc(satoshi) : btc(satoshi);
  }

  /** Bytes with a unit a person reads at a glance. */
  static String bytes(long bytes) {
    if (bytes < 1_000) {
      return bytes + " B";
    }
    if (bytes < 1_000_000) {
      return String.format(Locale.ROOT, "%.1f kB", bytes / 1e3);
    }
    if (bytes < 1_000_000_000) {
      return String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
    }
    return String.format(Locale.ROOT, "%.2f GB", bytes / 1e9);
  }

  /** How many of something whose plural takes an s: "1 script", "0 scripts". */
  static String count(long number, String one) {
    return number + " " + one + (number == 1 ? "" : "s");
  }

  /** A rate or probability: plain above one in a thousand, scientific below. */
  static String rate(double rate) {
    return rate >= 0.001 || rate == 0
        ? String.format(Locale.ROOT, "%.4g", rate)
        : String.format(Locale.ROOT, "%.3e", rate);
  }
}
