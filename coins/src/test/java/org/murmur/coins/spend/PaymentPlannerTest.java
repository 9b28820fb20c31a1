package org.murmur.coins.spend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Amount;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.spend.PaymentPlan.Output;
import org.murmur.coins.spend.PendingTransactions.Pending;
import org.murmur.coins.spend.SpendOutcome.Planned;
import org.murmur.coins.spend.SpendOutcome.Refused;
import org.murmur.coins.spend.SpendOutcome.RelayRule;
import org.murmur.coins.spend.fee.FeeRate;

/** Payments worked out by hand: P2WPKH at 10 sat/vB unless said otherwise. */
final class PaymentPlannerTest {

  private static final Bytes SHOP = TestScripts.script(OutputType.P2WPKH, 2_000_001);
  private static final Bytes FRIEND = TestScripts.script(OutputType.P2WPKH, 2_000_002);
  private static final FeePolicy TEN = FeePolicy.of(FeeRate.satPerVb(10));

  private static InputCoin coin(int number, long value) {
    return TestScripts.coin(OutputType.P2WPKH, number, value);
  }

  private static PaymentOrder request(List<InputCoin> coins, Recipient... recipients) {
    return request(coins, PendingTransactions.NONE, recipients);
  }

  private static PaymentOrder request(
      List<InputCoin> coins, PendingTransactions pending, Recipient... recipients) {
    return PaymentOrder.of(Arrays.asList(recipients), TEN)
        .from(coins, TestScripts.change(OutputType.P2WPKH), pending);
  }

  private static PaymentOrder from(PaymentOrder order, List<InputCoin> coins) {
    return order.from(coins, TestScripts.change(OutputType.P2WPKH), PendingTransactions.NONE);
  }

  private static PaymentPlan plan(PaymentOrder request) {
    SpendOutcome outcome = PaymentPlanner.plan(request, Draws.ofSeed(1));
    assertThat(outcome).isInstanceOf(Planned.class);
    PaymentPlan plan = ((Planned) outcome).plan();
    new PlanCheck(request, plan).check();
    return plan;
  }

  private static Refused refused(PaymentOrder request) {
    SpendOutcome outcome = PaymentPlanner.plan(request, Draws.ofSeed(1));
    assertThat(outcome).isInstanceOf(Refused.class);
    return (Refused) outcome;
  }

  private static List<Long> values(PaymentPlan plan) {
    return plan.outputs().stream().map(Output::value).toList();
  }

  /** 141 vB cost 1,410 sat: 100,000 − 50,000 − 1,410 come back. */
  @Test
  void paysAndReturnsChange() {
    PaymentPlan plan = plan(request(List.of(coin(1, 100_000)), Recipient.of(SHOP, 50_000)));
    assertThat(plan.fee()).isEqualTo(1_410);
    assertThat(plan.vsize()).isEqualTo(141);
    assertThat(values(plan)).containsExactlyInAnyOrder(50_000L, 48_590L);
    assertThat(plan.paidRate()).isEqualTo(FeeRate.satPerVb(10));
    assertThat(plan.outputs().get(plan.change().orElseThrow()).value()).isEqualTo(48_590);
  }

  /** 110 vB cost 1,100 sat; 51,101 leave one satoshi too much, which is no output. */
  @Test
  void makesNoChangeWhereTheAmountMatches() {
    PaymentPlan plan =
        plan(
            request(
                List.of(coin(1, 51_101), coin(2, 80_000), coin(3, 500_000)),
                Recipient.of(SHOP, 50_000)));
    assertThat(plan.algorithm()).isEqualTo(Algorithm.BRANCH_AND_BOUND);
    assertThat(plan.change()).isEmpty();
    assertThat(plan.fee()).isEqualTo(1_101);
    assertThat(plan.dropped()).isEqualTo(1);
    assertThat(plan.waste()).isEqualTo(1);
  }

  /** To the last satoshi: 50,000 and 1,100. */
  @Test
  void paysWithExactlyEnough() {
    PaymentPlan plan = plan(request(List.of(coin(1, 51_100)), Recipient.of(SHOP, 50_000)));
    assertThat(plan.fee()).isEqualTo(1_100);
    Refused refused = refused(request(List.of(coin(1, 51_099)), Recipient.of(SHOP, 50_000)));
    assertThat(refused).isEqualTo(new SpendOutcome.InsufficientFunds(1));
  }

