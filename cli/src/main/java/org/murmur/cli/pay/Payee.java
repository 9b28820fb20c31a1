package org.murmur.cli.pay;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.murmur.cli.terminal.AmountText;
import org.murmur.cli.words.Failure;
import org.murmur.wallet.keys.AddressText;
import org.murmur.wallet.keys.KeyNetwork;
import org.murmur.wallet.uri.PaymentUri;

/**
 * Whom to pay, as typed: an address or a payment URI, and the amount.
 *
 * @param uri the request; of the address alone if no URI was typed
 * @param isUri whether a URI was typed
 * @param amount as {@link AmountText} reads it
 */
record Payee(PaymentUri uri, boolean isUri, String amount) {

  private static final String EXPECTED =
      "send: expected ADDRESS AMOUNT, for instance: murmur send ADDRESS 0.015 --fee-rate 2"
          + " --connect 127.0.0.1";

  private static final Set<String> UNITS = Set.of("sat", "sats", "satoshi", "satoshis", "btc");

  private static boolean isSat(String unit) {
    return unit.toLowerCase(Locale.ROOT).startsWith("sat");
  }

  static List<Payee> parse(List<String> words, KeyNetwork network) {
    List<Payee> payees = new ArrayList<>();
    int at = 0;
    while (at < words.size()) {
      String word = words.get(at);
      boolean isUri = PaymentUri.isUri(word);
      if (at > 0 && UNITS.contains(word.toLowerCase(Locale.ROOT))) {
        throw Failure.usage(
            "send: write the amount as one word: "
                + words.get(at - 1)
                + (isSat(word) ? "sat" : ""));
      }
      if (!isUri && AmountText.isAmount(word)) {
        throw Failure.usage("send: " + word + " is an amount, and the address comes first");
      }
      PaymentUri uri =
          isUri ? PaymentUri.parse(word, network) : PaymentUri.of(AddressText.parse(word, network));
      at++;
      boolean amountFollows = at < words.size() && !PaymentUri.isUri(words.get(at));
      if (uri.amount().isPresent()) {
        if (amountFollows && AmountText.isAmount(words.get(at))) {
          throw Failure.usage(
              "send: the payment URI asks for "
                  + uri.amount().getAsLong()
                  + "sat: omit the amount "
                  + words.get(at));
        }
        payees.add(new Payee(uri, true, uri.amount().getAsLong() + "sat"));
      } else if (amountFollows) {
        payees.add(new Payee(uri, isUri, words.get(at)));
        at++;
      } else {
        throw Failure.usage(
            isUri ? "send: the payment URI has no amount: add AMOUNT after it" : EXPECTED);
      }
    }
    if (payees.isEmpty()) {
      throw Failure.usage(EXPECTED);
    }
    return payees;
  }
}
