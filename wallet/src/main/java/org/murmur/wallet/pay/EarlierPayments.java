package org.murmur.wallet.pay;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.script.OutputKind;
import org.murmur.coins.spend.InputCoin;
import org.murmur.coins.spend.Recipient;
import org.murmur.coins.spend.Recipient.Share;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.Ledger;
import org.murmur.wallet.ledger.Replacement;
import org.murmur.wallet.ledger.TxStatus;

/**
 * Payments of the wallet that pay the same as a planned one and that no block holds: a crash may
 * have left them, another process may have made them just now, or they no longer count, because the
 * user abandoned or cancelled them. A peer may have one of these nevertheless. And those that the
 * last blocks hold: the user may not know of them, since an older copy of the file was put back.
 * And those that the wallet gave out, as PSBTs or to be sent: somebody may send them.
 */
final class EarlierPayments {

  /** Stands for the payment that is planned. */
  private static final Hash256 PLANNED = Hash256.ZERO;

  /**
   * Confirmations after which a block's spend rules out another one: as many as Core's wallet shows
   * before it calls a payment confirmed. A payee with the work of one block could show that block
   * to this wallet alone.
   */
  private static final int SETTLED = 6;

  /** Transactions in blocks that are read at once. */
  private static final int PAGE = 50;

  private final Purse purse;
  private final Ledger ledger;
  private final List<Payee> payees;
  // Of the transaction that was built already; empty for an order.
  private final OptionalLong fee;
  // Unconfirmed ones first.
  private final List<Tx> payments;
  // Those of them that are not in the ledger.
  private final List<Tx> given;

  /** A script and its amount in satoshi. */
  private record Payee(Bytes script, long amount, Share share) {}

  /** Those that pay what an order orders. */
  EarlierPayments(Purse purse, List<Recipient> recipients) {
    this(
        purse,
        recipients.stream().map(each -> new Payee(each.script(), each.amount(), each.share())),
        OptionalLong.empty(),
        PLANNED);
  }

  /** Those that pay what a transaction pays to others, but not itself. */
  static EarlierPayments of(Purse purse, Tx tx) {
    Stream<Payee> payees =
        tx.outputs().stream()
            .filter(output -> !purse.place(output.script()).isPresent())
            .map(output -> new Payee(output.script(), output.value(), Share.AMOUNT));
    long fee = purse.view().ledger().fee(tx).orElse(0);
    return new EarlierPayments(purse, payees, OptionalLong.of(fee), tx.txid());
  }

  private EarlierPayments(Purse purse, Stream<Payee> recipients, OptionalLong fee, Hash256 itself) {
    this.purse = purse;
    this.ledger = purse.view().ledger();
    this.payees =
        recipients
            .filter(payee -> OutputKind.of(payee.script()) != OutputKind.OP_RETURN)
            .collect(Collectors.toList());
    this.fee = fee;
    this.payments =
        Stream.concat(ledger.unconfirmedNewestFirst().stream(), inLastBlocks())
            .map(Fact::tx)
            .filter(tx -> !tx.txid().equals(itself) && spendsOurs(tx) && pays(tx))
            .collect(Collectors.toList());
    this.given =
        purse.view().given().stream()
            .filter(tx -> !tx.txid().equals(itself) && ledger.fact(tx.txid()) == null && pays(tx))
            .collect(Collectors.toList());
  }

  /** Others may pay a part of it. */
  private boolean spendsOurs(Tx payment) {
    return !ledger.effect(payment.txid()).spent().isEmpty();
  }

  /** The newest first. */
  private Stream<Fact> inLastBlocks() {
    int lowest = purse.view().height() - EarlierPayment.RECENT_BLOCKS + 1;
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

  /**
   * Whether a payment pays one of the payees the same: whoever is paid twice does not return it.
   */
  private boolean pays(Tx payment) {
    return payees.stream()
        .anyMatch(
            payee ->
                payment.outputs().stream()
                    .anyMatch(
                        output ->
                            output.script().equals(payee.script())
                                && isSame(output.value(), payee, payment)));
  }

  /** Whether a payment that ordered the same could have paid this. */
  private boolean isSame(long paid, Payee recipient, Tx payment) {
    long itsFee = ledger.fee(payment).orElse(0);
    return switch (recipient.share()) {
      // Of a transaction nobody knows whether its payee pays the fee.
      case AMOUNT ->
          Math.abs(paid - recipient.amount())
              <= (fee.isPresent() ? Math.max(fee.getAsLong(), itsFee) : 0);
      // The fee was that of other coins, perhaps.
      case AMOUNT_LESS_FEE ->
          paid <= recipient.amount()
              && paid >= recipient.amount() - ledger.fee(payment).orElse(recipient.amount());
      // After a block, everything is what came since.
      case ALL ->
          payment.outputs().stream().noneMatch(output -> purse.place(output.script()).isPresent())
              && !isConfirmed(payment.txid());
    };
  }

  private boolean isConfirmed(Hash256 txid) {
    Fact fact = ledger.fact(txid);
    return fact != null && fact.confirmation() != null;
  }

  /** One that counts and does not conflict with the coins of a transaction that was built. */
  Optional<EarlierPayment> counting(List<OutPoint> coins) {
    Map<OutPoint, Hash256> planned = spends(PLANNED, coins);
    return payments.stream()
        .filter(payment -> !conflict(spends(payment.txid(), inputs(payment)), planned))
        .map(payment -> earlier(payment, List.of()))
        .filter(EarlierPayment::counts)
        .findFirst();
  }

  /** One that waits for a block, or that one of the last blocks holds. */
  Optional<EarlierPayment> counting() {
    return payments.stream()
        .map(payment -> earlier(payment, List.of()))
        .filter(EarlierPayment::counts)
        .findFirst();
  }

  /**
   * One that no longer counts and does not conflict with a planned payment that spends those coins:
   * of the two, only one may be mined, so they must.
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
    return givenWithoutConflict(planned);
  }

  private Optional<EarlierPayment> givenWithoutConflict(Map<OutPoint, Hash256> planned) {
    for (Tx payment : given) {
      Map<OutPoint, Hash256> earlier = spends(payment.txid(), inputs(payment));
      if (!conflict(earlier, planned)
          && earlier.keySet().stream().noneMatch(this::isSpentForGood)) {
        return Optional.of(
            new EarlierPayment(
                payment.txid(),
                TxStatus.MISSING,
                false,
                Optional.empty(),
                coinsInConflict(earlier),
                true));
      }
    }
    return Optional.empty();
  }

  private boolean isSpentForGood(OutPoint coin) {
    return ledger
        .spender(coin)
        .map(ledger::fact)
        .filter(fact -> fact.confirmation() != null && isSettled(fact.height()))
        .isPresent();
  }

  private boolean isSettled(int height) {
    return purse.view().height() - height + 1 >= SETTLED;
  }

  private EarlierPayment earlier(Tx payment, List<OutPoint> coins) {
    Hash256 txid = payment.txid();
    return new EarlierPayment(
        txid,
        ledger.status(txid),
        purse.isHeard(txid),
        Optional.ofNullable(ledger.replacement(txid)).map(Replacement::txid),
        coins,
        false);
  }

  /** The coins that a transaction and its unconfirmed ancestors spend, each with its spender. */
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

  /** Whether no settled block holds another spend of what these transactions spend. */
  private boolean mayBeMined(Collection<Hash256> chain) {
    for (Hash256 txid : new HashSet<>(chain)) {
      Replacement by = ledger.fact(txid) == null ? null : ledger.replacement(txid);
      if (by != null && by.height().isPresent() && isSettled(by.height().getAsInt())) {
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
