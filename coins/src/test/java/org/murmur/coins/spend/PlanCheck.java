package org.murmur.coins.spend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.fee.Dust;
import org.murmur.coins.spend.PaymentPlan.Output;
import org.murmur.coins.spend.Recipient.Share;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.coins.spend.fee.InputSize;
import org.murmur.coins.spend.fee.TxWeight;

/** The rules for every plan. */
final class PlanCheck {

  private final PaymentOrder request;
  private final PaymentPlan plan;
  private final List<InputCoin> coins;

  PlanCheck(PaymentOrder request, PaymentPlan plan) {
    this.request = request;
    this.plan = plan;
    coins = plan.inputs().stream().map(PaymentPlan.Input::coin).toList();
  }

  void check() {
    spendsAllowedCoinsOnce();
    paysTheRecipients();
    feeIsExact();
    changeIsWorthIt();
    dustIsTheLastResort();
    assertThat(new AllSubsets(request).isRelayed(coins, plan.weight())).isTrue();
    assertThat(plan.unsigned()).isEqualTo(Tx.parse(plan.unsigned()).raw());
  }

  private void spendsAllowedCoinsOnce() {
    assertThat(coins).isNotEmpty().doesNotHaveDuplicates();
    assertThat(request.coins()).containsAll(coins);
    for (InputCoin coin : coins) {
      assertThat(coin.frozen()).isFalse();
      assertThat(coin.coinbase() && coin.confirmations() < 101).isFalse();
      if (coin.confirmations() == 0) {
        assertThat(coin.own()).isTrue();
        assertThat(request.allowsUnconfirmedChange() || request.isNamed(coin)).isTrue();
      }
      assertThat(request.allowsOthers() || request.isNamed(coin)).isTrue();
    }
    request.coins().stream()
        .filter(request::isNamed)
        .forEach(coin -> assertThat(coins).contains(coin));
  }

  private void paysTheRecipients() {
    List<Output> paid = plan.outputs().stream().filter(output -> !output.isChange()).toList();
    assertThat(paid).hasSize(request.recipients().size());
    for (int i = 0; i < paid.size(); i++) {
      Recipient recipient = request.recipients().get(i);
      assertThat(paid.get(i).recipient()).isEqualTo(i);
      assertThat(paid.get(i).script()).isEqualTo(recipient.script());
      assertThat(paid.get(i).value()).isGreaterThanOrEqualTo(Dust.threshold(recipient.script()));
      if (recipient.share() == Share.AMOUNT) {
        assertThat(paid.get(i).value()).isEqualTo(recipient.amount());
      }
      if (recipient.share() == Share.AMOUNT_LESS_FEE) {
        assertThat(paid.get(i).value()).isLessThanOrEqualTo(recipient.amount());
      }
    }
  }

  private void feeIsExact() {
    long in = coins.stream().mapToLong(InputCoin::value).sum();
    long out = plan.outputs().stream().mapToLong(Output::value).sum();
    assertThat(plan.fee()).isEqualTo(in - out);
    List<Bytes> scripts = plan.outputs().stream().map(Output::script).toList();
    assertThat(plan.weight()).isEqualTo(TxWeight.of(sizes(), scripts)).isLessThan(400_001);
    long needed = needed(scripts);
    assertThat(plan.dropped()).isGreaterThanOrEqualTo(0);
    assertThat(plan.fee()).isEqualTo(needed + plan.dropped());
    assertThat(plan.paidRate()).isGreaterThanOrEqualTo(request.fees().rate());
  }

  private List<InputSize> sizes() {
    return coins.stream().map(InputCoin::size).toList();
  }

  private long needed(List<Bytes> scripts) {
    FeeRate rate = request.fees().rate();
    return rate.feeOf(TxWeight.vsize(TxWeight.of(sizes(), scripts)))
        + request.pending().deficit(Terms.parents(coins), request.pending().notMinedAt(rate), rate);
  }

  private void changeIsWorthIt() {
    if (plan.change().isPresent()) {
      assertThat(plan.dropped()).isZero();
      Output change = plan.outputs().get(plan.change().getAsInt());
      assertThat(change.value()).isGreaterThanOrEqualTo(Dust.threshold(change.script()));
      return;
    }
    // What was dropped would not have been worth an output: at 10 sat/vB the largest is P2PKH's.
    ChangeScript script = ChangeScript.like(request.recipients(), request.changeScripts());
    List<Bytes> scripts = new ArrayList<>(plan.outputs().stream().map(Output::script).toList());
    long without = needed(scripts);
    scripts.add(script.script());
    long costOfOutput = needed(scripts) - without;
    long worthIt = Dust.threshold(script.script(), FeeRate.satPerVb(10));
    assertThat(plan.dropped()).isLessThanOrEqualTo(costOfOutput + worthIt);
  }

  /** Foreign dust is spent only if the other coins do not suffice. */
  private void dustIsTheLastResort() {
    if (plan.algorithm() == Algorithm.ALL
        || plan.algorithm() == Algorithm.LAST_RESORT
        || request.coins().stream().anyMatch(request::isNamed)) {
      return;
    }
    FeeRate rate = request.fees().rate();
    for (InputCoin coin : coins) {
      int weight = TxWeight.ofInput(coin.size());
      assertThat(coin.value()).isGreaterThan(rate.feeOfWeight(weight));
      assertThat(coin.value()).isGreaterThan(FeeRate.DUST.feeOfWeight(weight));
    }
  }
}
