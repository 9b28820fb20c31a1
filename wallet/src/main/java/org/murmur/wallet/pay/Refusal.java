package org.murmur.wallet.pay;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.coins.psbt.PsbtException;
import org.murmur.coins.spend.PaymentOrder;
import org.murmur.coins.spend.Reason;
import org.murmur.coins.spend.SpendOutcome;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.wallet.overview.ChainState;

/** Why a payment is refused, with the data of this reason. */
public sealed interface Refusal extends Reason {

  /** Reasons without data. */
  enum Plain implements Refusal {
    /** A coin that the order names is not the wallet's, or is spent. */
    UNKNOWN_COIN("a coin of the order is not in the wallet, or is spent"),

    /** The wallet has no script of the wanted type for change. */
    NO_CHANGE_TYPE("the wallet has no addresses for change of this type"),

    /**
     * Since it was planned, a coin was spent, the change address was used or another payment was
     * made. Plan it again.
     */
    OUTDATED("another payment was made in the meantime, or a coin was spent: try again"),

    /** The wallet has no such transaction, or has given it up. */
    NOT_PENDING("the wallet has no such transaction that waits for a block"),

    /** A block holds the transaction. */
    CONFIRMED("a block holds the transaction: it cannot be replaced any more"),

    /** The transaction to replace spends coins of others, too. */
    NOT_OURS("coins of others are spent, too: only their owner can replace it"),

    /** The signed transaction is heavier than its fee was computed for. */
    TOO_HEAVY("internal error, please report it: heavier than estimated"),

    /** Each connected peer said that it takes no transaction, as nodes do that still download. */
    NOBODY_TAKES_PAYMENTS(
        "no connected peer takes transactions: each still downloads blocks (feefilter)");

    private final String cause;