  /**
   * Change below 980 sat, the dust of P2WPKH at 10 sat/vB, is dropped: with 141 vB, 51,410 + 979
   * leave 979.
   */
  @Test
  void dropsChangeThatIsNotWorthItsSpending() {
    PaymentPlan dropped = plan(request(List.of(coin(1, 52_389)), Recipient.of(SHOP, 50_000)));
    assertThat(dropped.change()).isEmpty();
    assertThat(dropped.fee()).isEqualTo(2_389);
    assertThat(dropped.dropped()).isEqualTo(1_289);
    PaymentPlan kept = plan(request(List.of(coin(1, 52_390)), Recipient.of(SHOP, 50_000)));
    assertThat(values(kept)).containsExactlyInAnyOrder(50_000L, 980L);
  }

  private static Recipient lessFee(Bytes script, long satoshi) {
    return Recipient.lessFee(TestScripts.address(script), Amount.sat(satoshi));
  }

  /** 141 vB of fee: 1,410 out of two amounts, 705 each; change is untouched. */
  @Test
  void subtractsTheFeeEqually() {
    PaymentPlan plan =
        plan(request(List.of(coin(1, 200_000)), lessFee(SHOP, 60_000), lessFee(FRIEND, 40_000)));
    // 1 input, 3 outputs: 8 + 1 + 41 + 1 + 93 = 144 bytes, 576 + 2 + 107 = 685 weight, 172 vB.
    assertThat(plan.fee()).isEqualTo(1_720);
    assertThat(values(plan)).containsExactlyInAnyOrder(59_140L, 39_140L, 100_000L);
  }

  /** 2.005 sat/vB of 172 vB are 345 sat: the first one pays 173, the other one 172. */
  @Test
  void theFirstPaysTheRemainder() {
    PaymentOrder request =
        from(
            PaymentOrder.of(
                List.of(lessFee(SHOP, 60_000), lessFee(FRIEND, 40_000)), FeeRate.satPerKvb(2_005)),
            List.of(coin(1, 200_000)));
    assertThat(values(plan(request))).containsExactlyInAnyOrder(59_827L, 39_828L, 100_000L);
  }

  @Test
  void refusesAnAmountThatTheFeeEatsUp() {
    Refused refused = refused(request(List.of(coin(1, 200_000)), lessFee(SHOP, 1_000)));
    // 1,000 − 1,410 = −410, and P2WPKH needs 294.
    assertThat(refused).isEqualTo(new SpendOutcome.DustAfterFee(704, 0));
  }

  /** Two inputs and one output: 8 + 1 + 82 + 1 + 31 = 123 bytes, 492 + 2 + 214 = 708, 177 vB. */
  @Test
  void sendsAll() {
    PaymentPlan plan =
        plan(request(List.of(coin(1, 60_000), coin(2, 40_000)), Recipient.all(SHOP)));
    assertThat(values(plan)).containsExactly(98_230L);
    assertThat(plan.fee()).isEqualTo(1_770);
    assertThat(plan.dropped()).isZero();
  }

  /** A coin of 600 sat costs 678 to spend. */
  @Test
  void allLeavesCoinsThatAreNotWorthTheirFee() {
    PaymentPlan plan = plan(request(List.of(coin(1, 60_000), coin(2, 600)), Recipient.all(SHOP)));
    assertThat(values(plan)).containsExactly(58_900L);
  }

  @Test
  void allComesAfterTheOthers() {
    PaymentPlan plan =
        plan(request(List.of(coin(1, 100_000)), Recipient.of(FRIEND, 30_000), Recipient.all(SHOP)));
    assertThat(values(plan)).containsExactly(30_000L, 68_590L);
  }

  @Test
  void spendsOnlyNamedCoinsAndAllOfThem() {
    List<InputCoin> coins = List.of(coin(1, 60_000), coin(2, 40_000), coin(3, 10_000_000));
    List<OutPoint> two = List.of(coins.get(0).outPoint(), coins.get(1).outPoint());
    PaymentPlan plan = plan(request(coins, Recipient.of(SHOP, 20_000)).spendingOnly(two));
    assertThat(plan.algorithm()).isEqualTo(Algorithm.NAMED);
    assertThat(plan.inputs()).hasSize(2);
    Refused refused = refused(request(coins, Recipient.of(SHOP, 100_000)).spendingOnly(two));
    assertThat(refused).isEqualTo(new SpendOutcome.InsufficientFunds(1_770));
    PaymentPlan more = plan(request(coins, Recipient.of(SHOP, 100_000)).spendingAtLeast(two));
    assertThat(more.inputs()).hasSize(3);
  }

