package org.murmur.cli.terminal;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.cli.words.Failure;
import org.murmur.wallet.spend.Recipient;

/** Amounts as people type them: BTC with at most eight decimals, whole satoshi, or all. */
public final class AmountText {

  /** All bitcoins that there will ever be. */
  public static final long MAX_SATOSHI = 2_100_000_000_000_000L;

  private static final Pattern BTC = Pattern.compile("\\d{1,8}(\\.\\d{1,8})?|\\.\\d{1,8}");
  private static final Pattern SATOSHI = Pattern.compile("(\\d{1,16})(sat|sats)");
  private static final int DECIMALS = 8;

  private AmountText() {}

  /**
   * Makes the recipient of an amount.
   *
   * @param script whom to pay
   * @param amount as typed
   * @param subtractFee whether the recipient pays the fee
   * @return the recipient
   */
  public static Recipient recipient(Bytes script, String amount, boolean subtractFee) {
    if (isAll(amount)) {
      return Recipient.all(script);
    }
    long satoshi = satoshi("AMOUNT", amount);
    try {
      return subtractFee ? Recipient.lessFee(script, satoshi) : Recipient.of(script, satoshi);
    } catch (IllegalArgumentException e) {
      throw Failure.usage(
          "AMOUNT "
              + amount
              + ": there are only 21,000,000 BTC"
              + hint(amount).map(text -> "; " + text).orElse(""));
    }
  }

  /**
   * Suggests satoshi instead of BTC.
   *
   * @param amount as typed
   * @return a sentence; empty if the amount was no whole number of BTC
   */
  public static Optional<String> hint(String amount) {
    return amount.matches("\\d{3,}")
        ? Optional.of("amounts are in BTC: do you mean " + amount + "sat?")
        : Optional.empty();
  }

  /**
   * Returns whether a payee gets all that is left.
   *
   * @param amount as typed
   * @return true for all
   */
  public static boolean isAll(String amount) {
    return amount.equalsIgnoreCase("all");
  }

  /**
   * Returns whether a text is meant as an amount.
   *
   * @param text as typed
   * @return true for BTC, satoshi and all
   */
  public static boolean isAmount(String text) {
    return isAll(text) || BTC.matcher(text).matches() || SATOSHI.matcher(text).matches();
  }

  /**
   * Reads an amount that is not all.
   *
   * @param what its name, for messages
   * @param amount as typed
   * @return satoshi, more than 0
   */
  public static long satoshi(String what, String amount) {
    Matcher whole = SATOSHI.matcher(amount);
    if (whole.matches()) {
      return positive(what, amount, Long.parseLong(whole.group(1)));
    }
    if (BTC.matcher(amount).matches()) {
      return positive(
          what, amount, new BigDecimal(amount).movePointRight(DECIMALS).longValueExact());
    }
    throw Failure.usage(
        what
            + " "
            + amount
            + ": expected BTC with at most eight decimals (0.015), satoshi (1500000sat)"
            + (what.equals("AMOUNT") ? " or all" : ""));
  }

  private static long positive(String what, String amount, long satoshi) {
    if (satoshi == 0) {
      throw Failure.usage(what + " " + amount + ": expected more than 0");
    }
    return satoshi;
  }
}
