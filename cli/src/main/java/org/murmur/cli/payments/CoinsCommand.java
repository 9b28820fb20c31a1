package org.murmur.cli.payments;

import java.util.List;
import org.murmur.cli.terminal.Columns;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Text;
import org.murmur.wallet.AsOf;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletCoin;
import picocli.CommandLine.Command;

/** {@code murmur coins}. */
@Command(
    name = "coins",
    description = "List the unspent outputs, oldest first.",
    footer = {
      "On a terminal a row has at most 80 columns, and the beginning of the txid, which the other",
      "commands accept. A pipe, -v and --json get all of it.",
      "Examples:",
      "  murmur coins",
      "  murmur unspent --json"
    })
public final class CoinsCommand extends WalletAction {

  @Override
  protected ExitCode run() {
    try (SpvWallet wallet = open()) {
      AsOf<List<WalletCoin>> read = read(wallet, open -> open.coins().list());
      List<WalletCoin> coins = read.value();
      int tip = read.chain().height();
      result(
          new JsonObject()
              .put(
                  "coins",
                  coins.stream()
                      .map(c -> json(c).put("confirmations", confirmations(c, tip)))
                      .toList()),
          out -> {
            for (WalletCoin coin : coins) {
              if (narrow()) {
                rows(coin, confirmations(coin, tip)).forEach(out::println);
              } else {
                out.println(line(coin, confirmations(coin, tip)));
              }
            }
          });
      if (coins.isEmpty() && output().forPeople()) {
        note("no coins: " + output().asOf());
      }
    }
    return ExitCode.DONE;
  }

  private static int confirmations(WalletCoin coin, int tip) {
    return coin.height().isPresent() ? tip - coin.height().getAsInt() + 1 : 0;
  }

  private static JsonObject json(WalletCoin coin) {
    return new JsonObject()
        .put("txid", coin.outPoint().txid())
        .put("vout", Integer.toUnsignedLong(coin.outPoint().index()))
        .put("value_sat", coin.value())
        .put("height", coin.height())
        .put("address", coin.address())
        .putText("path", coin.path())
        .put("coinbase", coin.coinbase())
        .put("spendable", !coin.immature() && !coin.frozen())
        .put("frozen", coin.frozen())
        .putText("label", coin.label());
  }

  /** A line for a terminal: the beginning of the txid, and the ends of the address. */
  private List<String> rows(WalletCoin coin, int confirmations) {
    String row =
        Text.of(
            "%14s  %11s  %s:%d",
            output().unit().text(coin.value()),
            coin.height().isPresent() ? confirmations + " conf" : "pending",
            HistoryRows.shortened(coin.outPoint().txid()),
            Integer.toUnsignedLong(coin.outPoint().index()));
    String notes =
        (coin.label().isEmpty() ? "" : "\"" + coin.label() + "\" ")
            + (coin.immature() ? "(immature) " : "")
            + (coin.frozen() ? "(frozen)" : "");
    return Columns.rows(
        row, left -> Columns.middleLeftOut(coin.address(), left), notes.stripTrailing());
  }

  private String line(WalletCoin coin, int confirmations) {
    String height =
        coin.height().isPresent() ? String.valueOf(coin.height().getAsInt()) : "pending";
    return Text.of(
        "%16s  %8s  %6d conf  %s  %s%s%s",
        output().unit().text(coin.value()),
        height,
        confirmations,
        coin.outPoint(),
        coin.address(),
        coin.label().isEmpty() ? "" : "  \"" + coin.label() + "\"",
        (coin.immature() ? "  (immature)" : "") + (coin.frozen() ? "  (frozen)" : ""));
  }
}