  @Test
  void refusesNamedCoinsThatMustNotBeSpent() {
    InputCoin frozen =
        new InputCoin(coin(1, 0).outPoint(), 90_000, SHOP, coin(1, 0).size(), 6, false, true, true);
    InputCoin foreign = TestScripts.coin(OutputType.P2WPKH, 2, 2, 90_000, 0, false);
    InputCoin young =
        new InputCoin(
            coin(3, 0).outPoint(), 90_000, SHOP, coin(3, 0).size(), 100, true, false, false);
    for (InputCoin coin : List.of(frozen, foreign, young)) {
      Refused refused =
          refused(
              request(List.of(coin), Recipient.of(SHOP, 20_000))
                  .spendingOnly(List.of(coin.outPoint())));
      assertThat(refused)
          .isEqualTo(new SpendOutcome.CoinNotSpendable(coin.outPoint(), coin.obstacle()));
    }
    assertThatThrownBy(
            () ->
                plan(
                    request(List.of(frozen), Recipient.of(SHOP, 20_000))
                        .spendingOnly(List.of(coin(7, 0).outPoint()))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static List<InputCoin> atOneAddress(int count, long value) {
    List<InputCoin> coins = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      coins.add(TestScripts.coin(OutputType.P2WPKH, i, 0, value, 6, false));
    }
    return coins;
  }

  private static PaymentOrder atOneSat(List<InputCoin> coins, long amount) {
    return from(PaymentOrder.of(List.of(Recipient.of(SHOP, amount)), FeeRate.satPerVb(1)), coins);
  }

  /** 29 coins pay it. The last one of the address costs 68 vB more, which is 3 %. */
  @Test
  void leavesNothingAtAnAddressIfThatCostsLittle() {
    PaymentOrder request = request(atOneAddress(30, 20_000), Recipient.of(SHOP, 500_000));
    assertThat(plan(request).inputs()).hasSize(30);
    assertThat(plan(request.scriptsTogether(false)).inputs()).hasSize(29);
  }

  /** A second coin would cost half of the fee. */
  @Test
  void leavesCoinsAtAnAddressIfTheyCostMore() {
    PaymentOrder request = request(atOneAddress(5, 200_000), Recipient.of(SHOP, 20_000));
    assertThat(plan(request).inputs()).hasSize(1);
  }

  /** As a node's wallet: four coins leave 50,000 sat of change. */
  @Test
  void manyCoinsOfAnAddressDoNotSteerTheFee() {
    PaymentPlan plan = plan(atOneSat(atOneAddress(300, 20_000), 15_000));
    assertThat(plan.inputs()).hasSize(4);
    assertThat(plan.fee()).isEqualTo(344);
  }

  /** 97 coins pay it; two hundreds and the rest are groups. */
  @Test
  void spendsAtMostAHundredOfAScript() {
    PaymentOrder request = request(atOneAddress(250, 20_000), Recipient.of(SHOP, 1_820_000));
    assertThat(plan(request).inputs()).hasSize(100);
  }

  /** At a low rate 51 small coins waste less, and cost 25 times as much: one coin pays. */
  @Test
  void smallCoinsAreNotSpentAtAnyPriceWhileFeesAreLow() {
    List<InputCoin> coins = new ArrayList<>(List.of(coin(0, 100_000_000)));
    for (int i = 1; i <= 60; i++) {
      coins.add(coin(i, 20_000));
    }
    for (int seed = 0; seed < 20; seed++) {
      SpendOutcome outcome = PaymentPlanner.plan(atOneSat(coins, 1_000_000), Draws.ofSeed(seed));
      assertThat(((Planned) outcome).plan().fee()).isLessThanOrEqualTo(141 * 130 / 100);
    }
  }

  @Test
  void foreignDustIsNotSpentBesideACoinThatPays() {
    List<InputCoin> coins = atOneAddress(99, 600);
    coins.add(TestScripts.coin(OutputType.P2WPKH, 99, 0, 100_000_000, 6, false));
    assertThat(plan(atOneSat(coins, 15_000)).inputs()).hasSize(1);
  }

  @Test
  void foreignDustIsSpentAsALastResort() {
    PaymentPlan plan = plan(atOneSat(atOneAddress(99, 600), 15_000));
    assertThat(plan.algorithm()).isEqualTo(Algorithm.LAST_RESORT);
  }

  /** A stranger can send any number of small coins to an address that he knows. */
  @Test
  void foreignDustNeverChangesTheNumberOfInputs() {
    for (int seed = 1; seed <= 200; seed++) {
      ReusedWallet wallet = ReusedWallet.random(seed);
      ReusedWallet dusty = wallet.withDust(0, 1 + 3 * seed, new Random(seed));
      assertThat(dusty.plan(seed).inputs())
          .as("seed %d: %s", seed, wallet)
          .hasSameSizeAs(wallet.plan(seed).inputs());
    }
  }

  /** One kind of input suffices, so the other one is not mixed in. */
  @Test
  void doesNotMixKindsOfInputs() {
    List<InputCoin> coins = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      coins.add(TestScripts.coin(i % 2 == 0 ? OutputType.P2WPKH : OutputType.P2TR, i, 100_000));
    }
    for (int seed = 0; seed < 20; seed++) {
      SpendOutcome outcome =
          PaymentPlanner.plan(request(coins, Recipient.of(SHOP, 300_000)), Draws.ofSeed(seed));
      Set<Integer> lengths = new HashSet<>();
      ((Planned) outcome)
          .plan()
          .inputs()
          .forEach(input -> lengths.add(input.coin().script().length()));
      assertThat(lengths).hasSize(1);
    }
    assertThat(plan(request(coins, Recipient.of(SHOP, 800_000))).inputs()).hasSizeGreaterThan(8);
  }

  /** Coins with one confirmation are better than two kinds of input. */
  @Test
  void prefersYoungCoinsToMixedKinds() {
    List<InputCoin> coins =
        List.of(
            coin(1, 100_000),
            TestScripts.coin(OutputType.P2TR, 2, 100_000),
            TestScripts.coin(OutputType.P2WPKH, 3, 3, 100_000, 1, false));
    assertThat(plan(request(coins, Recipient.of(SHOP, 150_000))).inputs())
        .extracting(input -> input.coin())
        .containsExactlyInAnyOrder(coins.get(0), coins.get(2));
  }

  /** Six confirmations of what others paid are better than one. */
  @Test
  void prefersWellConfirmedCoins() {
    List<InputCoin> coins =
        List.of(TestScripts.coin(OutputType.P2WPKH, 1, 1, 51_101, 5, false), coin(2, 200_000));
    assertThat(plan(request(coins, Recipient.of(SHOP, 50_000))).inputs())
        .extracting(input -> input.coin())
        .containsExactly(coins.get(1));
  }

  /** 250 coins of a script: two full groups, and a partial one for the last resort. */
  @Test
  void groupsAtMostAHundredCoins() {
    List<InputCoin> coins = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      coins.add(TestScripts.coin(OutputType.P2WPKH, i, 0, 20_000, 6, false));
    }
    List<Group> groups = Group.ofScripts(coins, Draws.ofSeed(1));
    assertThat(groups).extracting(group -> group.coins().size()).containsExactly(100, 100, 50);
    assertThat(groups).extracting(Group::isPartial).containsExactly(false, false, true);
    assertThat(groups.stream().flatMap(group -> group.coins().stream()))
        .containsExactlyInAnyOrderElementsOf(coins);
  }

