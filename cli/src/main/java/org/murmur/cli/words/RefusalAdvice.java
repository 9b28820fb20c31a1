package org.murmur.cli.words;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.pay.Refusal;
import org.murmur.wallet.pay.RefusalText;
import org.murmur.wallet.spend.FeePolicy;
import org.murmur.wallet.spend.SpendOutcome;

/** Why a payment is not made, and which command or option helps: the library has the rest. */
final class RefusalAdvice {

  private RefusalAdvice() {}

  static Failure of(PaymentRefusedException refused, Unit unit) {
    Refusal reason = refused.reason();
    if (reason instanceof Refusal.PaidAlready already) {
      return EarlierPaymentText.refusal(already.earlier());
    }
    if (reason instanceof Refusal.Incomplete incomplete) {
      return ChainText.refusal(incomplete.chain(), refused);
    }
    ExitCode code =
        reason == Refusal.Reason.NOBODY_TAKES_PAYMENTS ? ExitCode.NO_USABLE_PEER : ExitCode.FAILED;
    return new Failure(code, kind(reason), text(reason, unit), refused)
        .with("dependents", dependents(reason));
  }

  private static @Nullable JsonObject dependents(Refusal reason) {
    List<Hash256> dependents = List.of();
    if (reason instanceof Refusal.HasDependents has) {
      dependents = has.dependents();
    } else if (reason instanceof Refusal.NothingToSpend nothing) {
      dependents = nothing.dependents();
    }
    return dependents.isEmpty()
        ? null
        : new JsonObject()
            .putStrings("txids", dependents.stream().map(Hash256::toDisplay).toList());
  }

  static String kind(Refusal reason) {
    if (reason instanceof Refusal.NoPlan none) {
      return kind(none.why());
    }
    if (reason instanceof Refusal.PaidAlready already) {
      return EarlierPaymentText.refusal(already.earlier()).kind();
    }
    return reason instanceof Refusal.Reason plain ? lowerCase(plain) : WarningAdvice.kindOf(reason);
  }

  private static String kind(SpendOutcome.Refused why) {
    if (why instanceof SpendOutcome.DustAmount || why instanceof SpendOutcome.DustAfterFee) {
      return "dust";
    }
    if (why instanceof SpendOutcome.FeeAboveCeiling
        || why instanceof SpendOutcome.RateAboveCeiling) {
      return "fee_too_high";
    }
    return why instanceof SpendOutcome.RelayRule rule ? lowerCase(rule) : WarningAdvice.kindOf(why);
  }

