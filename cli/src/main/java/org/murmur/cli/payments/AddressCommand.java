package org.murmur.cli.payments;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.WarningText;
import org.murmur.wallet.ReceiveAddress;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code murmur address}. */
@Command(
    name = "address",
    description = "Show the next unused receive address.",
    footer = {
      "",
      "Examples:",
      "  murmur address",
      "  murmur address --new",
      "  murmur receive --list"
    })
public final class AddressCommand extends WalletAction {

  @Option(names = "--new", description = "A new address, even if the last one is unused.")
  private boolean fresh;

  @Option(
      names = "--list",
      description = "All addresses that are used or were shown, and the" + " next one.")
  private boolean list;

  @Override
  protected ExitCode run() throws WalletException {
    if (fresh && list) {
      throw Failure.usage("give one of --new and --list");
    }
    try (SpvWallet wallet = open()) {
      if (list) {
        list(wallet.addresses());
      } else {
        ReceiveAddress address = fresh ? wallet.freshAddress() : wallet.address();
        address.warning().map(WarningText::of).ifPresent(output()::note);
        output().result(json(address), out -> out.println(address.address()));
      }
    }
    return ExitCode.DONE;
  }

  private static JsonObject json(ReceiveAddress address) {
    return new JsonObject()
        .put("address", address.address())
        .put("path", address.path().isEmpty() ? null : address.path());
  }

  private void list(List<ReceiveAddress> addresses) {
    List<JsonObject> found = new ArrayList<>();
    for (ReceiveAddress address : addresses) {
      found.add(json(address).put("used", address.used()).put("handed_out", address.handedOut()));
    }
    output()
        .result(
            new JsonObject().put("addresses", found),
            out -> {
              for (ReceiveAddress address : addresses) {
                out.println(
                    String.format(
                        Locale.ROOT,
                        "%-8s  %-20s  %s",
                        address.used() ? "used" : address.handedOut() ? "given" : "next",
                        address.path(),
                        address.address()));
              }
            });
  }
}