  /** Taproot is paid: change is taproot where the wallet has it, else its usual kind. */
  @Test
  void changeLooksLikeThePayment() {
    List<Recipient> taproot =
        List.of(Recipient.of(TestScripts.script(OutputType.P2TR, 3_000_000), 20_000));
    List<InputCoin> coins = List.of(coin(1, 500_000));
    PaymentPlan both =
        plan(
            PaymentOrder.of(taproot, TEN)
                .from(
                    coins,
                    TestScripts.change(OutputType.P2WPKH, OutputType.P2TR),
                    PendingTransactions.NONE));
    assertThat(both.outputs()).allMatch(output -> output.script().length() == 34);
    PaymentPlan one = plan(from(PaymentOrder.of(taproot, TEN), coins));
    assertThat(one.outputs().get(one.change().orElseThrow()).script().length()).isEqualTo(22);
  }

  @Test
  void drawsThePlaceOfTheChange() {
    PaymentOrder request =
        request(
            List.of(coin(1, 500_000)), Recipient.of(SHOP, 20_000), Recipient.of(FRIEND, 30_000));
    int[] places = new int[3];
    for (int seed = 0; seed < 300; seed++) {
      Planned planned = (Planned) PaymentPlanner.plan(request, Draws.ofSeed(seed));
      places[planned.plan().change().orElseThrow()]++;
    }
    assertThat(Arrays.stream(places).allMatch(count -> count > 60)).isTrue();
  }

