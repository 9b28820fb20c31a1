package org.murmur.coins.spend;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import org.murmur.bip37.bytes.OutPoint;

/** The result of an order: a plan, or the reason why there is none. */
public sealed interface SpendOutcome {

  /**
   * A plan.
   *
   * @param plan the payment
   */
  record Planned(PaymentPlan plan) implements SpendOutcome {}

  /** Why a payment cannot be made. */
  sealed interface Refused extends SpendOutcome, Reason {}

  /** A rule of the nodes, which would not relay the payment. */
  enum RelayRule implements Refused {
    /** The payment needs so many coins that nodes do not relay it. */
    TOO_HEAVY("the payment needs so many coins that nodes do not relay it: pay less, or in parts"),

    /** The payees alone make it heavier than nodes relay. */
    TOO_MANY_PAYEES(
        "nodes do not relay a transaction with so many payees: pay them in several parts"),

    /** The transaction would be smaller than nodes relay. */
    TOO_SMALL("nodes do not relay a transaction this small"),

    /** It needs unconfirmed change with more pending ancestors than nodes relay. */
    CHAIN_TOO_LONG("too many unconfirmed payments build on each other: wait for a block");

    private final String cause;

    RelayRule(String cause) {
      this.cause = cause;
    }

    @Override
    public String kind() {
      return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String cause() {
      return cause;
    }
  }

  /**
   * The coins that may be spent do not suffice.
   *
   * @param missing satoshi
   */
  record InsufficientFunds(long missing) implements Refused {
    @Override
    public String cause() {
      return "not enough can be spent";
    }

    @Override
    public String details(LongFunction<String> amount) {
      return "; " + amount.apply(missing) + " more are needed with the fee";
    }
  }

  /**
   * An amount is so small that nodes do not relay it.
   *
   * @param missing satoshi up to the threshold of dust
   * @param recipient index of the recipient
   */
  record DustAmount(long missing, int recipient) implements Refused {
    @Override
    public String cause() {
      return "the amount is too small for nodes to relay it";
    }

    @Override
    public String details(LongFunction<String> amount) {
      return ": add at least " + amount.apply(missing);
    }

    @Override
    public String kind() {
      return "dust";
    }
  }

  /**
   * The rest of an amount after the fee is too small.
   *
   * @param missing satoshi up to the threshold of dust
   * @param recipient index of the recipient
   */
  record DustAfterFee(long missing, int recipient) implements Refused {
    @Override
    public String cause() {
      return "the amount is too small after the fee";
    }

    @Override
    public String details(LongFunction<String> amount) {
      return ": add " + amount.apply(missing);
    }

    @Override
    public String kind() {
      return "dust";
    }
  }

  /**
   * A coin that the caller named must not be spent.
   *
   * @param coin which
   * @param obstacle why; empty if the wallet does not know the unconfirmed payment that made it
   */
  record CoinNotSpendable(OutPoint coin, Optional<InputCoin.Obstacle> obstacle) implements Refused {
    @Override
    public String cause() {
      return "a coin of the order cannot be spent now";
    }

    @Override
    public String details(LongFunction<String> amount) {
      String why =
          obstacle
              .map(
                  known ->
                      switch (known) {
                        case FROZEN -> "is frozen";
                        case IMMATURE -> "is newly mined and needs 100 confirmations";
                        case FOREIGN_UNCONFIRMED -> "is not confirmed";
                      })
              .orElse("is not confirmed");
      return ": " + coin + " " + why;
    }
  }

  /**
   * The fee is above its ceiling.
   *
   * @param fee in satoshi
   * @param ceiling in satoshi
   */
  record FeeAboveCeiling(long fee, long ceiling) implements Refused {
    @Override
    public String cause() {
      return "the fee would be above its limit";
    }

    @Override
    public String details(LongFunction<String> amount) {
      return ": " + amount.apply(fee) + ", and the limit is " + amount.apply(ceiling);
    }

    @Override
    public String kind() {
      return "fee_too_high";
    }
  }

  /**
   * The fee rate is above its ceiling.
   *
   * @param fee the fee of that rate, in satoshi; empty if the requested rate is too high already
   */
  record RateAboveCeiling(OptionalLong fee) implements Refused {
    @Override
    public String cause() {
      return "the fee rate is above the limit of " + FeePolicy.USUAL_MAX_RATE;
    }

    @Override
    public String details(LongFunction<String> amount) {
      return fee.isPresent() ? ": the fee would be " + amount.apply(fee.getAsLong()) : "";
    }

    @Override
    public String kind() {
      return "fee_too_high";
    }
  }
}
