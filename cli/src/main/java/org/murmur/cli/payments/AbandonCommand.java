package org.murmur.cli.payments;

import java.util.List;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.cli.words.JsonObject;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletEvent;
import org.murmur.wallet.WalletException;
import picocli.CommandLine.Command;

/** {@code murmur abandon}. */
@Command(
    name = "abandon",
    description = "Forget a payment that no peer is known to have; its coins are free at once.",
    footer = {
      "",
      "Refused if a block holds the payment, or a peer has announced it. If a node accepted it in",
      "silence it may still be mined: then, or when a peer announces it, it counts again.",
      "",
      "Examples:",
      "  murmur abandon TXID"
    })
public final class AbandonCommand extends TxidAction {

  @Override
  void run(SpvWallet wallet, Hash256 wanted) throws WalletException {
    List<WalletEvent> events = wallet.abandon(wanted);
    events.forEach(event -> Events.write(event, output()));
    JsonObject json =
        new JsonObject()
            .put("txid", wanted.toDisplay())
            .put("abandoned", true)
            .putAll(BalanceCommand.json(wallet.balance()));
    output()
        .result(
            json,
            out ->
                out.println(
                    events.isEmpty()
                        ? wanted + " was abandoned before"
                        : wanted + " is abandoned; its coins are free"));
  }
}