  @Test
  void signalsReplacementByDefault() {
    PaymentOrder request = request(List.of(coin(1, 500_000)), Recipient.of(SHOP, 20_000));
    Tx tx = Tx.parse(plan(request).unsigned());
    assertThat(tx.inputs().get(0).sequence()).isEqualTo(0xfffffffd);
    assertThat(tx.version()).isEqualTo(2);
    assertThat(tx.inputs().get(0).outPoint()).isEqualTo(coin(1, 0).outPoint());
    assertThat(plan(request.replaceable(false)).inputs().get(0).sequence()).isEqualTo(0xfffffffe);
  }

  @Test
  void writesData() {
    PaymentPlan plan =
        plan(request(List.of(coin(1, 500_000)), Recipient.data(Bytes.wrap(new byte[80]))));
    Output data = plan.outputs().stream().filter(output -> !output.isChange()).toList().get(0);
    assertThat(data.script().length()).isEqualTo(83);
    assertThat(data.script().toHex()).startsWith("6a4c5000");
    assertThat(data.value()).isZero();
    assertThatThrownBy(() -> Recipient.data(Bytes.wrap(new byte[81])))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void refusesDust() {
    Refused refused =
        refused(
            request(List.of(coin(1, 500_000)), Recipient.of(FRIEND, 294), Recipient.of(SHOP, 293)));
    assertThat(refused).isEqualTo(new SpendOutcome.DustAmount(1, 1));
  }

  @Test
  void refusesAbsurdFees() {
    List<InputCoin> coins = List.of(coin(1, 100_000_000));
    List<Recipient> shop = List.of(Recipient.of(SHOP, 20_000));
    FeePolicy high = FeePolicy.of(FeeRate.satPerVb(10_001));
    assertThat(refused(from(PaymentOrder.of(shop, high), coins)))
        .isEqualTo(new SpendOutcome.RateAboveCeiling(OptionalLong.empty()));
    assertThat(refused(from(PaymentOrder.of(shop, TEN.maxFee(Amount.sat(1_400))), coins)))
        .isEqualTo(new SpendOutcome.FeeAboveCeiling(1_410, 1_400));
    assertThat(plan(from(PaymentOrder.of(shop, high.withoutCeiling()), coins)).fee())
        .isEqualTo(141 * 10_001);
  }

  /** 2,000 coins weigh 542,000: nodes relay 400,000, about 1,474 of them. */
  @Test
  void refusesTransactionsThatNodesDoNotRelay() {
    List<InputCoin> coins = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      coins.add(coin(i, 10_000));
    }
    assertThat(refused(request(coins, Recipient.all(SHOP)))).isEqualTo(RelayRule.TOO_HEAVY);
    assertThat(refused(request(coins, Recipient.of(SHOP, 15_000_000))))
        .isEqualTo(RelayRule.TOO_HEAVY);
    assertThat(plan(request(coins, Recipient.of(SHOP, 13_000_000))).weight())
        .isLessThanOrEqualTo(400_000);
  }

  /** So many payees leave no room for one coin: it is not the coins that are too many. */
  @Test
  void refusesMorePayeesThanNodesRelay() {
    List<InputCoin> coins = List.of(coin(1, 10_000_000_000L));
    for (int payees : new int[] {3_223, 3_225, 5_000}) {
      Recipient[] all = new Recipient[payees];
      Arrays.fill(all, Recipient.of(SHOP, 1_000));
      assertThat(refused(request(coins, all))).as(payees + "").isEqualTo(RelayRule.TOO_MANY_PAYEES);
      assertThat(refused(request(List.of(), all))).isInstanceOf(SpendOutcome.Refused.class);
    }
  }

