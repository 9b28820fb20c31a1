package org.murmur.wallet.pay;

import java.util.List;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.wallet.spend.FeePolicy;
import org.murmur.wallet.spend.InputCoin;
import org.murmur.wallet.spend.SpendOutcome;

/**
 * The words of a {@link Refusal}: one sentence in English, which begins in lower case and has no
 * full stop. It has amounts and txids: show it to the user, and keep it out of logs.
 */
public final class RefusalText {

  private static final String UNCONFIRMED = "is not confirmed";

  private RefusalText() {}

  /**
   * Says why a payment is refused, and what to do if anything can be done.
   *
   * @param refusal any
   * @return the sentence, with amounts in satoshi
   */
  public static String of(Refusal refusal) {
    return withoutData(refusal) + data(refusal);
  }

  /** The same without amounts, coins and txids: an exception ends up in a log. */
  static String withoutData(Refusal refusal) {
    if (refusal instanceof Refusal.Incomplete incomplete) {
      return "a coin may be spent already, and coins may be missing: " + incomplete.chain().words();
    }
    if (refusal instanceof Refusal.NoPlan none) {
      return withoutData(none.why());
    }
    if (refusal instanceof Refusal.Replaced replaced) {
      return replaced.height().isPresent()
          ? "a block holds another transaction that spends the same coin, so this one is never"
              + " mined: pay again"
          : "the transaction was replaced";
    }
    if (refusal instanceof Refusal.PaidAlready already) {
      return "an earlier payment pays the same" + fate(already.earlier());
    }
    if (refusal instanceof Refusal.HasDependents) {
      return "later payments spend its outputs, and a replacement would undo them: raise the fee of"
          + " the newest one";
    }
    if (refusal instanceof Refusal.NotReplaceable) {
      return "the transaction does not signal that it may be replaced (BIP-0125): nodes may refuse"
          + " a replacement";
    }
    if (refusal instanceof Refusal.NothingToSpend nothing) {
      return nothing.dependents().isEmpty()
          ? "no output of it can be spent: it pays the wallet nothing, or no peer is known to have"
              + " it"
          : "a later payment spends its output already: raise the fee of that one";
    }
    if (refusal instanceof Refusal.FeeUnknown) {
      return "the PSBT does not have the amounts of all spent outputs, so nobody can say how large"
          + " the fee is: ask the other signers to add them";
    }
    if (refusal instanceof Refusal.PayeeNotNamed) {
      return "this wallet has no record that it made the payment: its payees must be seen first";
    }
    if (refusal instanceof Refusal.CoinReserved) {
      return "a coin is frozen, or another payment of the wallet spends it";
    }
    if (refusal instanceof Refusal.FeeRateBelowFilter) {
      return "no connected peer relays a payment with so low a fee rate (feefilter)";
    }
    return switch ((Refusal.Reason) refusal) {
      case UNKNOWN_COIN -> "a coin of the order is not in the wallet, or is spent";
      case NO_CHANGE_TYPE -> "the wallet has no addresses for change of this type";
      case OUTDATED -> "another payment was made in the meantime, or a coin was spent: try again";
      case NOT_PENDING -> "the wallet has no such transaction that waits for a block";
      case CONFIRMED -> "a block holds the transaction: it cannot be replaced any more";
      case NOT_OURS -> "coins of others are spent, too: only their owner can replace it";
      case WRONG_KEYS -> "the words do not give the keys of these coins: is the passphrase right?";
      case TOO_HEAVY -> "internal error, please report it: heavier than estimated";
      case NOBODY_TAKES_PAYMENTS ->
          "no connected peer takes transactions: each still downloads blocks (feefilter)";
    };
  }

  private static String fate(EarlierPayment earlier) {
    if (earlier.given()) {
      return ". This wallet has made or signed it, or was to send it, so somebody may send it";
    }
    if (!earlier.isPending()) {
      if (earlier.counts()) {
        return " and is in one of the last " + PaymentOrder.RECENT_BLOCKS + " blocks";
      }
      return ". It no longer counts, but a peer may have it, and then both would be paid";
    }
    return earlier.heard() ? " and waits for a block" : ", and no peer is known to have it";
  }

