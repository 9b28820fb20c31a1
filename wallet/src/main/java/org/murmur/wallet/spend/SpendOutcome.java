package org.murmur.wallet.spend;

import java.util.Optional;
import java.util.OptionalLong;
import org.murmur.bip37.bytes.OutPoint;

/** The result of a request: a plan, or the reason why there is none. */
public sealed interface SpendOutcome {

  /**
   * A plan.
   *
   * @param plan the payment
   */
  record Planned(PaymentPlan plan) implements SpendOutcome {}

  /** Why a payment cannot be made. */
  sealed interface Refused extends SpendOutcome {}

  /** A rule of the nodes, which would not relay the payment. */
  enum RelayRule implements Refused {
    /** The payment needs so many coins that nodes do not relay it. */
    TOO_HEAVY,

    /** The payees alone make it heavier than nodes relay. */
    TOO_MANY_PAYEES,

    /** The transaction would be smaller than nodes relay. */
    TOO_SMALL,

    /** It needs unconfirmed change with more pending ancestors than nodes relay. */
    CHAIN_TOO_LONG
  }

  /**
   * The coins that may be spent do not suffice.
   *
   * @param missing satoshi
   */
  record InsufficientFunds(long missing) implements Refused {}

  /**
   * An amount is so small that nodes do not relay it.
   *
   * @param missing satoshi up to the threshold of dust
   * @param recipient index of the recipient
   */
  record DustAmount(long missing, int recipient) implements Refused {}

  /**
   * The rest of an amount after the fee is too small.
   *
   * @param missing satoshi up to the threshold of dust
   * @param recipient index of the recipient
   */
  record DustAfterFee(long missing, int recipient) implements Refused {}

  /**
   * A coin that the caller named must not be spent.
   *
   * @param coin which
   * @param obstacle why; empty if the wallet does not know the unconfirmed payment that made it
   */
  record CoinNotSpendable(OutPoint coin, Optional<InputCoin.Obstacle> obstacle)
      implements Refused {}

  /**
   * The fee is above its ceiling.
   *
   * @param fee in satoshi
   * @param ceiling in satoshi
   */
  record FeeAboveCeiling(long fee, long ceiling) implements Refused {}

  /**
   * The fee rate is above its ceiling.
   *
   * @param fee the fee of that rate, in satoshi; empty if the requested rate is too high already
   */
  record RateAboveCeiling(OptionalLong fee) implements Refused {}
}
