package org.murmur.cli.words;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.spend.SpendOutcome;

/** Why a payment is not made, and what to do. */
final class RefusalText {

  private RefusalText() {}

  static Failure of(PaymentRefusedException refused) {
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
