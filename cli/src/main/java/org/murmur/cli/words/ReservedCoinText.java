package org.murmur.cli.words;

import java.util.ArrayList;
import java.util.List;
import org.murmur.wallet.pay.ReservedCoin;

/** Why coins of the wallet should not be spent. */
public final class ReservedCoinText {

  private ReservedCoinText() {}

  /**
   * Words the objections.
   *
   * @param reserved coins that are frozen, or that a pending payment spends
   */
  public static List<String> lines(List<ReservedCoin> reserved) {
    List<String> lines = new ArrayList<>();
    for (ReservedCoin coin : reserved) {
      if (coin.frozen()) {
        lines.add("coin " + coin.coin() + " is frozen in this wallet");
      }
      coin.spentBy()
          .ifPresent(
              txid ->
                  lines.add(
                      "payment "
                          + txid
                          + " of this wallet spends coin "
                          + coin.coin()
                          + ", too: at most one of the two is mined"));
    }
    return lines;
  }
}
