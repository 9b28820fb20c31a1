package org.murmur.coins.spend;

import java.util.List;
import java.util.Optional;
import org.murmur.coins.spend.SpendOutcome.Refused;

/**
 * A payment with exact numbers, for given coins.
 *
 * @param algorithm how the coins were chosen
 * @param coins what is spent
 * @param amounts what each recipient gets, in satoshi
 * @param change in satoshi; 0 if there is none
 * @param fee in satoshi
 * @param dropped the part of the fee that is too small to be change
 * @param ancestorFee the part of the fee that ancestors need
 * @param weight weight units
 * @param waste cost of spending these coins now, and of change or what is dropped, in satoshi
 * @param surplus what the coins have beyond what is needed, in satoshi; negative if they do not
 *     suffice
 * @param problem why this is no payment
 */
record Draft(
    Algorithm algorithm,
    List<InputCoin> coins,
    List<Long> amounts,
    long change,
    long fee,
    long dropped,
    long ancestorFee,
    int weight,
    long waste,
    long surplus,
    Optional<Refused> problem) {

  boolean isPayable() {
    return !problem.isPresent();
  }

  Draft refusedFor(Refused other) {
    return new Draft(
        algorithm,
        coins,
        amounts,
        change,
        fee,
        dropped,
        ancestorFee,
        weight,
        waste,
        surplus,
        Optional.of(other));
  }
}
