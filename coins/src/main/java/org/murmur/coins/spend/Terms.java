package org.murmur.coins.spend;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.coins.internal.fee.Dust;
import org.murmur.coins.internal.fee.ReplacementFee;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.coins.spend.fee.InputSize;
import org.murmur.coins.spend.fee.TxWeight;

/** The costs of an order. */
final class Terms {

  /** Change that is worth spending later, between these (Core's CHANGE_LOWER and CHANGE_UPPER). */
  private static final long MIN_GOOD_CHANGE = 50_000;

  private static final long MAX_GOOD_CHANGE = 1_000_000;

  /** Change is not dropped for what it costs to spend above 10 sat/vB (Core's -discardfee). */
  private static final FeeRate MAX_DISCARD = FeeRate.satPerVb(10);

  private final PaymentOrder order;
  private final ChangeScript change;
  private final List<Bytes> scripts;
  private final List<Bytes> scriptsAndChange;
  private final Set<Hash256> notMined;

  Terms(PaymentOrder order) {
    this.order = order;
    change = ChangeScript.like(order.recipients(), order.changeScripts());
    scripts = order.recipients().stream().map(Recipient::script).collect(Collectors.toList());
    scriptsAndChange = new ArrayList<>(scripts);
    scriptsAndChange.add(change.script());
    notMined = order.pending().notMinedAt(rate());
  }

  Bytes changeScript() {
    return change.script();
  }

  /** The weight of a payment with these inputs. */
  int weight(List<InputCoin> coins, boolean withChange) {
    return TxWeight.of(sizes(coins), withChange ? scriptsAndChange : scripts);
  }

  /** Bytes without witness data. */
  int strippedSize(List<InputCoin> coins, boolean withChange) {
    return TxWeight.stripped(sizes(coins), withChange ? scriptsAndChange : scripts);
  }

  private static List<InputSize> sizes(List<InputCoin> coins) {
    return coins.stream().map(InputCoin::size).collect(Collectors.toList());
  }

  /** The least fee of a payment with this weight whose ancestors need something, in satoshi. */
  long fee(int weight, long ancestorFee) {
    int vsize = TxWeight.vsize(weight);
    long fee = rate().feeOf(vsize) + ancestorFee;
    if (order.evicted().isEmpty()) {
      return fee;
    }
    return Math.max(fee, ReplacementFee.minimum(order.evicted(), vsize, FeeRate.INCREMENTAL));
  }

  /** The fee that ancestors need. */
  long ancestorFee(Collection<InputCoin> coins) {
    return order.pending().deficit(parents(coins), notMined, rate());
  }

  /** The transactions of the unconfirmed coins. */
  static Set<Hash256> parents(Collection<InputCoin> coins) {
    return coins.stream()
        .filter(InputCoin::isUnconfirmed)
        .map(coin -> coin.outPoint().txid())
        .collect(Collectors.toSet());
  }

  /** The value that a coin adds to a payment in satoshi, ancestors not counted. */
  long effectiveValue(InputCoin coin) {
    return coin.value() - rate().feeOfWeight(TxWeight.ofInput(coin.size()));
  }

  /**
   * Whether a coin is worth its fee now and at the long-term rate. Others were never change: they
   * are foreign dust, and no saving is lost with them.
   */
  boolean isWorthLater(InputCoin coin) {
    long later = discard().feeOfWeight(TxWeight.ofInput(coin.size()));
    return effectiveValue(coin) > 0 && coin.value() > later;
  }

  /** The cost of spending inputs of a weight now and not later, in satoshi. */
  long waste(int weight) {
    return rate().feeOfWeight(weight) - order.fees().longTerm().feeOfWeight(weight);
  }

  /** The sum of the amounts in satoshi. */
  long amounts() {
    return order.recipients().stream().mapToLong(Recipient::amount).sum();
  }

  /** The fee for all but the inputs, at most so many, and change, in satoshi. */
  long outputsFee(int inputs) {
    return rate().feeOfWeight(TxWeight.besideInputs(inputs, scripts));
  }

  /** The most that the inputs may weigh besides outputs and change. */
  int maxInputWeight() {
    return TxWeight.MAX_STANDARD - TxWeight.besideInputs(order.coins().size(), scriptsAndChange);
  }

  /** The fee for the change output in satoshi. */
  long changeFee() {
    return rate().feeOf(TxWeight.outputSize(change.script()));
  }

  /** The fee for the change output, and for spending it some day. */
  long costOfChange() {
    return changeFee() + spendFee();
  }

  /** The smallest change that is worth an output: no dust, and above what spending it costs. */
  long minChange() {
    return Math.max(Dust.threshold(change.script(), discard()), spendFee() + 1);
  }

  private long spendFee() {
    return discard().feeOfWeight(change.size().weight());
  }

  private FeeRate discard() {
    FeeRate longTerm = order.fees().longTerm();
    FeeRate atMost = longTerm.compareTo(MAX_DISCARD) < 0 ? longTerm : MAX_DISCARD;
    return atMost.compareTo(FeeRate.DUST) < 0 ? FeeRate.DUST : atMost;
  }

  /**
   * Draws the change to aim at, as in Core: up to twice the payment, so that its size does not
   * reveal which output is change.
   */
  long drawGoodChange(Draws draws) {
    long usual = amounts() / order.recipients().size();
    long most = Math.min(2 * usual, MAX_GOOD_CHANGE);
    int span = (int) Math.max(0, most - MIN_GOOD_CHANGE);
    return MIN_GOOD_CHANGE + (span == 0 ? 0 : draws.below(span));
  }

  private FeeRate rate() {
    return order.fees().rate();
  }
}
