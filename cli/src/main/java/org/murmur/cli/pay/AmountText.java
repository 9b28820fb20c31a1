package org.murmur.cli.pay;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.cli.words.Failure;
import org.murmur.wallet.spend.Recipient;

/** Amounts as people type them: BTC with at most eight decimals, whole satoshi, or all. */
final class AmountText {

  private static final Pattern BTC = Pattern.compile("\\d{1,8}(\\.\\d{1,8})?|\\.\\d{1,8}");
  private static final Pattern SATOSHI = Pattern.compile("(\\d{1,16})(sat|sats)");
  private static final int DECIMALS = 8;

  private AmountText() {}

  /** The recipient of an amount. */
  static Recipient recipient(Bytes script, String amount, boolean subtractFee) {
    if (amount.equalsIgnoreCase("all")) {
      return Recipient.all(script);
    }
    long satoshi = satoshi(amount);
    try {
      return subtractFee ? Recipient.lessFee(script, satoshi) : Recipient.of(script, satoshi);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("AMOUNT " + amount + ": there are only 21,000,000 BTC");
    }
  }

  /** Satoshi of an amount that is not all. */
  static long satoshi(String amount) {
    Matcher whole = SATOSHI.matcher(amount);
    if (whole.matches()) {
      return positive(amount, Long.parseLong(whole.group(1)));
    }
    if (BTC.matcher(amount).matches()) {
      return positive(amount, new BigDecimal(amount).movePointRight(DECIMALS).longValueExact());
    }
    throw Failure.usage(
        "AMOUNT "
            + amount
            + ": expected BTC with at most eight decimals (0.015), satoshi (1500000sat) or all");
  }

  private static long positive(String amount, long satoshi) {
    if (satoshi == 0) {
      throw Failure.usage("AMOUNT " + amount + ": expected more than 0");
    }
    return satoshi;
  }
}