    Plain(String cause) {
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
   * It pays a lower rate than each connected peer relays (BIP-0133).
   *
   * @param least the least rate that one of them relays
   * @param paid the rate of the payment
   */
  record FeeRateBelowFilter(FeeRate least, FeeRate paid) implements Refusal {
    @Override
    public String cause() {
      return "no connected peer relays a payment with so low a fee rate (feefilter)";
    }

    @Override
    public String details(LongFunction<String> amount) {
      return ": " + paid + ", and the least is " + least;
    }
  }

  /**
   * The wallet does not know all blocks up to its tip: a coin may be spent already, and there may
   * be more coins. Sync, or pay {@linkplain org.murmur.wallet.WalletPayments#evenIfIncomplete even
   * so}.
   *
   * @param chain what it knows
   */
  record Incomplete(ChainState chain) implements Refusal {
    @Override
    public String cause() {
      return "a coin may be spent already, and coins may be missing: " + chain.words();
    }
  }

  /**
   * There is no plan.
   *
   * @param why why
   * @param spendable the sum of the coins that may be spent, without what other pending payments
   *     spend, in satoshi
   * @param waiting the sum of the coins that may not be spent now, in satoshi: immature or
   *     unconfirmed foreign ones, change of payments that no peer is known to have, and coins
   *     without a known key
   * @param frozen the part of {@code waiting} that the user has frozen, in satoshi
   * @param named whether the order names its coins, so that the sums are of these only
   */
  record NoPlan(SpendOutcome.Refused why, long spendable, long waiting, long frozen, boolean named)
      implements Refusal {
    @Override
    public String cause() {
      return why.cause();
    }

    @Override
    public String details(LongFunction<String> amount) {
      if (!(why instanceof SpendOutcome.InsufficientFunds)) {
        return why.details(amount);
      }
      return (named ? " of the named coins: " : ": ")
          + amount.apply(spendable)
          + kept(amount, frozen, "frozen")
          + kept(amount, waiting - frozen, "immature or not confirmed")
          + why.details(amount);
    }

    @Override
    public String kind() {
      return why.kind();
    }

    private static String kept(LongFunction<String> amount, long satoshi, String why) {
      return satoshi <= 0 ? "" : ", and " + amount.apply(satoshi) + " are " + why;
    }
  }

  /**
   * The transaction was replaced.
   *
   * @param replacement txid of what replaced it
   * @param height of the block that holds the replacement, so that the transaction is never mined;
   *     empty as long as none does
   */
  record Replaced(Hash256 replacement, OptionalInt height) implements Refusal {
    @Override
    public String cause() {
      return height.isPresent()
          ? "a block holds another transaction that spends the same coin, so this one is never"
              + " mined"
          : "the transaction was replaced";
    }

    @Override
    public String details(LongFunction<String> amount) {
      return height.isPresent()
          ? ": block " + height.getAsInt() + " holds " + replacement + ". Pay again"
          : " by " + replacement;
    }
  }

  /**
   * An earlier payment pays the same, and both could be mined. Order the payment {@linkplain
   * PaymentOrder#again again} to pay twice.
   *
   * @param earlier the earlier payment
   */
  record PaidAlready(EarlierPayment earlier) implements Refusal {
    /** How the earlier payment stands. */
    @Override
    public String kind() {
      if (earlier.given()) {
        return "already_given";
      }
      return switch (earlier.status()) {
        case PENDING -> "already_pending";
        case CONFIRMED -> "already_confirmed";
        case ABANDONED -> "abandoned";
        case REPLACED -> "replaced";
        default -> "dropped";
      };
    }

    @Override
    public String cause() {
      return "an earlier payment pays the same" + earlier.fate();
    }

    @Override
    public String details(LongFunction<String> amount) {
      return ": " + earlier.txid();
    }
  }

  /**
   * It would pay somebody whom the user of this wallet did not name: another copy of the wallet's
   * keys made the payment that it replaces. Show its payees, then sign {@link
   * Proposal#acceptingPayees}.
   *
   * @param payees addresses, or scripts in hex where a script has none
   */
  record PayeeNotNamed(List<String> payees) implements Refusal {

    /** Copies the list. */
    public PayeeNotNamed {
      payees = List.copyOf(payees);
    }

    @Override
    public String cause() {
      return "this wallet has no record that it made the payment: its payees must be seen first";
    }

    @Override
    public String details(LongFunction<String> amount) {
      return ": " + String.join(", ", payees);
    }
  }

  /**
   * Later transactions of the wallet spend outputs of the one to replace, and would be gone with
   * it.
   *
   * @param dependents txids of those that spend its outputs, and of those that spend theirs; the
   *     newest first
   */
  record HasDependents(List<Hash256> dependents) implements Refusal {

    /** Copies the list. */
    public HasDependents {
      dependents = List.copyOf(dependents);
    }

    @Override
    public String cause() {
      return "later payments spend its outputs, and a replacement would undo them: raise the fee of"
          + " the newest one";
    }

    @Override
    public String details(LongFunction<String> amount) {
      return ": " + dependents.get(0);
    }
  }

  /**
   * No output of the pending transaction can be spent to raise its fee.
   *
   * @param dependents txids of pending transactions that spend its outputs already, and of those
   *     that spend theirs; the newest first
   */
  record NothingToSpend(List<Hash256> dependents) implements Refusal {

    /** Copies the list. */
    public NothingToSpend {
      dependents = List.copyOf(dependents);
    }

    @Override
    public String cause() {
      return dependents.isEmpty()
          ? "no output of it can be spent: it pays the wallet nothing, or no peer is known to have"
              + " it"
          : "a later payment spends its output already: raise the fee of that one";
    }

    @Override
    public String details(LongFunction<String> amount) {
      return dependents.isEmpty() ? "" : ": " + dependents.get(0);
    }
  }

  /**
   * The PSBT wants a signature that the wallet does not make.
   *
   * @param rule the broken rule
   * @param input index of the input, from 0
   */
  record Unsignable(PsbtException.Reason rule, int input) implements Refusal {
    @Override
    public String kind() {
      return rule.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String cause() {
      return "input " + input + ": " + rule.text();
    }
  }

  /**
   * The PSBT does not say what all its inputs spend, and the wallet does not know it either: nobody
   * can say how large the fee is.
   *
   * @param inputs the outpoints whose outputs are not known
   * @param least the least that the fee can be, in satoshi
   */
  record FeeUnknown(List<OutPoint> inputs, long least) implements Refusal {

    /** Copies the list. */
    public FeeUnknown {
      inputs = List.copyOf(inputs);
    }

    @Override
    public String cause() {
      return "the PSBT does not have the amounts of all spent outputs, so nobody can say how large"
          + " the fee is: ask the other signers to add them";
    }

    @Override
    public String details(LongFunction<String> amount) {
      return ": " + inputs.stream().map(OutPoint::toString).collect(Collectors.joining(", "));
    }
  }

  /**
   * The PSBT spends coins that are frozen, or that another payment of the wallet spends.
   *
   * @param coins which
   */
  record CoinReserved(List<ReservedCoin> coins) implements Refusal {

    /** Copies the list. */
    public CoinReserved {
      coins = List.copyOf(coins);
    }

    @Override
    public String cause() {
      return "a coin of it is reserved";
    }

    @Override
    public String details(LongFunction<String> amount) {
      return ": " + coins.stream().map(ReservedCoin::text).collect(Collectors.joining("; "));
    }
  }
}
