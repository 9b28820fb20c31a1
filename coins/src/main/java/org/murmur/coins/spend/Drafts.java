package org.murmur.coins.spend;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.murmur.coins.internal.fee.Dust;
import org.murmur.coins.spend.Recipient.Share;
import org.murmur.coins.spend.SpendOutcome.DustAfterFee;
import org.murmur.coins.spend.SpendOutcome.InsufficientFunds;
import org.murmur.coins.spend.SpendOutcome.Refused;
import org.murmur.coins.spend.SpendOutcome.RelayRule;
import org.murmur.coins.spend.fee.TxWeight;

/** Computes the exact numbers of a payment with given coins. */
final class Drafts {

  private final PaymentOrder order;
  private final Terms terms;

  Drafts(PaymentOrder order, Terms terms) {
    this.order = order;
    this.terms = terms;
  }

  Draft of(List<InputCoin> coins, Algorithm algorithm) {
    Sums sums = new Sums(coins, algorithm);
    if (order.sweeps()) {
      return sums.toOne();
    }
    return order.subtractsFee() ? sums.fromAmounts() : sums.onTop();
  }

  /** The amounts as ordered, with other ones for some. */
  private List<Long> amounts() {
    return order.recipients().stream().map(Recipient::amount).collect(Collectors.toList());
  }

  /** Equal shares are subtracted; the first one takes what cannot be divided. */
  private List<Long> amountsLess(long fee) {
    List<Long> amounts = amounts();
    List<Integer> payers = new ArrayList<>();
    for (int i = 0; i < amounts.size(); i++) {
      if (order.recipients().get(i).share() == Share.AMOUNT_LESS_FEE) {
        payers.add(i);
      }
    }
    long rest = fee % payers.size();
    for (int i : payers) {
      amounts.set(i, amounts.get(i) - fee / payers.size() - rest);
      rest = 0;
    }
    return amounts;
  }

  /** One set of coins, and what they sum up to. */
  private final class Sums {

    private final List<InputCoin> coins;
    private final Algorithm algorithm;
    private final long left;
    private final long ancestorFee;
    private final int weight;
    private final int weightWithChange;

    Sums(List<InputCoin> coins, Algorithm algorithm) {
      this.coins = coins;
      this.algorithm = algorithm;
      left = coins.stream().mapToLong(InputCoin::value).sum() - terms.amounts();
      ancestorFee = terms.ancestorFee(coins);
      weight = terms.weight(coins, false);
      weightWithChange = terms.weight(coins, true);
    }

    /** The wallet pays the fee. */
    Draft onTop() {
      long feeWithChange = terms.fee(weightWithChange, ancestorFee);
      long change = left - feeWithChange;
      if (change >= terms.minChange()) {
        return draft(amounts(), change, feeWithChange, 0, change);
      }
      long surplus = left - terms.fee(weight, ancestorFee);
      return draft(amounts(), 0, left, Math.max(0, surplus), surplus);
    }

    /** The recipients pay the fee, except for what is too small to be change. */
    Draft fromAmounts() {
      if (left >= terms.minChange()) {
        long fee = terms.fee(weightWithChange, ancestorFee);
        return draft(amountsLess(fee), left, fee, 0, left);
      }
      long fee = terms.fee(weight, ancestorFee);
      long spare = Math.max(0, left);
      long dropped = Math.max(0, spare - fee);
      return draft(amountsLess(fee - spare + dropped), 0, fee + dropped, dropped, left);
    }

    /** One recipient gets all that is left. */
    Draft toOne() {
      long fee = terms.fee(weight, ancestorFee);
      List<Long> amounts = amounts();
      int all = 0;
      while (order.recipients().get(all).share() != Share.ALL) {
        all++;
      }
      amounts.set(all, left - fee);
      return draft(amounts, 0, fee, 0, left - fee - dust(all));
    }

    private Draft draft(List<Long> amounts, long change, long fee, long dropped, long surplus) {
      int whole = change > 0 ? weightWithChange : weight;
      long waste =
          terms.waste(coins.stream().mapToInt(coin -> coin.size().weight()).sum())
              + ancestorFee
              + (change > 0 ? terms.costOfChange() : dropped);
      return new Draft(
          algorithm,
          coins,
          amounts,
          change,
          fee,
          dropped,
          ancestorFee,
          whole,
          waste,
          surplus,
          problem(amounts, change > 0, whole, surplus));
    }

    private Optional<Refused> problem(
        List<Long> amounts, boolean withChange, int whole, long surplus) {
      if (surplus < 0) {
        return Optional.of(new InsufficientFunds(-surplus));
      }
      for (int i = 0; i < amounts.size(); i++) {
        if (amounts.get(i) < dust(i)) {
          return Optional.of(new DustAfterFee(dust(i) - amounts.get(i), i));
        }
      }
      if (whole > TxWeight.MAX_STANDARD) {
        return Optional.of(RelayRule.TOO_HEAVY);
      }
      if (terms.strippedSize(coins, withChange) < TxWeight.MIN_STANDARD_STRIPPED) {
        return Optional.of(RelayRule.TOO_SMALL);
      }
      return order.pending().admits(Terms.parents(coins), TxWeight.vsize(whole))
          ? Optional.empty()
          : Optional.of(RelayRule.CHAIN_TOO_LONG);
    }

    private long dust(int recipient) {
      return Dust.threshold(order.recipients().get(recipient).script());
    }
  }
}
