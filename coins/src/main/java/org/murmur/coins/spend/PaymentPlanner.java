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

/** Makes a plan of a request. */
public final class PaymentPlanner {

  private PaymentPlanner() {}

  /**
   * Plans a payment: chooses coins, works out fee and change, draws the order.
   *
   * @param request what is to be paid, and with what
   * @param draws random draws, which tell where the change is: their seed must be secret
   * @return the plan, or the reason why there is none
   */
  public static SpendOutcome plan(SpendRequest request, Draws draws) {
    Optional<Refused> refused = refusedAtOnce(request);
    if (refused.isPresent()) {
      return refused.get();
    }
    Terms terms = new Terms(request);
    Draft draft = new Search(request, terms, draws).run();
    refused = draft.problem();
    if (refused.isPresent()) {
      boolean payees = haveTooManyPayees(request, List.of(terms.changeScript()));
      return refused.get() == RelayRule.TOO_HEAVY && payees
          ? RelayRule.TOO_MANY_PAYEES
          : refused.get();
    }
    PaymentPlan plan = plan(draft, request, terms, draws);
    FeePolicy fees = request.fees();
    if (plan.fee() > fees.maxFee().satoshi()) {
      return new FeeAboveCeiling(plan.fee(), fees.maxFee().satoshi());
    }
    return plan.paidRate().compareTo(fees.maxRate()) > 0
        ? new RateAboveCeiling(OptionalLong.of(plan.fee()))
        : new Planned(plan);
  }

  private static Optional<Refused> refusedAtOnce(SpendRequest request) {
    List<Recipient> recipients = request.recipients();
    for (int i = 0; i < recipients.size(); i++) {
      Recipient recipient = recipients.get(i);
      long missing = Dust.threshold(recipient.script()) - recipient.amount();
      if (recipient.share() != Share.ALL && missing > 0) {
        return Optional.of(new DustAmount(missing, i));
      }
    }
    if (request.fees().rate().compareTo(request.fees().maxRate()) > 0) {
      return Optional.of(new RateAboveCeiling(OptionalLong.empty()));
    }
    if (haveTooManyPayees(request, List.of())) {
      return Optional.of(RelayRule.TOO_MANY_PAYEES);
    }
    return request.coins().stream()
        .filter(coin -> request.isNamed(coin) && isForbidden(coin, request))
        .findFirst()
        .map(coin -> new CoinNotSpendable(coin.outPoint(), coin.obstacle()));
  }

  /** Whether the outputs leave no room for any coin. */
  private static boolean haveTooManyPayees(SpendRequest request, List<Bytes> change) {
    List<Bytes> scripts = new ArrayList<>(change);
    request.recipients().forEach(recipient -> scripts.add(recipient.script()));
    int lightest =
        request.coins().stream().mapToInt(coin -> TxWeight.ofInput(coin.size())).min().orElse(0);
    return TxWeight.besideInputs(1, scripts) + lightest > TxWeight.MAX_STANDARD;
  }

  private static boolean isForbidden(InputCoin coin, SpendRequest request) {
    Optional<Obstacle> obstacle = coin.obstacle();
    if (request.allowsForeign() && obstacle.equals(Optional.of(Obstacle.FOREIGN_UNCONFIRMED))) {
      obstacle = Optional.empty();
    }
    return obstacle.isPresent()
        || (coin.isUnconfirmed() && !request.pending().contains(coin.outPoint().txid()));
  }

  private static PaymentPlan plan(Draft draft, SpendRequest request, Terms terms, Draws draws) {
    return new PaymentPlan(
        inputs(draft, request, draws),
        outputs(draft, request, terms, draws),
        draft.fee(),
        request.fees().rate(),
        draft.weight(),
        draft.ancestorFee(),
        draft.dropped(),
        draft.waste(),
        AntiFeeSniping.draw(request.tipHeight(), request.tipAge(), draws),
        draft.algorithm());
  }

  private static List<Input> inputs(Draft draft, SpendRequest request, Draws draws) {
    int sequence = request.isReplaceable() ? PaymentPlan.REPLACEABLE : PaymentPlan.NOT_REPLACEABLE;
    List<InputCoin> coins = new ArrayList<>(draft.coins());
    draws.shuffle(coins);
    return coins.stream().map(coin -> new Input(coin, sequence)).collect(Collectors.toList());
  }

  /** Recipients keep their order; the change is anywhere among them. */
  private static List<Output> outputs(Draft draft, SpendRequest request, Terms terms, Draws draws) {
    List<Output> outputs = new ArrayList<>();
    for (int i = 0; i < draft.amounts().size(); i++) {
      outputs.add(new Output(request.recipients().get(i).script(), draft.amounts().get(i), i));
    }
    if (draft.change() > 0) {
      outputs.add(
          draws.below(outputs.size() + 1),
          new Output(terms.changeScript(), draft.change(), PaymentPlan.CHANGE));
    }
    return outputs;
  }
}
