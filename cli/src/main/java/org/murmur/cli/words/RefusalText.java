package org.murmur.cli.words;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.spend.FeePolicy;
import org.murmur.wallet.spend.SpendOutcome;

/** Why a payment is not made, and what to do. */
final class RefusalText {

  private RefusalText() {}

  static Failure of(PaymentRefusedException refused) {
    if (refused.earlier().isPresent()) {
      return EarlierPaymentText.refusal(refused.earlier().get());
    }
    return refused
        .refused()
        .map(why -> noPlan(why, refused))
        .orElseGet(() -> failure(kind(refused), text(refused), refused))
        .with("dependents", dependents(refused));
  }

  private static @Nullable JsonObject dependents(PaymentRefusedException refused) {
    return refused.dependents().isEmpty()
        ? null
        : new JsonObject()
            .putStrings("txids", refused.dependents().stream().map(Hash256::toDisplay).toList());
  }

  private static Failure failure(String kind, String text, PaymentRefusedException cause) {
    return new Failure(ExitCode.FAILED, kind, text, cause);
  }

  private static String kind(PaymentRefusedException refused) {
    return refused.reason().name().toLowerCase(Locale.ROOT);
  }

  private static String text(PaymentRefusedException refused) {
    return switch (refused.reason()) {
      case NO_PLAN -> "there is no plan for this payment";
      case UNKNOWN_COIN ->
          "a coin of --coin is not in the wallet, or is spent: `murmur coins` lists them";
      case NO_CHANGE_TYPE ->
          "the wallet has no addresses for change of this type: use another --change-type";
      case OUTDATED -> "another payment was made in the meantime, or a coin was spent: try again";
      case PAID_ALREADY -> "another payment pays the same";
      case NOT_PENDING ->
          "the wallet has no such transaction that waits for a block: `murmur history` lists them";
      case CONFIRMED -> "a block holds the transaction: it cannot be replaced any more";
      case REPLACED ->
          "the transaction was replaced: name the replacement "
              + refused.replacement().map(Object::toString).orElse("");
      case NOT_OURS ->
          "coins of others are spent, too: only who made the transaction can replace it";
      case HAS_DEPENDENTS -> dependent(refused.dependents());
      case NOT_REPLACEABLE ->
          "the transaction does not signal that it may be replaced (BIP-0125): nodes may refuse a"
              + " replacement"
              + refused
                  .change()
                  .map(
                      coin ->
                          ". Its change can pay for both instead: `murmur send ADDRESS all --coin "
                              + coin
                              + "` with an address of this wallet and a higher --fee-rate")
                  .orElse("");
      case NOTHING_TO_SPEND ->
          refused.dependents().isEmpty()
              ? "no output of it can be spent: it pays the wallet nothing, or no peer is known to"
                  + " have it"
              : "payment "
                  + refused.dependents().get(0)
                  + " spends its output already: raise the fee of that one, `murmur bump "
                  + refused.dependents().get(0)
                  + "`";
      case WRONG_KEYS -> "the words do not give the keys of these coins: is the passphrase right?";
      case TOO_HEAVY -> "internal error, please report it: heavier than estimated";
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

  private static Failure noPlan(SpendOutcome.Refused why, PaymentRefusedException refused) {
    String spendable = Unit.BTC.named(refused.spendable());
    String missing = Unit.BTC.named(why.missing());
    return switch (why.reason()) {
      case INSUFFICIENT_FUNDS ->
          failure(
              "insufficient_funds",
              "not enough: "
                  + spendable
                  + " can be spent"
                  + kept(refused.frozen(), "is frozen (`murmur unfreeze`)")
                  + kept(refused.waiting() - refused.frozen(), "is immature or not confirmed")
                  + "; "
                  + missing
                  + " more is needed with the fee",
              refused);
      case DUST ->
          failure(
              "dust", "the amount is too small to be relayed: add at least " + missing, refused);
      case DUST_AFTER_FEE ->
          failure("dust", "the amount is too small after the fee: add " + missing, refused);
      case COIN_NOT_SPENDABLE ->
          failure(
              "coin_not_spendable",
              "coin "
                  + why.coin().map(Object::toString).orElse("")
                  + " cannot be spent now: "
                  + obstacle(why),
              refused);
      case TOO_HEAVY ->
          failure(
              "too_heavy",
              "the payment needs so many coins that nodes do not relay it: pay less, or in parts",
              refused);
      case TOO_SMALL ->
          failure("too_small", "nodes do not relay a transaction this small", refused);
      case CHAIN_TOO_LONG ->
          failure(
              "chain_too_long",
              "too many unconfirmed payments build on each other: wait for a block",
              refused);
      case FEE_ABOVE_CEILING -> failure("fee_too_high", aboveCeiling(why), refused);
    };
  }

  private static String kept(long satoshi, String why) {
    return satoshi <= 0 ? "" : ", " + Unit.BTC.named(satoshi) + " " + why;
  }

  private static String obstacle(SpendOutcome.Refused why) {
    return why.obstacle()
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

  private static String aboveCeiling(SpendOutcome.Refused why) {
    if (why.fee() > 0 && why.missing() > 0) {
      return "the fee would be "
          + why.fee()
          + " sat, above the limit of "
          + (why.fee() - why.missing())
          + " sat (--max-fee)";
    }
    return (why.fee() > 0 ? "the fee would be " + why.fee() + " sat: its rate" : "the fee rate")
        + " is above the limit of "
        + FeePolicy.USUAL_MAX_RATE;
  }
}
