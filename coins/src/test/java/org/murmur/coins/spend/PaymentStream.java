package org.murmur.coins.spend;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.spend.PaymentPlan.Output;
import org.murmur.coins.spend.SpendOutcome.Planned;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.coins.spend.fee.InputSize;
import org.murmur.coins.spend.fee.TxWeight;

/** Plays a scenario with {@link PaymentPlanner}, or with the largest coins first. */
final class PaymentStream {

  private static final OutputType TYPE = OutputType.P2WPKH;

  private final PaymentScenario scenario;
  private final Random seeds;
  private final boolean largestFirst;
  private final List<Held> coins = new ArrayList<>();
  private int height;
  private int number;
  private long fees;

  /** A coin in a block. */
  private record Held(int number, long value, int born, boolean own) {

    InputCoin at(int height) {
      return TestScripts.coin(TYPE, number, number, value, height - born + 1, own);
    }
  }

  /**
   * The result.
   *
   * @param fees in satoshi, of all payments
   * @param coins that are left
   */
  record Result(long fees, int coins) {

    /** The fees, and the cost of spending the rest at 10 sat/vB. */
    long wholeCost() {
      int each = TxWeight.ofInput(InputSize.of(TYPE));
      return fees + coins * FeePolicy.USUAL_LONG_TERM.feeOfWeight(each);
    }

    Result and(Result other) {
      return new Result(fees + other.fees, coins + other.coins);
    }
  }

  private PaymentStream(PaymentScenario scenario, long seed, boolean largestFirst) {
    this.scenario = scenario;
    this.seeds = new Random(seed);
    this.largestFirst = largestFirst;
  }

  static Result ours(PaymentScenario scenario, long seed) {
    return new PaymentStream(scenario, seed, false).run();
  }

  static Result largestFirst(PaymentScenario scenario) {
    return new PaymentStream(scenario, 0, true).run();
  }

  private Result run() {
    for (PaymentScenario.Step step : scenario.steps()) {
      height++;
      if (step.isDeposit()) {
        coins.add(new Held(number++, step.amount(), height, false));
      } else {
        pay(-step.amount(), step.rate());
      }
    }
    return new Result(fees, coins.size());
  }

  /** The payment is in the next block, as each deposit is. */
  private void pay(long amount, FeeRate rate) {
    List<InputCoin> all = coins.stream().map(coin -> coin.at(height - 1)).toList();
    List<InputCoin> offered = largestFirst ? largest(all, amount, rate) : all;
    PaymentOrder request =
        PaymentOrder.of(List.of(Recipient.of(TestScripts.script(TYPE, 2_000_000), amount)), rate)
            .from(offered, TestScripts.change(TYPE), PendingTransactions.NONE);
    if (largestFirst) {
      request = request.spendingOnly(offered.stream().map(InputCoin::outPoint).toList());
    }
    SpendOutcome outcome = PaymentPlanner.plan(request, Draws.ofSeed(seeds.nextLong()));
    if (!(outcome instanceof Planned planned)) {
      throw new AssertionError("a wallet with enough does not pay " + amount + ": " + outcome);
    }
    spend(planned.plan());
  }

  private void spend(PaymentPlan plan) {
    fees += plan.fee();
    List<InputCoin> spent = plan.inputs().stream().map(PaymentPlan.Input::coin).toList();
    coins.removeIf(coin -> spent.contains(coin.at(height - 1)));
    for (Output output : plan.outputs()) {
      if (output.isChange()) {
        coins.add(new Held(number++, output.value(), height, true));
      }
    }
  }

  /** The largest coins that pay the amount and a change output. */
  private static List<InputCoin> largest(List<InputCoin> coins, long amount, FeeRate rate) {
    List<InputCoin> sorted = new ArrayList<>(coins);
    sorted.sort(Comparator.comparingLong(InputCoin::value).reversed());
    long needed = amount + rate.feeOf(11 + 31 + 31);
    List<InputCoin> chosen = new ArrayList<>();
    for (InputCoin coin : sorted) {
      if (needed <= 0) {
        break;
      }
      chosen.add(coin);
      needed -= coin.value() - rate.feeOfWeight(TxWeight.ofInput(coin.size()));
    }
    return chosen;
  }
}