  private static InputCoin change(int txid, long value) {
    return TestScripts.coin(OutputType.P2WPKH, txid, txid, value, 0, true);
  }

  private static PendingTransactions chain(int length, long fee) {
    List<Pending> chain = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      chain.add(new Pending(TestScripts.txid(i), Set.of(TestScripts.txid(i - 1)), fee, 141));
    }
    return PendingTransactions.of(chain);
  }

  /** A child of 24 is the 25th. */
  @Test
  void respectsTheLongestChain() {
    Recipient shop = Recipient.of(SHOP, 20_000);
    assertThat(plan(request(List.of(change(23, 500_000)), chain(24, 1_410), shop)).inputs())
        .hasSize(1);
    assertThat(refused(request(List.of(change(24, 500_000)), chain(25, 1_410), shop)))
        .isEqualTo(RelayRule.CHAIN_TOO_LONG);
  }

  /** A coin of the same script that nodes would not relay does not lock the other one up. */
  @Test
  void partsCoinsOfAScriptThatNodesWouldNotRelay() {
    InputCoin confirmed = TestScripts.coin(OutputType.P2WPKH, 50, 24, 500_000, 6, true);
    PaymentOrder request =
        request(
            List.of(confirmed, change(24, 500_000)), chain(25, 1_410), Recipient.of(SHOP, 20_000));
    PaymentPlan plan = plan(request);
    assertThat(plan.inputs()).extracting(input -> input.coin()).containsExactly(confirmed);
  }

  /** The parent paid 1 sat/vB: the child pays (141 + 141) × 10 − 141. */
  @Test
  void paysForPoorAncestors() {
    List<InputCoin> coins = List.of(change(0, 500_000));
    Recipient shop = Recipient.of(SHOP, 20_000);
    PaymentPlan plan = plan(request(coins, chain(1, 141), shop));
    assertThat(plan.fee()).isEqualTo(2_679);
    assertThat(plan.ancestorFee()).isEqualTo(1_269);
    assertThat(plan(request(coins, chain(1, 50_000), shop)).fee()).isEqualTo(1_410);
  }

  @Test
  void prefersCoinsInBlocks() {
    List<InputCoin> coins = List.of(change(0, 500_000), coin(7, 100_000));
    PaymentOrder request = request(coins, chain(1, 1_410), Recipient.of(SHOP, 20_000));
    assertThat(plan(request).inputs().get(0).coin()).isEqualTo(coins.get(1));
    PaymentOrder large = request(coins, chain(1, 1_410), Recipient.of(SHOP, 200_000));
    assertThat(plan(large).inputs()).anyMatch(input -> input.coin().equals(coins.get(0)));
    assertThat(refused(large.unconfirmedChange(false)))
        .isInstanceOf(SpendOutcome.InsufficientFunds.class);
  }

  /** Few inputs while fees are high: one large coin and not fifteen small ones. */
  @Test
  void isLightWhileFeesAreHigh() {
    List<InputCoin> coins = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      coins.add(coin(i, 60_000));
    }
    coins.add(coin(99, 2_000_000));
    PaymentOrder request =
        from(PaymentOrder.of(List.of(Recipient.of(SHOP, 300_000)), FeeRate.satPerVb(100)), coins);
    assertThat(plan(request).inputs()).hasSize(1);
  }

  @Test
  void refusesAnEmptyWallet() {
    assertThat(refused(request(List.of(), Recipient.of(SHOP, 20_000))))
        .isInstanceOfSatisfying(
            SpendOutcome.InsufficientFunds.class,
            funds -> assertThat(funds.missing()).isGreaterThan(20_000));
  }

  @Test
  void refusesMeaninglessRequests() {
    assertThatThrownBy(() -> request(List.of(), Recipient.all(SHOP), Recipient.all(FRIEND)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> request(List.of(), Recipient.all(SHOP), lessFee(FRIEND, 9)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> request(List.of())).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> FeePolicy.of(FeeRate.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
