package org.murmur.wallet.spend;

import java.util.Optional;
import org.murmur.bip37.bytes.OutPoint;

/** The result of a request: a plan, or the reason why there is none. */
public sealed interface SpendOutcome {

  /** Why a payment cannot be made. */
  enum Reason {
    /** The coins that may be spent do not suffice. */
    INSUFFICIENT_FUNDS,

    /** An amount is so small that nodes do not relay it. */
    DUST,

    /** What remains of an amount after the fee is too small. */
    DUST_AFTER_FEE,

    /** A coin that the caller named must not be spent. */
    COIN_NOT_SPENDABLE,

    /** The payment needs so many coins that nodes do not relay it. */
    TOO_HEAVY,

    /** The transaction would be smaller than nodes relay. */
    TOO_SMALL,

    /** It needs unconfirmed change with more pending ancestors than nodes relay. */
    CHAIN_TOO_LONG,

    /** The fee is above the ceiling. */
    FEE_ABOVE_CEILING
  }

  /**
   * A plan.
   *
   * @param plan the payment
   */
  record Planned(PaymentPlan plan) implements SpendOutcome {}

  /**
   * No plan.
   *
   * @param reason why
   * @param missing how much is missing in satoshi: coins, up to the threshold of dust, or of the
   *     ceiling; 0 if the reason is no amount
   * @param coin the coin that must not be spent
   * @param recipient index of the recipient whose amount is too small; -1 if it is about none
   * @param obstacle why the coin must not be spent; empty if it is about none, or if the wallet
   *     does not know the unconfirmed payment that made the coin
   * @param fee the fee that is above the ceiling, in satoshi; 0 if the rate alone is, or if it is
   *     about another reason
   */
  record Refused(
      Reason reason,
      long missing,
      Optional<OutPoint> coin,
      int recipient,
      Optional<InputCoin.Obstacle> obstacle,
      long fee)
      implements SpendOutcome {

    static Refused of(Reason reason, long missing) {
      return new Refused(reason, missing, Optional.empty(), -1, Optional.empty(), 0);
    }

    static Refused ofRecipient(Reason reason, long missing, int recipient) {
      return new Refused(reason, missing, Optional.empty(), recipient, Optional.empty(), 0);
    }

    static Refused ofCoin(InputCoin coin) {
      return new Refused(
          Reason.COIN_NOT_SPENDABLE, 0, Optional.of(coin.outPoint()), -1, coin.obstacle(), 0);
    }

    static Refused ofFee(long fee, FeePolicy fees) {
      return new Refused(
          Reason.FEE_ABOVE_CEILING,
          Math.max(0, fee - fees.maxFee()),
          Optional.empty(),
          -1,
          Optional.empty(),
          fee);
    }
  }
}
