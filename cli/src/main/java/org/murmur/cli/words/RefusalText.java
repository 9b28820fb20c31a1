package org.murmur.cli.words;

import java.util.Locale;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.spend.SpendOutcome;

/** Why a payment is not made, and what to do. */
final class RefusalText {

  private RefusalText() {}

  static Failure of(PaymentRefusedException refused) {
    return refused
        .refused()
        .map(why -> noPlan(why, refused))
        .orElseGet(() -> failure(kind(refused), text(refused), refused));
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
      case NOT_PENDING ->
          "the wallet has no such transaction that waits for a block: `murmur history` lists them";
      case CONFIRMED -> "a block holds the transaction: it cannot be replaced any more";
      case REPLACED ->
          "the transaction was replaced: name the replacement "
              + refused.replacement().map(Object::toString).orElse("");
      case NOT_OURS ->
          "coins of others are spent, too: only who made the transaction can replace it";
      case NOT_REPLACEABLE ->
          "the transaction does not signal that it may be replaced (BIP-0125): nodes may refuse a"
              + " replacement";
      case NOTHING_TO_SPEND ->
          "no output of it can be spent: it pays the wallet nothing, or no peer is known to have it";
      case WRONG_KEYS -> "the words do not give the keys of these coins: is the passphrase right?";
      case TOO_HEAVY -> "internal error, please report it: heavier than estimated";
    };
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
                  + (refused.waiting() == 0
                      ? ""
                      : ", "
                          + Unit.BTC.named(refused.waiting())
                          + " cannot now (immature, frozen or not confirmed)")
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
                  + " cannot be spent now: it is frozen, immature, or not confirmed",
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
      case FEE_ABOVE_CEILING ->
          failure(
              "fee_too_high",
              "the fee would be above the ceiling of --max-fee, or above 10,000 sat/vB",
              refused);
    };
  }
}
