package org.murmur.wallet.spend;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.murmur.wallet.keys.ScriptType;
import org.murmur.wallet.spend.PaymentPlan.Output;
import org.murmur.wallet.spend.SpendOutcome.Planned;
import org.murmur.wallet.spend.fee.FeeRate;
import org.murmur.wallet.spend.fee.InputSize;
import org.murmur.wallet.spend.fee.TxWeight;
import org.murmur.wallet.spend.select.Draws;

/**
 * A wallet that receives and pays, at fee rates that wander between 1 and 200 sat/vB. The stream
 * depends on the seed only, so that two ways of choosing coins get the same one.
 */
final class PaymentStream {

  private static final ScriptType TYPE = ScriptType.P2WPKH;

  private final Random random;
  private final boolean largestFirst;
  private final List<InputCoin> coins = new ArrayList<>();
  private double logRate = Math.log(10);
  private int number;
  private long fees;
  private long inputs;
  private int changeless;
  private int refused;

  /**
   * The result.
   *
   * @param fees in satoshi, of all payments
   * @param coins that are left
   * @param inputs of all payments
   * @param changeless payments without change
   * @param refused payments for which the wallet had too little
   */
  record Result(long fees, int coins, long inputs, int changeless, int refused) {

    /** The fees, and the cost of spending the rest at 10 sat/vB. */
    long wholeCost() {
      int each = InputSize.of(TYPE).weight();
      return fees + coins * FeePolicy.USUAL_LONG_TERM.feeOfWeight(each);
    }
  }

  private PaymentStream(long seed, boolean largestFirst) {
    random = new Random(seed);
    this.largestFirst = largestFirst;
  }

  static Result ours(long seed, int payments) {
    return new PaymentStream(seed, false).run(payments);
  }

  static Result largestFirst(long seed, int payments) {
    return new PaymentStream(seed, true).run(payments);
  }

  private Result run(int payments) {
    for (int i = 0; i < 50; i++) {
      deposit();
    }
    for (int i = 0; i < payments; i++) {
      logRate += 0.15 * random.nextGaussian();
      logRate = Math.max(0, Math.min(Math.log(200), logRate));
      if (random.nextInt(10) < 9) {
        deposit();
      }
      pay(amount(200_000), FeeRate.ofSatPerVb(Math.round(Math.exp(logRate))), random.nextLong());
    }
    return new Result(fees, coins.size(), inputs, changeless, refused);
  }

  /** Amounts over three orders of magnitude. */
  private long amount(long middle) {
    return Math.max(5_000, (long) (middle * Math.exp(1.3 * random.nextGaussian())));
  }

  private void deposit() {
    coins.add(TestScripts.coin(TYPE, number++, amount(250_000)));
  }

  private void pay(long amount, FeeRate rate, long seed) {
    List<InputCoin> offered = largestFirst ? largest(amount, rate) : coins;
    PaymentRequest request =
        PaymentRequest.of(
            offered,
            List.of(Recipient.of(TestScripts.script(TYPE, 2_000_000), amount)),
            TestScripts.change(TYPE),
            FeePolicy.of(rate));
    if (largestFirst && !offered.isEmpty()) {
      request = request.spendingOnly(offered.stream().map(InputCoin::outPoint).toList());
    }
    if (PaymentPlanner.plan(request, Draws.ofSeed(seed)) instanceof Planned planned) {
      spend(planned.plan());
    } else {
      refused++;
    }
  }

  private void spend(PaymentPlan plan) {
    fees += plan.fee();
    inputs += plan.inputs().size();
    plan.inputs().forEach(input -> coins.remove(input.coin()));
    changeless += plan.change().isPresent() ? 0 : 1;
    for (Output output : plan.outputs()) {
      if (output.isChange()) {
        coins.add(TestScripts.coin(TYPE, number, number++, output.value(), 6, true));
      }
    }
  }

  /** The largest coins that pay the amount and a change output. */
  private List<InputCoin> largest(long amount, FeeRate rate) {
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
