package org.murmur.wallet.pay;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.wallet.overview.ChainState;
import org.murmur.wallet.spend.SpendOutcome;
import org.murmur.wallet.spend.fee.FeeRate;

/** Why a payment is refused, with the data of this reason. */
public sealed interface Refusal {

  /** Reasons without data. */
  enum Reason implements Refusal {
    /** A coin that the order names is not the wallet's, or is spent. */
    UNKNOWN_COIN,

    /** The wallet has no script of the wanted type for change. */
    NO_CHANGE_TYPE,

    /**
     * Since it was planned, a coin was spent, the change address was used or another payment was
     * made. Plan it again.
     */
    OUTDATED,

    /** The wallet has no such transaction, or has given it up. */
    NOT_PENDING,

    /** A block holds the transaction. */
    CONFIRMED,

    /** The transaction to replace spends coins of others, too. */
    NOT_OURS,

    /** The words do not give the keys of the wallet's scripts: the passphrase may be wrong. */
    WRONG_KEYS,

    /** The signed transaction is heavier than its fee was computed for. */
    TOO_HEAVY,

    /** Each connected peer said that it takes no transaction, as nodes do that still download. */
    NOBODY_TAKES_PAYMENTS
  }

  /**
   * It pays a lower rate than each connected peer relays (BIP-0133).
   *
   * @param least the least rate that one of them relays
   * @param paid the rate of the payment
   */
  record FeeRateBelowFilter(FeeRate least, FeeRate paid) implements Refusal {}

  /**
   * The wallet does not know all blocks up to its tip: a coin may be spent already, and there may
   * be more coins. Sync, or order the payment {@linkplain PaymentOrder#evenIfIncomplete even so}.
   *
   * @param chain what it knows
   */
  record Incomplete(ChainState chain) implements Refusal {}

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
      implements Refusal {}

  /**
   * The transaction was replaced.
   *
   * @param replacement txid of what replaced it
   * @param height of the block that holds the replacement, so that the transaction is never mined;
   *     empty as long as none does
   */
  record Replaced(Hash256 replacement, OptionalInt height) implements Refusal {}

  /**
   * An earlier payment pays the same, and both could be mined. Order the payment {@linkplain
   * PaymentOrder#again again} to pay twice.
   *
   * @param earlier the earlier payment
   */
  record PaidAlready(EarlierPayment earlier) implements Refusal {}

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
  }

  /**
   * The transaction to replace does not say that it may be replaced (BIP-0125).
   *
   * @param change its output whose spender can pay for both; empty if there is none, or if the
   *     transaction is to be taken back
   */
  record NotReplaceable(Optional<OutPoint> change) implements Refusal {}

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
  }
}
