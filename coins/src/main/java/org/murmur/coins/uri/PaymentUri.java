package org.murmur.coins.uri;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.murmur.bip37.tx.Amount;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.AddressException;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.label.Label;

/**
 * A request for a payment, as web pages and QR codes have it (BIP-0321, which replaces BIP-0021).
 *
 * @param address whom to pay
 * @param amount more than 0; empty if the payer chooses
 * @param label the payee's name; empty for none
 * @param message what the payment is for; empty for none
 */
public record PaymentUri(Address address, Optional<Amount> amount, String label, String message) {

  private static final Pattern AMOUNT =
      Pattern.compile("[0-9]{1,20}(\\.[0-9]{0,20})?|\\.[0-9]{1,20}");

  /** Checks the amount, and makes the texts one line each. */
  public PaymentUri {
    if (amount.filter(Amount.ZERO::equals).isPresent()) {
      throw new IllegalArgumentException("no amount: 0");
    }
    label = Label.oneLine(label);
    message = Label.oneLine(message);
  }

  /**
   * Returns whether a text is meant as a payment URI.
   *
   * @param text any
   * @return true if it begins with {@code bitcoin:}, in either case
   */
  public static boolean isUri(String text) {
    String scheme = UriQuery.SCHEME;
    return text.trim().regionMatches(true, 0, scheme, 0, scheme.length());
  }

  /**
   * Reads a URI. The address before the query is taken; without one, the first segwit address of
   * the network in the query. Unknown parameters are ignored, unless they are required.
   *
   * @param text the URI, also in upper case
   * @param network the wallet's network
   * @return the request
   * @throws PaymentUriException if BIP-0321 does not allow it, if it requires what this wallet does
   *     not understand, or if it has no on-chain address
   * @throws AddressException if its address is mistyped or of another network
   */
  public static PaymentUri parse(String text, KeyNetwork network) {
    UriQuery query = UriQuery.parse(text);
    return new PaymentUri(
        Address.parse(address(query, network), network),
        amount(query),
        query.value("label").orElse(""),
        query.value("message").orElse(""));
  }

  private static String address(UriQuery query, KeyNetwork network) {
    if (!query.body().isEmpty()) {
      return query.body();
    }
    return query
        .value(network.segwitPrefix())
        .orElseThrow(
            () ->
                new PaymentUriException(
                    "the payment URI has no on-chain address of " + network.title()));
  }

  private static Optional<Amount> amount(UriQuery query) {
    String text = query.value("amount").orElse("0");
    if (!AMOUNT.matcher(text).matches()) {
      throw new PaymentUriException("the payment URI's amount is no number of BTC such as 0.015");
    }
    try {
      // As in Core, 0 means that the payer chooses.
      return Optional.of(Amount.btc(new BigDecimal(text)))
          .filter(each -> !each.equals(Amount.ZERO));
    } catch (IllegalArgumentException e) {
      throw new PaymentUriException("the payment URI's amount " + text + ": " + e.getMessage());
    }
  }

  /**
   * Makes a request for a payment of any amount.
   *
   * @param address whom to pay
   * @return a new value, without label and message
   */
  public static PaymentUri of(Address address) {
    return new PaymentUri(address, Optional.empty(), "", "");
  }

  /**
   * Sets the amount.
   *
   * @param wanted more than 0
   * @return a new value
   * @throws IllegalArgumentException if it is 0
   */
  public PaymentUri withAmount(Amount wanted) {
    return new PaymentUri(address, Optional.of(wanted), label, message);
  }

  /**
   * Sets the payee's name.
   *
   * @param text the name; control characters become spaces
   * @return a new value
   */
  public PaymentUri withLabel(String text) {
    return new PaymentUri(address, amount, text, message);
  }

  /**
   * Sets what the payment is for.
   *
   * @param text the message; control characters become spaces
   * @return a new value
   */
  public PaymentUri withMessage(String text) {
    return new PaymentUri(address, amount, label, text);
  }

  /**
   * Writes the URI.
   *
   * @return for instance {@code bitcoin:bc1q…?amount=0.015&label=The%20shop}
   */
  public String text() {
    return text(UriQuery.SCHEME + address.text(), false);
  }

  /**
   * Writes the URI for a QR code, which is smaller in upper case. Base58 addresses and texts keep
   * their case.
   *
   * @return a URI that means the same
   */
  public String upperCase() {
    boolean segwit = address.text().equals(address.text().toLowerCase(Locale.ROOT));
    String shown = segwit ? address.text().toUpperCase(Locale.ROOT) : address.text();
    return text(UriQuery.SCHEME.toUpperCase(Locale.ROOT) + shown, true);
  }

  private String text(String begin, boolean upper) {
    StringBuilder uri = new StringBuilder(begin);
    amount.ifPresent(
        wanted -> append(uri, upper, "amount", wanted.btc().stripTrailingZeros().toPlainString()));
    append(uri, upper, "label", label);
    append(uri, upper, "message", message);
    return uri.toString();
  }

  private static void append(StringBuilder uri, boolean upper, String key, String value) {
    if (!value.isEmpty()) {
      uri.append(uri.indexOf("?") < 0 ? '?' : '&');
      uri.append(upper ? key.toUpperCase(Locale.ROOT) : key);
      uri.append('=').append(UriQuery.encoded(value));
    }
  }
}
