package org.murmur.coins.spend;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.coins.internal.fee.ReplacementFee.Evicted;

/**
 * Orders that speed a pending payment up, or take it back. Like any order they still need the
 * {@linkplain PaymentOrder#tip newest block}, and {@link PaymentPlanner#plan} makes the plan.
 *
 * <p>A replacement spends all inputs of the original, so that never both are mined. It pays what
 * BIP-0125 asks for, even if that is more than its rate. Descendants of the original vanish with
 * it, and the replacement pays for them too: where they are payments, replace the last one or add a
 * {@linkplain #child child}.
 */
public final class Replacements {

  private Replacements() {}

  /**
   * Pays the same to the same recipients with a higher fee. The change shrinks; where it does not
   * suffice, confirmed coins are added, because BIP-0125 allows no new unconfirmed input.
   *
   * @param original the payment; it must be pending
   * @param coins all coins of the wallet
   * @param changeScripts for change if the original had none; not empty
   * @param fees the new rate and its limits
   * @param pending all pending transactions of the wallet, the original among them
   * @return the order
   * @throws IllegalArgumentException if the original is not pending
   */
  public static PaymentOrder bump(
      SentPayment original,
      List<InputCoin> coins,
      List<ChangeScript> changeScripts,
      FeePolicy fees,
      PendingTransactions pending) {
    List<InputCoin> all = new ArrayList<>(original.inputs());
    coins.stream()
        .filter(coin -> !original.outPoints().contains(coin.outPoint()))
        .forEach(all::add);
    PaymentOrder order =
        PaymentOrder.of(original.recipients(), fees)
            .spendingAtLeast(original.outPoints())
            .unconfirmedChange(false);
    return replacing(original, order, all, change(original, changeScripts), pending);
  }

  /**
   * Returns the coins of a payment to the wallet. If a block contains the original after all, this
   * one is void.
   *
   * @param original the payment; it must be pending
   * @param changeScripts where the coins go if the original had no change; not empty
   * @param fees the new rate and its limits
   * @param pending all pending transactions of the wallet, the original among them
   * @return the order
   * @throws IllegalArgumentException if the original is not pending
   */
  public static PaymentOrder cancel(
      SentPayment original,
      List<ChangeScript> changeScripts,
      FeePolicy fees,
      PendingTransactions pending) {
    List<ChangeScript> scripts = change(original, changeScripts);
    PaymentOrder order =
        PaymentOrder.of(List.of(Recipient.all(scripts.get(0).script())), fees)
            .spendingOnly(original.outPoints());
    return replacing(original, order, original.inputs(), scripts, pending);
  }

  /**
   * Spends coins of a pending payment to the wallet itself, with a fee that lifts the payment to
   * the rate (CPFP). This is the one way to spend a foreign unconfirmed coin: if the payment is
   * replaced, no third party loses anything.
   *
   * @param coins outputs of the pending payment; not empty
   * @param to where their value goes
   * @param fees the rate of parent and child together, and its limits
   * @param pending all pending transactions; the fee of a foreign one is often unknown, and 0 then
   * @return the order
   */
  public static PaymentOrder child(
      List<InputCoin> coins, ChangeScript to, FeePolicy fees, PendingTransactions pending) {
    return PaymentOrder.of(List.of(Recipient.all(to.script())), fees)
        .from(coins, List.of(to), pending)
        .foreignToo()
        .spendingOnly(coins.stream().map(InputCoin::outPoint).collect(Collectors.toList()));
  }

  private static List<ChangeScript> change(SentPayment original, List<ChangeScript> others) {
    return original.change().map(List::of).orElse(others);
  }

  private static PaymentOrder replacing(
      SentPayment original,
      PaymentOrder order,
      List<InputCoin> coins,
      List<ChangeScript> change,
      PendingTransactions pending) {
    Set<Hash256> lost = pending.withDescendants(Set.of(original.txid()));
    if (lost.isEmpty()) {
      throw new IllegalArgumentException("transaction " + original.txid() + " is not pending");
    }
    List<Evicted> evicted = new ArrayList<>();
    for (Hash256 txid : lost) {
      List<Hash256> one = List.of(txid);
      boolean direct = txid.equals(original.txid());
      evicted.add(new Evicted(pending.fees(one), pending.vsize(one), direct));
    }
    // The original spends its coins already: a foreign unconfirmed one may stay.
    return order.from(coins, change, pending.without(lost)).foreignToo().replacing(evicted);
  }
}
