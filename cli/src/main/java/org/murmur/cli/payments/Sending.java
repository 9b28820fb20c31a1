package org.murmur.cli.payments;

import java.util.function.UnaryOperator;
import org.murmur.bip37.tx.Tx;
import org.murmur.cli.terminal.Output;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.JsonObject;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletException;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.SyncOptions;

/**
 * Sends a signed transaction, and reports what peers did with it.
 *
 * @param output for events and the report
 */
record Sending(Output output) {

  /** The JSON result is made of that of the report. */
  ExitCode send(SpvWallet wallet, Tx tx, SyncOptions options, UnaryOperator<JsonObject> result)
      throws WalletException, NoUsablePeerException {
    BroadcastReport report =
        wallet.broadcast(
            tx,
            options,
            event -> {
              Events.write(event, output);
              String text = Events.text(event);
              if (!text.isEmpty()) {
                output.detail(text);
              }
            });
    int height = wallet.chain().height();
    output.result(
        result.apply(BroadcastText.json(report, height)),
        out -> BroadcastText.show(report, height, out));
    return report.takenBy().isEmpty() && !report.isAccepted() ? ExitCode.FAILED : ExitCode.DONE;
  }
}
