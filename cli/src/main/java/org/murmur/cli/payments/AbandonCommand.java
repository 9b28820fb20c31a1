package org.murmur.cli.payments;

import java.util.List;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.cli.words.JsonObject;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.sync.WalletEvent;
import picocli.CommandLine.Command;

/** {@code murmur abandon}. */
@Command(
    name = "abandon",
    description = "Abandon a payment that no peer is known to have, and free its coins.",
    footer = {
      "Refused if the payment is in a block, or a peer has announced it. A node that accepted it",
      "without announcing it may still mine it. The payment counts again when it is in a block or",
      "a peer announces it.",
      "Examples:",
      "  murmur abandon TXID"
    })
public final class AbandonCommand extends TxidAction {

  @Override
  void run(SpvWallet wallet, Hash256 wanted) {
    List<WalletEvent.Payment> events = wallet.payments().abandon(wanted);
    events.forEach(event -> Events.write(event, output()));
    JsonObject json =
        new JsonObject()
            .put("txid", wanted)
            .put("abandoned", true)
            .putAll(BalanceCommand.json(wallet.balance()));
    result(
        json,
        out ->
            out.println(
                events.isEmpty()
                    ? wanted + " is already abandoned"
                    : wanted + " is abandoned; its coins are free"));
  }
}
