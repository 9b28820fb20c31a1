package org.murmur.wallet.pay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.coins.psbt.PsbtException;
import org.murmur.coins.spend.InputCoin;
import org.murmur.coins.spend.SpendOutcome;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.overview.ChainState;
import org.murmur.wallet.pay.Refusal.NoPlan;

class RefusalTest {

  private static final Hash256 TXID = Hash256.ofDisplay("ab".repeat(32));
  private static final OutPoint COIN = new OutPoint(TXID, 7);

  private static Refusal noPlan(SpendOutcome.Refused why) {
    return new NoPlan(why, 70_001, 5_003, 2_001, false);
  }

  private static Refusal paid(TxStatus status, boolean heard) {
    return new Refusal.PaidAlready(
        new EarlierPayment(TXID, status, heard, Optional.empty(), List.of(COIN), false));
  }

  private static Refusal given() {
    return new Refusal.PaidAlready(
        new EarlierPayment(TXID, TxStatus.MISSING, false, Optional.empty(), List.of(COIN), true));
  }

  /** Each kind, also without what it may have. */
  static Stream<Refusal> all() {
    List<Refusal> all = new ArrayList<>(List.of(Refusal.Plain.values()));
    for (SpendOutcome.RelayRule rule : SpendOutcome.RelayRule.values()) {
      all.add(noPlan(rule));
    }
    for (InputCoin.Obstacle obstacle : InputCoin.Obstacle.values()) {
      all.add(noPlan(new SpendOutcome.CoinNotSpendable(COIN, Optional.of(obstacle))));
    }
    all.add(
        new Refusal.Incomplete(
            new ChainState(
                0,
                120,
                TXID,
                Instant.EPOCH,
                OptionalInt.of(1),
                OptionalInt.of(118),
                false,
                1,
                List.of())));
    all.add(noPlan(new SpendOutcome.CoinNotSpendable(COIN, Optional.empty())));
    all.add(noPlan(new SpendOutcome.InsufficientFunds(40_009)));
    all.add(noPlan(new SpendOutcome.DustAmount(40_009, 0)));
    all.add(noPlan(new SpendOutcome.DustAfterFee(40_009, 0)));
    all.add(noPlan(new SpendOutcome.FeeAboveCeiling(90_007, 80_003)));
    all.add(noPlan(new SpendOutcome.RateAboveCeiling(OptionalLong.of(90_007))));
    all.add(noPlan(new SpendOutcome.RateAboveCeiling(OptionalLong.empty())));
    all.add(new Refusal.Replaced(TXID, OptionalInt.empty()));
    all.add(paid(TxStatus.PENDING, true));
    all.add(paid(TxStatus.PENDING, false));
    all.add(paid(TxStatus.ABANDONED, true));
    all.add(given());
    all.add(new Refusal.PayeeNotNamed(List.of("bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080")));
    all.add(new Refusal.HasDependents(List.of(TXID)));
    all.add(new Refusal.NothingToSpend(List.of(TXID)));
    all.add(new Refusal.NothingToSpend(List.of()));
    all.add(
        new Refusal.Incomplete(
            new ChainState(
                0,
                9,
                Hash256.ZERO,
                Instant.EPOCH,
                OptionalInt.of(1),
                OptionalInt.of(7),
                false,
                0,
                List.of())));
    all.add(new Refusal.FeeRateBelowFilter(FeeRate.satPerVb(5), FeeRate.satPerVb(2)));
    all.add(new Refusal.Unsignable(PsbtException.Reason.SIGHASH_TYPE, 1));
    all.add(new Refusal.FeeUnknown(List.of(COIN), 40_009));
    all.add(
        new Refusal.CoinReserved(
            List.of(
                new ReservedCoin(COIN, true, Optional.empty()),
                new ReservedCoin(COIN, false, Optional.of(TXID)))));
    return all.stream();
  }

  @Test
  void theSamplesAreComplete() {
    assertThat(all().<Class<?>>map(Refusal::getClass).toList())
        .contains(Refusal.class.getPermittedSubclasses());
    assertThat(
            all()
                .filter(NoPlan.class::isInstance)
                .<Class<?>>map(none -> ((NoPlan) none).why().getClass())
                .toList())
        .contains(SpendOutcome.Refused.class.getPermittedSubclasses());
  }

  @ParameterizedTest
  @MethodSource("all")
  void isASentence(Refusal refusal) {
    assertThat(refusal.text())
        .matches("[a-z].*[^.]")
        .doesNotContain("[", "--", "murmur", "null")
        .startsWith(refusal.cause());
  }

  /** A crash log has it. */
  @ParameterizedTest
  @MethodSource("all")
  void theMessageOfTheExceptionHasNoData(Refusal refusal) {
    PaymentRefusedException refused = PaymentRefusedException.because(refusal);
    assertThat(refused.reason()).isSameAs(refusal);
    assertThat(refused.getMessage())
        .isNotEmpty()
        .doesNotContain(TXID.toDisplay(), "0001", "5003", "3002", "2001", "0009", "0007", "0003");
  }

  @Test
  void theSentenceHasTheData() {
    assertThat(noPlan(new SpendOutcome.InsufficientFunds(40_009)).text())
        .isEqualTo(
            "not enough can be spent: 70001 sat, and 2001 sat are frozen, and 3002 sat are immature"
                + " or not confirmed; 40009 sat more are needed with the fee");
    assertThat(new NoPlan(new SpendOutcome.InsufficientFunds(40_009), 70_001, 0, 0, false).text())
        .isEqualTo("not enough can be spent: 70001 sat; 40009 sat more are needed with the fee");
    assertThat(noPlan(new SpendOutcome.FeeAboveCeiling(90_007, 80_003)).text())
        .contains("90007 sat", "80003 sat");
    assertThat(noPlan(new SpendOutcome.DustAmount(40_009, 0)).text())
        .contains("at least 40009 sat");
    for (Refusal refusal :
        List.of(
            new Refusal.Replaced(TXID, OptionalInt.empty()),
            paid(TxStatus.PENDING, true),
            new Refusal.HasDependents(List.of(TXID)),
            new Refusal.NothingToSpend(List.of(TXID)))) {
      assertThat(refusal.text()).endsWith(TXID.toString());
    }
  }
}
