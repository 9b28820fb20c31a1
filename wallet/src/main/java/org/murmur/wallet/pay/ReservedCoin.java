package org.murmur.wallet.pay;

import java.util.Optional;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;

/**
 * A coin of the wallet that another transaction should not spend: it is frozen, or a payment spends
 * it.
 *
 * @param coin which
 * @param frozen whether the user {@linkplain org.murmur.wallet.WalletCoins#freeze froze} it
 * @param spentBy the pending payment of the wallet that spends it
 */
public record ReservedCoin(OutPoint coin, boolean frozen, Optional<Hash256> spentBy) {

  /**
   * {@return why it should not be spent, for the user; begins in lower case, and has no full stop}
   */
  public String text() {
    String here = frozen ? "coin " + coin + " is frozen in this wallet" : "";
    return spentBy
        .map(
            txid ->
                (frozen ? here + "; " : "")
                    + "payment "
                    + txid
                    + " of this wallet spends coin "
                    + coin
                    + ", too: at most one of the two is mined")
        .orElse(here);
  }
}
