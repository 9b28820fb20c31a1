package org.murmur.coins.spend;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Amount;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.spend.PendingTransactions.Pending;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.coins.spend.fee.InputSize;

/** A wallet and a payment from a seed. The payment is often just possible, or just not. */
final class RandomWallet {

  private static final List<OutputType> TYPES = List.of(OutputType.values());

  private final Random random;
  private final List<InputCoin> coins = new ArrayList<>();
  private final List<Pending> pending = new ArrayList<>();
  private final FeePolicy fees;
  private final List<OutputType> types;

  RandomWallet(long seed, int maxCoins) {
    random = new Random(seed);
    types = types();
    long rate = 100 + (long) Math.exp(random.nextDouble() * Math.log(300_000));
    fees =
        FeePolicy.of(FeeRate.satPerKvb(rate))
            .longTerm(FeeRate.satPerKvb(1_000 + random.nextInt(30_000)))
            .withoutCeiling();
    pendingTransactions();
    int count = random.nextInt(maxCoins + 1);
    for (int i = 0; i < count; i++) {
      coins.add(coin(i));
    }
  }

  private List<OutputType> types() {
    return random.nextInt(3) == 0 ? TYPES : List.of(TYPES.get(random.nextInt(TYPES.size())));
  }

  private OutputType type() {
    return types.get(random.nextInt(types.size()));
  }

  /** Chains and forks, some of them as long as nodes relay. */
  private void pendingTransactions() {
    int count = random.nextInt(3) == 0 ? random.nextInt(30) : random.nextInt(3);
    for (int i = 0; i < count; i++) {
      Set<Hash256> parents = new HashSet<>();
      parents.add(TestScripts.txid(500_000 + i));
      if (i > 0 && random.nextInt(5) > 0) {
        parents.add(TestScripts.txid(100_000 + i - 1 - random.nextInt(Math.min(i, 2))));
      }
      long vsize = random.nextInt(20) == 0 ? 45_000 : 110 + random.nextInt(300);
      pending.add(
          new Pending(TestScripts.txid(100_000 + i), parents, random.nextInt(3_000), vsize));
    }
  }

  private InputCoin coin(int number) {
    OutputType type = type();
    boolean unconfirmed = !pending.isEmpty() && random.nextInt(4) == 0;
    boolean own = random.nextInt(4) > 0;
    int confirmations = random.nextInt(3) == 0 ? 1 + random.nextInt(150) : 6;
    Hash256 txid =
        unconfirmed ? pending.get(random.nextInt(pending.size())).txid() : TestScripts.txid(number);
    return new InputCoin(
        new OutPoint(txid, number),
        value(),
        TestScripts.script(type, random.nextInt(4) == 0 ? 0 : number),
        InputSize.of(type),
        unconfirmed ? 0 : confirmations,
        !unconfirmed && random.nextInt(10) == 0,
        own,
        random.nextInt(12) == 0);
  }

  private long value() {
    return random.nextInt(4) == 0
        ? random.nextInt(3_000)
        : (long) Math.exp(random.nextDouble() * Math.log(1e8));
  }

  PaymentOrder request() {
    List<Recipient> recipients = recipients();
    PaymentOrder request =
        PaymentOrder.of(recipients, fees)
            .from(
                coins,
                TestScripts.change(types.toArray(OutputType[]::new)),
                PendingTransactions.of(pending))
            .scriptsTogether(random.nextInt(4) > 0)
            .unconfirmedChange(random.nextInt(8) > 0)
            .replaceable(random.nextBoolean());
    if (coins.isEmpty() || random.nextInt(6) > 0) {
      return request;
    }
    List<OutPoint> named =
        List.of(
            coins.get(random.nextInt(coins.size())).outPoint(),
            coins.get(random.nextInt(coins.size())).outPoint());
    return random.nextBoolean() ? request.spendingOnly(named) : request.spendingAtLeast(named);
  }

  private List<Recipient> recipients() {
    List<Recipient> recipients = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    long whole = amount();
    boolean lessFee = random.nextInt(5) == 0;
    boolean all = !lessFee && random.nextInt(8) == 0;
    for (int i = 0; i < count; i++) {
      Bytes script = TestScripts.script(TYPES.get(random.nextInt(TYPES.size())), 2_000_000 + i);
      long amount = Math.max(600, whole / count);
      if (all && i == 0) {
        recipients.add(Recipient.all(script));
      } else if (lessFee && (i == 0 || random.nextBoolean())) {
        recipients.add(Recipient.lessFee(TestScripts.address(script), Amount.sat(amount)));
      } else {
        recipients.add(Recipient.of(script, amount));
      }
    }
    if (random.nextInt(8) == 0) {
      recipients.add(Recipient.data(Bytes.wrap(new byte[random.nextInt(81)])));
    }
    return recipients;
  }

  /** About the amount that some of the coins can pay: at the edge of what is possible. */
  private long amount() {
    int chance = random.nextInt(4);
    long sum = 0;
    for (InputCoin coin : coins) {
      if (random.nextInt(4) < chance || (chance == 3 && !coin.obstacle().isPresent())) {
        sum += coin.value() - fees.rate().feeOfWeight(coin.size().weight());
      }
    }
    sum -= fees.rate().feeOf(42 + random.nextInt(60));
    return Math.max(600, sum + random.nextInt(41) - 20);
  }

  Draws draws() {
    return Draws.ofSeed(random.nextLong());
  }
}