  private static String lowerCase(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static String text(Refusal reason, Unit unit) {
    if (reason instanceof Refusal.NoPlan none) {
      return text(none, unit);
    }
    if (reason instanceof Refusal.Replaced replaced) {
      return replaced.height().isPresent()
          ? "block "
              + replaced.height().getAsInt()
              + " holds "
              + replaced.replacement()
              + ", which spends the same coin: this payment is never mined. Pay again with `murmur"
              + " send`"
          : "the transaction was replaced: name the replacement " + replaced.replacement();
    }
    if (reason instanceof Refusal.HasDependents has) {
      return dependent(has.dependents());
    }
    if (reason instanceof Refusal.NotReplaceable not) {
      return "the transaction does not signal that it may be replaced (BIP-0125): nodes may refuse"
          + " a replacement"
          + not.change()
              .map(
                  coin ->
                      ". Its change can pay for both instead: `murmur send ADDRESS all --coin "
                          + coin
                          + "` with an address of this wallet and a higher --fee-rate")
              .orElse("");
    }
    if (reason instanceof Refusal.NothingToSpend nothing) {
      return nothing.dependents().isEmpty()
          ? "no output of it can be spent: it pays the wallet nothing, or no peer is known to have"
              + " it"
          : "payment "
              + nothing.dependents().get(0)
              + " spends its output already: raise the fee of that one, `murmur bump "
              + nothing.dependents().get(0)
              + "`";
    }
    if (reason instanceof Refusal.PayeeNotNamed not) {
      return "this wallet has no record that it made this payment, so you may not have named whom"
          + " it pays: "
          + String.join(", ", not.payees())
          + ". Without --yes, at a terminal, the payment is shown and you are asked. `murmur"
          + " cancel` returns its coins to this wallet";
    }
    if (reason instanceof Refusal.FeeUnknown unknown) {
      return "the PSBT does not have the amounts of all spent outputs, so nobody can say how large"
          + " the fee is: nothing was signed. Not known: "
          + unknown.inputs().stream().map(OutPoint::toString).collect(Collectors.joining(", "))
          + ". Ask the other signers to add them; `murmur sync` finds those of this wallet";
    }
    if (reason instanceof Refusal.FeeRateBelowFilter) {
      return RefusalText.of(reason)
          + ": nothing was signed. Raise --fee-rate, or name another peer";
    }
    if (reason instanceof Refusal.CoinReserved reserved) {
      return String.join("; ", ReservedCoinText.lines(reserved.coins()))
          + ": nothing was signed; --yes signs it";
    }
    return text((Refusal.Reason) reason);
  }

  private static String text(Refusal.Reason reason) {
    return switch (reason) {
      case UNKNOWN_COIN ->
          "a coin of --coin is not in the wallet, or is spent: `murmur coins` lists them";
      case NO_CHANGE_TYPE ->
          "the wallet has no addresses for change of this type: use another --change-type";
      case NOT_PENDING ->
          "the wallet has no such transaction that waits for a block: `murmur history` lists them";
      case OUTDATED, CONFIRMED, NOT_OURS, WRONG_KEYS, TOO_HEAVY -> RefusalText.of(reason);
      case NOBODY_TAKES_PAYMENTS ->
          RefusalText.of(reason)
              + ". Nothing was signed. Name another peer, or wait until it has all blocks";
    };
  }

  private static String dependent(List<Hash256> later) {
    return (later.size() == 1
            ? "a later payment spends its change or another output of it: "
            : later.size() + " later payments spend outputs of it or build on them, the newest: ")
        + later.get(0)
        + ". A replacement would undo "
        + (later.size() == 1 ? "that one" : "them")
        + ", and their payees would get nothing. Raise the fee of the newest one instead, which"
        + " pays for all of them: `murmur bump "
        + later.get(0)
        + "`";
  }

  private static String text(Refusal.NoPlan none, Unit unit) {
    SpendOutcome.Refused why = none.why();
    if (why instanceof SpendOutcome.InsufficientFunds funds) {
      return "not enough: "
          + unit.named(none.spendable())
          + (none.named() ? " of the coins named with --coin" : " can be spent")
          + kept(unit, none.frozen(), "is frozen (`murmur unfreeze`)")
          + kept(unit, none.waiting() - none.frozen(), "is immature or not confirmed")
          + "; "
          + unit.named(funds.missing())
          + " more is needed with the fee";
    }
    if (why instanceof SpendOutcome.DustAmount dust) {
      return "the amount is too small to be relayed: add at least " + unit.named(dust.missing());
    }
    if (why instanceof SpendOutcome.DustAfterFee dust) {
      return "the amount is too small after the fee: add " + unit.named(dust.missing());
    }
    if (why instanceof SpendOutcome.CoinNotSpendable not) {
      return "coin " + not.coin() + " cannot be spent now: " + obstacle(not);
    }
    if (why instanceof SpendOutcome.FeeAboveCeiling above) {
      return "the fee would be "
          + above.fee()
          + " sat, above the limit of "
          + above.ceiling()
          + " sat (--max-fee)";
    }
    if (why instanceof SpendOutcome.RateAboveCeiling above) {
      return (above.fee().isPresent()
              ? "the fee would be " + above.fee().getAsLong() + " sat: its rate"
              : "the fee rate")
          + " is above the limit of "
          + FeePolicy.USUAL_MAX_RATE;
    }
    return RefusalText.of(none);
  }

  private static String kept(Unit unit, long satoshi, String why) {
    return satoshi <= 0 ? "" : ", " + unit.named(satoshi) + " " + why;
  }

  private static String obstacle(SpendOutcome.CoinNotSpendable not) {
    return not.obstacle()
        .map(
            obstacle ->
                switch (obstacle) {
                  case FROZEN -> "it is frozen (`murmur unfreeze` allows it)";
                  case IMMATURE -> "it is newly mined and needs 100 confirmations";
                  case FOREIGN_UNCONFIRMED ->
                      "the payment to you is not confirmed (`murmur bump` can speed it up)";
                })
        .orElse("it is not confirmed");
  }
}
