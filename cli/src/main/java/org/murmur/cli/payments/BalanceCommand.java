package org.murmur.cli.payments;

import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Unit;
import org.murmur.wallet.AsOf;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.ledger.Balance;
import picocli.CommandLine.Command;

/** {@code murmur balance}. */
@Command(
    name = "balance",
    description = "Show the balance, its height, and how many peers confirm it.",
    footer = {
      "  confirmed    mature outputs that no confirmed transaction spends",
      "  unconfirmed  change of the total by pending transactions; may be negative",
      "               (payments that no peer is known to have accepted are shown apart)",
      "  immature     coinbases with fewer than 101 confirmations",
      "Examples:",
      "  murmur balance",
      "  murmur -w savings balance --json"
    })
public final class BalanceCommand extends WalletAction {

  @Override
  protected ExitCode run() {
    try (SpvWallet wallet = open()) {
      AsOf<Balance> read = read(wallet, SpvWallet::balance);
      Balance balance = read.value();
      Unit unit = output().unit();
      JsonObject json =
          about()
              .put("height", read.chain().height())
              .put("complete", read.chain().complete())
              .put("seen_by", read.chain().seenBy())
              .putAll(json(balance))
              .put("total_sat", balance.total());
      return result(
          json,
          out -> {
            out.println("total        " + unit.named(balance.total()));
            out.println("confirmed    " + unit.text(balance.confirmed()));
            out.println("unconfirmed  " + unit.text(balance.unconfirmed()));
            if (balance.unheard() != 0) {
              out.println(
                  "  of it      "
                      + unit.text(balance.unheard())
                      + " by payments that no peer is known to have accepted");
            }
            out.println("immature     " + unit.text(balance.immature()));
            out.println("as of        " + output().asOf());
          });
    }
  }

  /** Writes the three sums, and the part from payments that no peer has accepted, in satoshi. */
  public static JsonObject json(Balance balance) {
    return new JsonObject()
        .put("confirmed_sat", balance.confirmed())
        .put("unconfirmed_sat", balance.unconfirmed())
        .put("immature_sat", balance.immature())
        .put("unheard_sat", balance.unheard());
  }
}
