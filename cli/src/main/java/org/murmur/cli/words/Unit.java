package org.murmur.cli.words;

/** How people read amounts; programs always get satoshi. */
public enum Unit {
  /** BTC with eight decimals. */
  BTC("BTC") {
    @Override
    public String text(long satoshi) {
      return Text.of(
          "%s%d.%08d",
          satoshi < 0 ? "-" : "",
          Math.abs(satoshi / SATOSHI_PER_BTC),
          Math.abs(satoshi % SATOSHI_PER_BTC));
    }
  },
  /** Whole satoshi. */
  SAT("sat") {
    @Override
    public String text(long satoshi) {
      return String.valueOf(satoshi);
    }
  };

  private static final long SATOSHI_PER_BTC = 100_000_000;

  private final String symbol;

  Unit(String symbol) {
    this.symbol = symbol;
  }

  /**
   * Formats an amount, for example {@code -0.00012345} or {@code -12345}, without floating point.
   */
  public abstract String text(long satoshi);

  /** Formats an amount as {@link #text}, with a plus sign if it is positive. */
  public final String signed(long satoshi) {
    return satoshi > 0 ? "+" + text(satoshi) : text(satoshi);
  }

  /** Formats an amount with its unit, for example {@code 0.00012345 BTC} or {@code 12345 sat}. */
  public final String named(long satoshi) {
    return text(satoshi) + " " + symbol;
  }

  @Override
  public String toString() {
    return symbol;
  }
}
