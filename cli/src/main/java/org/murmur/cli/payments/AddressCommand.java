package org.murmur.cli.payments;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.AmountText;
import org.murmur.cli.terminal.Choices;
import org.murmur.cli.terminal.QrText;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.NoticeText;
import org.murmur.cli.words.Unit;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.uri.PaymentUri;
import org.murmur.wallet.ReceiveAddress;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletAddresses;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code murmur address}. */
@Command(
    name = "address",
    description = "Show the next unused receive address.",
    footer = {
      "Examples:",
      "  murmur address",
      "  murmur address --new",
      "  murmur address --type bip86",
      "  murmur address --uri --amount 0.015 --label \"The shop\"",
      "  murmur address --qr",
      "  murmur receive --list"
    })
public final class AddressCommand extends WalletAction {

  @Option(
      names = "--new",
      description = "A new address; one that was shown without --new is never given.")
  private boolean fresh;

  @Option(
      names = "--list",
      description = "All addresses that are used or were shown, and the" + " next one.")
  private boolean list;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      completionCandidates = Choices.Scripts.class,
      description = "Script type: bip44, bip49, bip84 or bip86, if the wallet has it.")
  private @Nullable String type;

  @Option(names = "--change", description = "An address for change.")
  private boolean change;

  @Option(names = "--uri", description = "Show a payment URI (BIP321), which other wallets read.")
  private boolean uri;

  @Option(
      names = "--amount",
      paramLabel = "BTC",
      description = "With --uri: the amount, in BTC or as 1500000sat.")
  private @Nullable AmountText amount;

  @Option(
      names = "--label",
      paramLabel = "TEXT",
      description = "With --uri: your name, as the payer sees it.")
  private @Nullable String label;

  @Option(
      names = "--qr",
      description = "Show a QR code below it, for a camera; with --uri, of the payment URI.")
  private boolean qr;

  @Override
  protected ExitCode run() {
    if (list && (fresh || uri || qr)) {
      throw Failure.usage("--list goes with neither --new, --uri nor --qr");
    }
    if (!uri && (amount != null || label != null)) {
      throw Failure.usage("--amount and --label belong to --uri");
    }
    Optional<OutputType> wanted =
        Failure.checked("--type", () -> Optional.ofNullable(type).map(OutputType::ofName));
    try (SpvWallet wallet = open()) {
      WalletAddresses usual = change ? wallet.receive().forChange() : wallet.receive();
      WalletAddresses chosen = wanted.map(usual::ofType).orElse(usual);
      if (list) {
        list(chosen.list());
      } else {
        ReceiveAddress address = fresh ? chosen.fresh() : chosen.current();
        address.warning().map(NoticeText::of).ifPresent(this::note);
        JsonObject json = json(address);
        PaymentUri request = request(address);
        String shown = uri ? request.text() : address.address();
        result(
            uri ? json.put("uri", shown) : json,
            out -> {
              out.println(shown);
              if (qr) {
                QrText.print(out, forCamera(request), surroundings().colours());
              }
            });
      }
    }
    return ExitCode.DONE;
  }

  private PaymentUri request(ReceiveAddress address) {
    PaymentUri request = PaymentUri.of(Address.parse(address.address(), keyNetwork()));
    if (amount != null) {
      request = request.withAmount(amount.amount("--amount", Unit.BTC, options()));
    }
    return label == null ? request : request.withLabel(label);
  }

  /**
   * The text of the QR code. A code of upper case is smaller, and a segwit address in upper case is
   * the same address (BIP173). Base58 and the texts of a URI keep their case.
   */
  private String forCamera(PaymentUri request) {
    String address = request.address().text();
    String shown = uri ? request.text() : address;
    String upper = shown.toUpperCase(Locale.ROOT);
    boolean segwit = address.equals(address.toLowerCase(Locale.ROOT));
    return segwit && request.equals(PaymentUri.of(request.address())) ? upper : shown;
  }

  private static JsonObject json(ReceiveAddress address) {
    return new JsonObject()
        .put("address", address.address())
        .putText("path", address.path())
        .putText("label", address.label());
  }

  private void list(List<ReceiveAddress> addresses) {
    result(
        new JsonObject()
            .put(
                "addresses",
                addresses.stream()
                    .map(a -> json(a).put("used", a.used()).put("handed_out", a.handedOut()))
                    .toList()),
        out ->
            addresses.forEach(
                address ->
                    out.printf(
                        Locale.ROOT,
                        "%-8s  %-20s  %s%s%n",
                        address.used() ? "used" : address.handedOut() ? "given" : "next",
                        address.path(),
                        address.address(),
                        address.label().isEmpty() ? "" : "  \"" + address.label() + "\"")));
  }
}
