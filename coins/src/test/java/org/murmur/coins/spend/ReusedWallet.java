package org.murmur.coins.spend;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.spend.SpendOutcome.Planned;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.coins.spend.fee.InputSize;
import org.murmur.coins.spend.fee.TxWeight;

/**
 * A wallet whose addresses were paid several times, and one payment of it.
 *
 * @param coins all confirmed
 * @param amount of the payment in satoshi
 * @param rate the fee rate of the payment
 */
record ReusedWallet(List<Held> coins, long amount, FeeRate rate) {

  private static final OutputType TYPE = OutputType.P2WPKH;
  private static final int[] RATES = {1, 2, 3, 5, 10, 20, 50, 100};

  /**
   * A coin.
   *
   * @param address a number
   * @param value in satoshi
   */
  record Held(int address, long value) {}

  /** Equal coins at one address. */
  static ReusedWallet equal(int count, long value, long amount, int rate) {
    List<Held> coins = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      coins.add(new Held(0, value));
    }
    return new ReusedWallet(coins, amount, FeeRate.satPerVb(rate));
  }

  /** Some addresses have many coins, equal ones or of all sizes; one may have foreign dust. */
  static ReusedWallet random(long seed) {
    // Java's first draws of neighbouring seeds are alike.
    Random random = new Random(seed * 0x9e3779b97f4a7c15L);
    FeeRate rate = FeeRate.satPerVb(RATES[random.nextInt(RATES.length)]);
    List<Held> coins = new ArrayList<>();
    int addresses = 1 + random.nextInt(15);
    for (int address = 0; address < addresses; address++) {
      int count = random.nextBoolean() ? 1 : (int) Math.exp(random.nextDouble() * Math.log(150));
      boolean equal = random.nextBoolean();
      long value = value(random);
      for (int i = 0; i < count; i++) {
        coins.add(new Held(address, equal ? value : value(random)));
      }
    }
    long worth = coins.stream().mapToLong(coin -> Math.max(0, worth(coin, rate))).sum();
    long least = 2_000;
    long most = Math.max(least + 1, (long) (worth * 0.4) - rate.feeOf(200));
    long amount = (long) (least * Math.exp(random.nextDouble() * Math.log((double) most / least)));
    ReusedWallet wallet = new ReusedWallet(coins, amount, rate);
    return random.nextBoolean()
        ? wallet.withDust(random.nextInt(addresses), 1 + random.nextInt(200), random)
        : wallet;
  }

  private static long value(Random random) {
    return Math.max(5_000, (long) (200_000 * Math.exp(1.5 * random.nextGaussian())));
  }

  private static long worth(Held coin, FeeRate rate) {
    return coin.value() - rate.feeOfWeight(TxWeight.ofInput(InputSize.of(TYPE)));
  }

  /** The same wallet after somebody sent many small coins to one of its addresses. */
  ReusedWallet withDust(int address, int count, Random random) {
    List<Held> more = new ArrayList<>(coins);
    long value = 330L + random.nextInt(340);
    for (int i = 0; i < count; i++) {
      more.add(new Held(address, value));
    }
    return new ReusedWallet(more, amount, rate);
  }

  /** Plans it. */
  PaymentPlan plan(long seed) {
    List<InputCoin> all = new ArrayList<>();
    for (int i = 0; i < coins.size(); i++) {
      Held coin = coins.get(i);
      all.add(TestScripts.coin(TYPE, i, coin.address(), coin.value(), 7, false));
    }
    PaymentOrder request =
        PaymentOrder.of(List.of(Recipient.of(TestScripts.script(TYPE, 2_000_000), amount)), rate)
            .from(all, TestScripts.change(TYPE), PendingTransactions.NONE);
    SpendOutcome outcome = PaymentPlanner.plan(request, Draws.ofSeed(seed));
    if (!(outcome instanceof Planned planned)) {
      throw new AssertionError("a wallet with enough does not pay " + amount + ": " + outcome);
    }
    return planned.plan();
  }

  @Override
  public String toString() {
    long addresses = coins.stream().map(Held::address).distinct().count();
    return coins.size() + " coins at " + addresses + " addresses pay " + amount + " at " + rate;
  }
}
