package org.murmur.coins.spend;

import java.util.function.LongFunction;
import org.murmur.bip37.Notice;

/**
 * Why a payment is not made. An exception ends up in a log, so its message is only the {@link
 * #cause}; the user reads the {@link #text}.
 */
public interface Reason extends Notice {

  /**
   * {@return the sentence without amounts, coins, addresses and txids; begins in lower case, and
   * has no full stop}
   */
  String cause();

  /**
   * Returns the data, to follow the {@link #cause}.
   *
   * @param amount words an amount of satoshi
   * @return empty if there is nothing to add
   */
  default String details(LongFunction<String> amount) {
    return "";
  }

  /**
   * Returns the sentence for the user.
   *
   * @param amount words an amount of satoshi
   * @return the {@link #cause} with the data
   */
  default String text(LongFunction<String> amount) {
    return cause() + details(amount);
  }

  @Override
  default String text() {
    return text(satoshi -> satoshi + " sat");
  }
}
