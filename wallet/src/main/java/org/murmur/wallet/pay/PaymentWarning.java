package org.murmur.wallet.pay;

import org.murmur.bip37.bytes.Hash256;
import org.murmur.wallet.overview.ChainState;
import org.murmur.wallet.spend.fee.FeeRate;

/**
 * Something unusual about a payment, which its user should see before it is signed. {@link
 * PaymentWarningText} has the words.
 */
public sealed interface PaymentWarning {

  /**
   * The wallet does not know all blocks up to its tip, so a coin of the payment may be spent
   * already.
   *
   * @param chain what it knows
   */
  record NotComplete(ChainState chain) implements PaymentWarning {}

  /**
   * Another payment pays the same, so this one will be refused.
   *
   * @param earlier that payment
   */
  record PaidAlready(EarlierPayment earlier) implements PaymentWarning {}

  /**
   * Another copy of the wallet's keys made the payment that is replaced, and named its payees.
   *
   * @param txid of that payment
   */
  record MadeElsewhere(Hash256 txid) implements PaymentWarning {}

  /**
   * One payee is paid several times.
   *
   * @param payee its address, or its script in hex
   * @param times how many outputs pay it
   * @param total what they pay together, in satoshi
   */
  record SamePayee(String payee, int times, long total) implements PaymentWarning {}

  /**
   * The address is of taproot, and its key is not on the curve: nobody can spend what it gets.
   *
   * @param payee the address
   */
  record UnspendableKey(String payee) implements PaymentWarning {}

  /**
   * The address is of a kind without rules yet, so no wallet has keys for it.
   *
   * @param payee the address
   * @param version its witness version (BIP-0141)
   */
  record UnknownWitness(String payee, int version) implements PaymentWarning {}

  /**
   * The change goes to an address that a restored wallet would not find: drafts that were abandoned
   * or never sent took those before it.
   *
   * @param unused how many addresses before it no block pays
   * @param gap how many unused ones in a row a restored wallet looks at
   */
  record ChangeBeyondGap(int unused, int gap) implements PaymentWarning {}

  /**
   * The fee is more than the amount.
   *
   * @param fee in satoshi
   * @param amount in satoshi
   */
  record FeeAboveAmount(long fee, long amount) implements PaymentWarning {}

  /**
   * The fee is more than the tenth part of the amount, and more than 5,000 satoshi.
   *
   * @param fee in satoshi
   * @param amount in satoshi
   */
  record FeeAboveTenth(long fee, long amount) implements PaymentWarning {}

  /**
   * Nodes do not relay so low a rate.
   *
   * @param rate of the payment
   * @param least what Core relays by default
   */
  record FeeRateTooLow(FeeRate rate, FeeRate least) implements PaymentWarning {}

  /**
   * Older nodes do not relay so low a rate.
   *
   * @param rate of the payment
   * @param least what Core relayed by default before
   */
  record FeeRateLow(FeeRate rate, FeeRate least) implements PaymentWarning {}

  /**
   * Few users mean so high a rate: perhaps it is a sum, or satoshi per kilobyte.
   *
   * @param rate of the payment, above 500 sat/vB
   */
  record FeeRateHigh(FeeRate rate) implements PaymentWarning {}

  /**
   * A replacement of a payment of everything: no other coin can pay its fee, so the payee does.
   *
   * @param before what the payee gets of the original, in satoshi
   * @param now what the payee gets of this one, in satoshi
   */
  record PayeeGetsLess(long before, long now) implements PaymentWarning {}

  /**
   * A child pays for a parent whose fee the wallet cannot know. It counts as 0, so both together
   * pay more than was ordered.
   *
   * @param ordered the rate that was ordered
   */
  record ParentFeeUnknown(FeeRate ordered) implements PaymentWarning {}

  /**
   * A replacement must pay more than was ordered: nodes demand it (BIP-0125, rules 3 and 4).
   *
   * @param ordered the rate that was ordered
   */
  record FeeAboveOrdered(FeeRate ordered) implements PaymentWarning {}
}
