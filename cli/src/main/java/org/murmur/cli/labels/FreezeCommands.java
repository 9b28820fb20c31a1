package org.murmur.cli.labels;

import org.murmur.bip37.bytes.OutPoint;
import org.murmur.cli.wallet.Txids;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.JsonObject;
import org.murmur.wallet.SpvWallet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Commands that freeze a coin or do the opposite. */
public abstract class FreezeCommands extends WalletAction {

  @Parameters(paramLabel = "TXID:VOUT", description = "The coin as `murmur coins` prints it.")
  private String coin = "";

  private final boolean freezes;

  private FreezeCommands(boolean freezes) {
    this.freezes = freezes;
  }

  /** {@code murmur freeze}. */
  @Command(
      name = "freeze",
      description = "Exclude a coin from payments.",
      footer = {
        "The coin still counts in the balance. It stays frozen through reorganisations and"
            + " rescans,",
        "until `murmur unfreeze`.",
        "Examples:",
        "  murmur coins",
        "  murmur freeze TXID:VOUT"
      })
  public static final class Freeze extends FreezeCommands {
    public Freeze() {
      super(true);
    }
  }

  /** {@code murmur unfreeze}. */
  @Command(
      name = "unfreeze",
      description = "Let payments spend a frozen coin again.",
      footer = {"Examples:", "  murmur unfreeze TXID:VOUT"})
  public static final class Unfreeze extends FreezeCommands {
    public Unfreeze() {
      super(false);
    }
  }

  @Override
  protected final ExitCode run() {
    try (SpvWallet wallet = open()) {
      OutPoint wanted = Txids.readOutPoint(wallet, "TXID:VOUT", coin);
      boolean changed = freezes ? wallet.coins().freeze(wanted) : wallet.coins().unfreeze(wanted);
      String state = freezes ? "frozen: payments do not spend it" : "free: payments may spend it";
      return result(
          new JsonObject()
              .put("txid", wanted.txid())
              .put("vout", Integer.toUnsignedLong(wanted.index()))
              .put("frozen", freezes)
              .put("changed", changed),
          out -> out.println(wanted + " is " + (changed ? "now " : "already ") + state));
    }
  }
}
