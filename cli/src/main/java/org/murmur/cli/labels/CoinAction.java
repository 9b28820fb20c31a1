package org.murmur.cli.labels;

import org.murmur.bip37.bytes.OutPoint;
import org.murmur.cli.wallet.Txids;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.JsonObject;
import org.murmur.wallet.SpvWallet;
import picocli.CommandLine.Parameters;

/** A command that freezes a coin or does the opposite. */
abstract class CoinAction extends WalletAction {

  @Parameters(paramLabel = "TXID:VOUT", description = "The coin as `murmur coins` prints it.")
  private String coin = "";

  /** Changes the coin; false if it was that way before. */
  abstract boolean change(SpvWallet wallet, OutPoint wanted);

  /** The state afterwards. */
  abstract boolean frozen();

  @Override
  protected final ExitCode run() {
    try (SpvWallet wallet = open()) {
      OutPoint wanted = Txids.readOutPoint(wallet, "TXID:VOUT", coin);
      boolean changed = change(wallet, wanted);
      output()
          .result(
              new JsonObject()
                  .put("txid", wanted.txid())
                  .put("vout", Integer.toUnsignedLong(wanted.index()))
                  .put("frozen", frozen())
                  .put("changed", changed),
              out -> out.println(wanted + " is " + (changed ? "now " : "already ") + state()));
    }
    return ExitCode.DONE;
  }

  private String state() {
    return frozen() ? "frozen: payments do not spend it" : "free: payments may spend it";
  }
}
