package org.murmur.coins.spend;

import java.util.List;
import java.util.stream.Collectors;

/** Which coins are tried first, second and so on; the order and the numbers are Core's. */
enum Eligibility {
  /** Six confirmations for foreign payments; only coins of one kind. */
  WELL_CONFIRMED(6, 0, false),

  /** Any coins in blocks. */
  CONFIRMED(1, 0, true),

  /** Change of a pending payment, with at most one other transaction in its package. */
  PENDING(1, 2, true),

  /** Change in a larger package. */
  PENDING_FOUR(1, 4, true),

  /** Change in half of the largest package. */
  PENDING_TWELVE(1, 12, true),

  /** Everything that nodes relay. */
  LAST(1, PendingTransactions.MAX_COUNT - 1, true);

  private final int foreignConfirmations;
  private final int maxPackage;
  private final boolean mixesKinds;

  Eligibility(int foreignConfirmations, int maxPackage, boolean mixesKinds) {
    this.foreignConfirmations = foreignConfirmations;
    this.maxPackage = maxPackage;
    this.mixesKinds = mixesKinds;
  }

  /** Whether inputs may be of several kinds, where those of one kind do not suffice. */
  boolean mixesKinds() {
    return mixesKinds;
  }

  /** The coins that a payment may spend at all, without those that the order names. */
  static List<InputCoin> usable(PaymentOrder order) {
    return order.coins().stream()
        .filter(coin -> !order.isNamed(coin) && !coin.obstacle().isPresent())
        .filter(coin -> !coin.isUnconfirmed() || isUsableChange(coin, order))
        .collect(Collectors.toList());
  }

  private static boolean isUsableChange(InputCoin coin, PaymentOrder order) {
    return order.allowsUnconfirmedChange() && order.pending().contains(coin.outPoint().txid());
  }

  boolean admits(Group group, PendingTransactions pending) {
    if (group.isPartial() && this != LAST) {
      return false;
    }
    for (InputCoin coin : group.coins()) {
      int needed = maxPackage > 0 ? 0 : 1;
      if (coin.confirmations() < (coin.own() ? needed : foreignConfirmations)) {
        return false;
      }
    }
    return pending.longestPackage(Terms.parents(group.coins())) <= maxPackage;
  }
}
