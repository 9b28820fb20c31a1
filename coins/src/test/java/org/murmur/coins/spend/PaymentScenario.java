package org.murmur.coins.spend;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.murmur.coins.spend.fee.FeeRate;

/**
 * Deposits and payments in their order, at changing fee rates. The form is that of the published
 * simulations of Core's coin selection: what a step adds to the wallet, and the fee rate then.
 *
 * <p>The wallet always has four times what a payment needs, so that each way of choosing coins can
 * make each payment.
 *
 * @param name what is played
 * @param steps one a block
 */
record PaymentScenario(String name, List<Step> steps) {

  /**
   * A deposit or a payment.
   *
   * @param amount in satoshi; negative if the wallet pays it
   * @param rate the fee rate of the time
   */
  record Step(long amount, FeeRate rate) {

    boolean isDeposit() {
      return amount > 0;
    }
  }

  /** Draws the steps and keeps count of the balance. */
  private static final class Writer {

    private final List<Step> steps = new ArrayList<>();
    private final Random random;
    private long balance;
    private int payments;
    private FeeRate rate = FeeRate.satPerVb(1);

    Writer(long seed) {
      random = new Random(seed);
    }

    /** Amounts over several orders of magnitude. */
    long amount(long middle, double spread) {
      return Math.max(5_000, (long) (middle * Math.exp(spread * random.nextGaussian())));
    }

    /** People like round amounts: 0.001, 0.0025. */
    long rounded(long amount) {
      long unit = 1;
      while (unit * 100 <= amount) {
        unit *= 10;
      }
      return random.nextInt(3) == 0 ? amount : amount / unit * unit;
    }

    void deposit(long amount) {
      balance += amount;
      steps.add(new Step(amount, rate));
    }

    void pay(long amount) {
      while (balance < 4 * (amount + rate.feeOf(5_000))) {
        deposit(amount);
      }
      // A rough fee: the coins decide, and those are the player's.
      balance -= amount + rate.feeOf(300);
      payments++;
      steps.add(new Step(-amount, rate));
    }

    PaymentScenario named(String name) {
      return new PaymentScenario(name, List.copyOf(steps));
    }
  }

  /** As many deposits as payments; the rate wanders between 1 and 200 sat/vB. */
  static PaymentScenario wandering(long seed, int payments) {
    Writer writer = new Writer(seed);
    for (int i = 0; i < 50; i++) {
      writer.deposit(writer.amount(250_000, 1.3));
    }
    double log = Math.log(10);
    while (writer.payments < payments) {
      log += 0.15 * writer.random.nextGaussian();
      log = Math.max(0, Math.min(Math.log(200), log));
      writer.rate = FeeRate.satPerVb(Math.round(Math.exp(log)));
      if (writer.random.nextInt(10) < 9) {
        writer.deposit(writer.amount(250_000, 1.3));
      }
      writer.pay(writer.amount(200_000, 1.3));
    }
    return writer.named("wandering rate, seed " + seed);
  }

  /**
   * The hot wallet of a busy service, like the scenario "bustabit": more deposits than payments,
   * amounts over five orders of magnitude, many of them equal. The rates are those of a year like
   * 2023: around 20 sat/vB for months, then weeks of congestion above 100.
   */
  static PaymentScenario hotWallet(long seed, int payments) {
    Writer writer = new Writer(seed);
    for (int coins = 1; coins <= 5; coins++) {
      writer.deposit(coins * 10_000_000L);
    }
    double log = Math.log(12);
    while (writer.payments < payments) {
      boolean congested = writer.payments * 5 / payments % 5 == 2;
      double middle = Math.log(congested ? 150 : 15);
      log += 0.05 * (middle - log) + 0.2 * writer.random.nextGaussian();
      log = Math.max(Math.log(2), Math.min(Math.log(500), log));
      writer.rate = FeeRate.satPerVb(Math.round(Math.exp(log)));
      for (int deposits = writer.random.nextInt(4); deposits > 0; deposits--) {
        writer.deposit(writer.rounded(writer.amount(200_000, 1.8)));
      }
      writer.pay(writer.rounded(writer.amount(300_000, 1.6)));
    }
    return writer.named("hot wallet, seed " + seed);
  }

  /**
   * Payouts from few large deposits, the hot wallet turned around. The rates are those of "peak and
   * tail": they fall from 100 sat/vB to a few, with small peaks.
   */
  static PaymentScenario payouts(long seed, int payments) {
    Writer writer = new Writer(seed);
    double log = Math.log(100);
    while (writer.payments < payments) {
      double middle =
          Math.log(4)
              + (Math.log(100) - Math.log(4)) * Math.exp(-writer.payments / (payments / 8.0));
      log += 0.3 * (middle - log) + 0.3 * writer.random.nextGaussian();
      log = Math.max(Math.log(1), Math.min(Math.log(200), log));
      writer.rate = FeeRate.satPerVb(Math.round(Math.exp(log)));
      if (writer.random.nextInt(8) == 0) {
        writer.deposit(writer.rounded(writer.amount(2_000_000, 1)));
      }
      writer.pay(writer.rounded(writer.amount(200_000, 1.6)));
    }
    return writer.named("payouts, seed " + seed);
  }
}
