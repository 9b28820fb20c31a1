package org.murmur.coins.spend;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.internal.fee.Dust;
import org.murmur.coins.spend.InputCoin.Obstacle;
import org.murmur.coins.spend.PaymentPlan.Input;
import org.murmur.coins.spend.PaymentPlan.Output;
import org.murmur.coins.spend.Recipient.Share;
import org.murmur.coins.spend.SpendOutcome.CoinNotSpendable;
import org.murmur.coins.spend.SpendOutcome.DustAmount;
import org.murmur.coins.spend.SpendOutcome.FeeAboveCeiling;
import org.murmur.coins.spend.SpendOutcome.Planned;
import org.murmur.coins.spend.SpendOutcome.RateAboveCeiling;
import org.murmur.coins.spend.SpendOutcome.Refused;
import org.murmur.coins.spend.SpendOutcome.RelayRule;
import org.murmur.coins.spend.fee.TxWeight;

/** Makes a plan of an order. */
public final class PaymentPlanner {

  private PaymentPlanner() {}

  /**
   * Plans a payment: chooses coins, works out fee and change, draws the order.
   *
   * @param order what is to be paid, and {@linkplain PaymentOrder#from from what}
   * @param draws random draws, which tell where the change is: their seed must be secret
   * @return the plan, or the reason why there is none
   * @throws IllegalArgumentException if the order names coins that are not there, or has no script
   *     for change
   */
  public static SpendOutcome plan(PaymentOrder order, Draws draws) {
    order.requireFunds();
    Optional<Refused> refused = refusedAtOnce(order);
    if (refused.isPresent()) {
      return refused.get();
    }
    Terms terms = new Terms(order);
    Draft draft = new Search(order, terms, draws).run();
    refused = draft.problem();
    if (refused.isPresent()) {
      boolean payees = haveTooManyPayees(order, List.of(terms.changeScript()));
      return refused.get() == RelayRule.TOO_HEAVY && payees
          ? RelayRule.TOO_MANY_PAYEES
          : refused.get();
    }
    PaymentPlan plan = plan(draft, order, terms, draws);
    FeePolicy fees = order.fees();
    if (plan.fee() > fees.maxFee().satoshi()) {
      return new FeeAboveCeiling(plan.fee(), fees.maxFee().satoshi());
    }
    return plan.paidRate().compareTo(fees.maxRate()) > 0
        ? new RateAboveCeiling(OptionalLong.of(plan.fee()))
        : new Planned(plan);
  }

  private static Optional<Refused> refusedAtOnce(PaymentOrder order) {
    List<Recipient> recipients = order.recipients();
    for (int i = 0; i < recipients.size(); i++) {
      Recipient recipient = recipients.get(i);
      long missing = Dust.threshold(recipient.script()) - recipient.amount();
      if (recipient.share() != Share.ALL && missing > 0) {
        return Optional.of(new DustAmount(missing, i));
      }
    }
    if (order.fees().rate().compareTo(order.fees().maxRate()) > 0) {
      return Optional.of(new RateAboveCeiling(OptionalLong.empty()));
    }
    if (haveTooManyPayees(order, List.of())) {
      return Optional.of(RelayRule.TOO_MANY_PAYEES);
    }
    return order.coins().stream()
        .filter(coin -> order.isNamed(coin) && isForbidden(coin, order))
        .findFirst()
        .map(coin -> new CoinNotSpendable(coin.outPoint(), coin.obstacle()));
  }

  /** Whether the outputs leave no room for any coin. */
  private static boolean haveTooManyPayees(PaymentOrder order, List<Bytes> change) {
    List<Bytes> scripts = new ArrayList<>(change);
    order.recipients().forEach(recipient -> scripts.add(recipient.script()));
    int lightest =
        order.coins().stream().mapToInt(coin -> TxWeight.ofInput(coin.size())).min().orElse(0);
    return TxWeight.besideInputs(1, scripts) + lightest > TxWeight.MAX_STANDARD;
  }

  private static boolean isForbidden(InputCoin coin, PaymentOrder order) {
    Optional<Obstacle> obstacle = coin.obstacle();
    if (order.allowsForeign() && obstacle.equals(Optional.of(Obstacle.FOREIGN_UNCONFIRMED))) {
      obstacle = Optional.empty();
    }
    return obstacle.isPresent()
        || (coin.isUnconfirmed() && !order.pending().contains(coin.outPoint().txid()));
  }

  private static PaymentPlan plan(Draft draft, PaymentOrder order, Terms terms, Draws draws) {
    return new PaymentPlan(
        inputs(draft, order, draws),
        outputs(draft, order, terms, draws),
        draft.fee(),
        order.fees().rate(),
        draft.weight(),
        draft.ancestorFee(),
        draft.dropped(),
        draft.waste(),
        AntiFeeSniping.draw(order.tipHeight(), order.tipAge(), draws),
        draft.algorithm());
  }

  private static List<Input> inputs(Draft draft, PaymentOrder order, Draws draws) {
    int sequence = order.isReplaceable() ? PaymentPlan.REPLACEABLE : PaymentPlan.NOT_REPLACEABLE;
    List<InputCoin> coins = new ArrayList<>(draft.coins());
    draws.shuffle(coins);
    return coins.stream().map(coin -> new Input(coin, sequence)).collect(Collectors.toList());
  }

  /** Recipients keep their order; the change is anywhere among them. */
  private static List<Output> outputs(Draft draft, PaymentOrder order, Terms terms, Draws draws) {
    List<Output> outputs = new ArrayList<>();
    for (int i = 0; i < draft.amounts().size(); i++) {
      outputs.add(new Output(order.recipients().get(i).script(), draft.amounts().get(i), i));
    }
    if (draft.change() > 0) {
      outputs.add(
          draws.below(outputs.size() + 1),
          new Output(terms.changeScript(), draft.change(), PaymentPlan.CHANGE));
    }
    return outputs;
  }
}
