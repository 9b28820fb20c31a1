package org.murmur.wallet.pay;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.ledger.Effect;
import org.murmur.wallet.ledger.Fact;
import org.murmur.wallet.ledger.Ledger;
import org.murmur.wallet.ledger.Replacement;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.spend.InputCoin;
import org.murmur.wallet.spend.Recipient;

/**
 * Payments of the wallet that pay the same as a planned one and that no block holds: a crash may
 * have left them, another process may have made them just now, or they no longer count, because the
 * user abandoned or cancelled them. A peer may have one of these nevertheless. And those that the
 * last blocks hold: the user may not know of them, since an older copy of the file was put back.
 */
final class EarlierPayments {

  /** Stands for the payment that is planned. */
  private static final Hash256 PLANNED = Hash256.ZERO;

  /** Transactions in blocks that are read at once. */
  private static final int PAGE = 50;

  private final Purse purse;
  private final Ledger ledger;
  // Unconfirmed ones first.
  private final List<Tx> payments;

  EarlierPayments(Purse purse, List<Recipient> recipients) {
    this.purse = purse;
    this.ledger = purse.view().ledger();
    this.payments =
        Stream.concat(ledger.unconfirmedNewestFirst().stream(), inLastBlocks())
            .map(Fact::tx)
            .filter(tx -> purse.isOurs(tx.txid()) && pays(tx, recipients))
            .collect(Collectors.toList());
  }

  /** The newest first. */
  private Stream<Fact> inLastBlocks() {
    int lowest = purse.view().height() - PaymentOrder.RECENT_BLOCKS + 1;
    List<Fact> found = new ArrayList<>();
    Optional<Fact> end = Optional.empty();
    while (true) {
      List<Fact> page = ledger.confirmedBefore(end, PAGE);
      for (Fact fact : page) {
        if (fact.height() < lowest) {
          return found.stream();
        }
        found.add(fact);
        end = Optional.of(fact);
      }
      if (page.size() < PAGE) {
        return found.stream();
      }
    }
  }

  private boolean pays(Tx payment, List<Recipient> recipients) {
    return recipients.stream()
        .allMatch(
            recipient ->
                payment.outputs().stream()
                    .anyMatch(
                        output ->
                            output.script().equals(recipient.script())
                                && isSame(output.value(), recipient, payment)));
  }

  /** Whether a payment that ordered the same could have paid this. */
  private boolean isSame(long paid, Recipient recipient, Tx payment) {
    Effect effect = ledger.effect(payment.txid());
    return switch (recipient.share()) {
      case AMOUNT -> paid == recipient.amount();
      // The fee was that of other coins, perhaps.
      case AMOUNT_LESS_FEE ->
          paid <= recipient.amount()
              && paid >= recipient.amount() - effect.fee(payment).orElse(recipient.amount());
      // After a block, everything is what came since.
      case ALL ->
          effect.received().isEmpty() && ledger.status(payment.txid()) != TxStatus.CONFIRMED;
    };
  }

  /** One that waits for a block, or that one of the last blocks holds. */
  Optional<EarlierPayment> counting() {
    return payments.stream()
        .map(payment -> earlier(payment, List.of()))
        .filter(EarlierPayment::counts)
        .findFirst();
  }

  /**
   * One that no longer counts and does not conflict with the planned payment: of the two, only one
   * may be mined, so they must.
   *
   * @param coins that the planned payment spends
   */
  Optional<EarlierPayment> withoutConflict(List<OutPoint> coins) {
    Map<OutPoint, Hash256> planned = spends(PLANNED, coins);
    for (Tx payment : payments) {
      Map<OutPoint, Hash256> earlier = spends(payment.txid(), inputs(payment));
      if (!earlier(payment, List.of()).counts()
          && !conflict(earlier, planned)
          && mayBeMined(earlier.values())) {
        return Optional.of(earlier(payment, coinsInConflict(earlier)));
      }
    }
    return Optional.empty();
  }

  private EarlierPayment earlier(Tx payment, List<OutPoint> coins) {
    Hash256 txid = payment.txid();
    return new EarlierPayment(
        txid,
        ledger.status(txid),
        purse.isHeard(txid),
        Optional.ofNullable(ledger.replacement(txid)).map(Replacement::txid),
        coins);
  }

  /** What a transaction and its unconfirmed ancestors spend: who spends each coin. */
  private Map<OutPoint, Hash256> spends(Hash256 spender, List<OutPoint> coins) {
    Map<OutPoint, Hash256> spends = new HashMap<>();
    addSpends(spender, coins, spends);
    return spends;
  }

  private void addSpends(Hash256 spender, List<OutPoint> coins, Map<OutPoint, Hash256> spends) {
    for (OutPoint coin : coins) {
      if (spends.put(coin, spender) == null) {
        Fact parent = ledger.fact(coin.txid());
        if (parent != null && parent.confirmation() == null) {
          addSpends(coin.txid(), inputs(parent.tx()), spends);
        }
      }
    }
  }

  private static List<OutPoint> inputs(Tx tx) {
    return tx.inputs().stream().map(Tx.Input::outPoint).collect(Collectors.toList());
  }

  /** Whether two transactions spend one coin, or what they build on does. */
  private static boolean conflict(Map<OutPoint, Hash256> one, Map<OutPoint, Hash256> other) {
    return one.entrySet().stream()
        .anyMatch(
            spend -> {
              Hash256 spender = other.get(spend.getKey());
              return spender != null && !spender.equals(spend.getValue());
            });
  }

  /** Whether no block holds another spend of what these transactions spend. */
  private boolean mayBeMined(Collection<Hash256> chain) {
    for (Hash256 txid : new HashSet<>(chain)) {
      Replacement by = ledger.fact(txid) == null ? null : ledger.replacement(txid);
      if (by != null && by.height().isPresent()) {
        return false;
      }
    }
    return true;
  }

  private List<OutPoint> coinsInConflict(Map<OutPoint, Hash256> earlier) {
    return purse.coins().stream()
        .filter(coin -> !coin.obstacle().isPresent())
        .filter(coin -> conflict(earlier, spendsOf(coin)))
        .map(InputCoin::outPoint)
        .collect(Collectors.toList());
  }

  private Map<OutPoint, Hash256> spendsOf(InputCoin coin) {
    return coin.isUnconfirmed()
        ? spends(PLANNED, List.of(coin.outPoint()))
        : Map.of(coin.outPoint(), PLANNED);
  }
}