  private static String withoutData(SpendOutcome.Refused why) {
    if (why instanceof SpendOutcome.InsufficientFunds) {
      return "not enough can be spent";
    }
    if (why instanceof SpendOutcome.DustAmount) {
      return "the amount is too small for nodes to relay it";
    }
    if (why instanceof SpendOutcome.DustAfterFee) {
      return "the amount is too small after the fee";
    }
    if (why instanceof SpendOutcome.CoinNotSpendable) {
      return "a coin of the order cannot be spent now";
    }
    if (why instanceof SpendOutcome.FeeAboveCeiling) {
      return "the fee would be above its limit";
    }
    if (why instanceof SpendOutcome.RateAboveCeiling) {
      return "the fee rate is above the limit of " + FeePolicy.USUAL_MAX_RATE;
    }
    return switch ((SpendOutcome.RelayRule) why) {
      case TOO_HEAVY ->
          "the payment needs so many coins that nodes do not relay it: pay less, or in parts";
      case TOO_MANY_PAYEES ->
          "nodes do not relay a transaction with so many payees: pay them in several parts";
      case TOO_SMALL -> "nodes do not relay a transaction this small";
      case CHAIN_TOO_LONG -> "too many unconfirmed payments build on each other: wait for a block";
    };
  }

  private static String data(Refusal refusal) {
    if (refusal instanceof Refusal.NoPlan none) {
      return data(none);
    }
    if (refusal instanceof Refusal.Replaced replaced) {
      return (replaced.height().isPresent() ? ": " : " by ") + replaced.replacement();
    }
    if (refusal instanceof Refusal.PaidAlready already) {
      return ": " + already.earlier().txid();
    }
    if (refusal instanceof Refusal.HasDependents has) {
      return newest(has.dependents());
    }
    if (refusal instanceof Refusal.NothingToSpend nothing) {
      return newest(nothing.dependents());
    }
    if (refusal instanceof Refusal.FeeUnknown unknown) {
      return ": " + unknown.inputs().get(0);
    }
    if (refusal instanceof Refusal.PayeeNotNamed not) {
      return ": " + String.join(", ", not.payees());
    }
    if (refusal instanceof Refusal.FeeRateBelowFilter below) {
      return ": " + below.paid() + ", and the least is " + below.least();
    }
    if (refusal instanceof Refusal.CoinReserved reserved) {
      return ": " + reserved.coins().get(0).coin();
    }
    if (refusal instanceof Refusal.NotReplaceable not) {
      return not.change()
          .map(coin -> ". A payment that spends its change can pay for both: " + coin)
          .orElse("");
    }
    return "";
  }

  private static String newest(List<Hash256> dependents) {
    return dependents.isEmpty() ? "" : ": " + dependents.get(0);
  }

  private static String data(Refusal.NoPlan none) {
    SpendOutcome.Refused why = none.why();
    if (why instanceof SpendOutcome.InsufficientFunds funds) {
      return (none.named() ? " of the named coins: " : ": ")
          + none.spendable()
          + " sat"
          + kept(none.frozen(), "frozen")
          + kept(none.waiting() - none.frozen(), "immature or not confirmed")
          + "; "
          + funds.missing()
          + " sat more are needed with the fee";
    }
    if (why instanceof SpendOutcome.DustAmount dust) {
      return ": add at least " + dust.missing() + " sat";
    }
    if (why instanceof SpendOutcome.DustAfterFee dust) {
      return ": add " + dust.missing() + " sat";
    }
    if (why instanceof SpendOutcome.CoinNotSpendable not) {
      return ": " + not.coin() + " " + not.obstacle().map(RefusalText::text).orElse(UNCONFIRMED);
    }
    if (why instanceof SpendOutcome.FeeAboveCeiling above) {
      return ": " + above.fee() + " sat, and the limit is " + above.ceiling() + " sat";
    }
    if (why instanceof SpendOutcome.RateAboveCeiling above && above.fee().isPresent()) {
      return ": the fee would be " + above.fee().getAsLong() + " sat";
    }
    return "";
  }

  private static String kept(long satoshi, String why) {
    return satoshi <= 0 ? "" : ", and " + satoshi + " sat are " + why;
  }

  private static String text(InputCoin.Obstacle obstacle) {
    return switch (obstacle) {
      case FROZEN -> "is frozen";
      case IMMATURE -> "is newly mined and needs 100 confirmations";
      case FOREIGN_UNCONFIRMED -> UNCONFIRMED;
    };
  }
}
