package org.murmur.cli.pay;

import java.util.ArrayList;
import java.util.List;
import org.murmur.cli.terminal.AmountText;
import org.murmur.cli.words.Failure;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.uri.PaymentUri;

/**
 * The payee, as typed: an address or a payment URI, and the amount.
 *
 * @param uri the request; of the address alone if no URI was typed
 */
record Payee(PaymentUri uri, boolean isUri, AmountText amount) {

  private static final String EXPECTED =
      "send: expected ADDRESS AMOUNT, for instance: murmur send ADDRESS 0.015 --fee-rate 2"
          + " --connect 127.0.0.1";

  static List<Payee> parse(List<String> words, KeyNetwork network) {
    List<Payee> payees = new ArrayList<>();
    int at = 0;
    while (at < words.size()) {
      String word = words.get(at);
      boolean isUri = PaymentUri.isUri(word);
      if (!isUri && new AmountText(word).isAmount()) {
        throw Failure.usage("send: " + word + " is an amount, and the address comes first");
      }
      PaymentUri uri =
          isUri ? PaymentUri.parse(word, network) : PaymentUri.of(Address.parse(word, network));
      at++;
      boolean amountFollows = at < words.size() && !PaymentUri.isUri(words.get(at));
      if (uri.amount().isPresent()) {
        if (amountFollows && new AmountText(words.get(at)).isAmount()) {
          throw Failure.usage(
              "send: the payment URI asks for "
                  + uri.amount().get().satoshi()
                  + "sat: omit the amount "
                  + words.get(at));
        }
        payees.add(new Payee(uri, true, new AmountText(uri.amount().get().toString())));
      } else if (amountFollows) {
        boolean unitFollows = at + 1 < words.size() && AmountText.isUnit(words.get(at + 1));
        payees.add(
            new Payee(
                uri,
                isUri,
                new AmountText(words.get(at) + (unitFollows ? words.get(at + 1) : ""))));
        at += unitFollows ? 2 : 1;
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
