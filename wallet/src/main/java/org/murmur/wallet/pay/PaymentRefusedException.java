package org.murmur.wallet.pay;

import java.util.Optional;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.wallet.spend.SpendOutcome;

/** A payment that cannot be made as it was ordered. Nothing was signed, written or sent. */
public final class PaymentRefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Reason {
    /** There is no plan: {@link #refused} says why. */
    NO_PLAN,

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

    /** The transaction was replaced: {@link #replacement} names the replacement. */
    REPLACED,

    /** The transaction to replace spends coins of others, too. */
    NOT_OURS,

    /** The transaction to replace does not say that it may be replaced (BIP-0125). */
    NOT_REPLACEABLE,

    /** No output of the pending transaction can be spent to raise its fee. */
    NOTHING_TO_SPEND,

    /** The words do not give the keys of the wallet's scripts: the passphrase may be wrong. */
    WRONG_KEYS,

    /** The signed transaction is heavier than its fee was computed for. */
    TOO_HEAVY
  }

  /** Why. */
  private final Reason reason;

  private final transient Optional<SpendOutcome.Refused> refused;

  /** What may be spent, in satoshi. */
  private final long spendable;

  /** What the wallet has besides, in satoshi. */
  private final long waiting;

  private final transient Optional<Hash256> replacement;

  private PaymentRefusedException(
      Reason reason,
      Optional<SpendOutcome.Refused> refused,
      long spendable,
      long waiting,
      Optional<Hash256> replacement) {
    super(reason + refused.map(why -> ": " + why.reason()).orElse(""));
    this.replacement = replacement;
    this.reason = reason;
    this.refused = refused;
    this.spendable = spendable;
    this.waiting = waiting;
  }

  static PaymentRefusedException because(Reason reason) {
    return new PaymentRefusedException(reason, Optional.empty(), 0, 0, Optional.empty());
  }

  static PaymentRefusedException replacedBy(Hash256 txid) {
    return new PaymentRefusedException(Reason.REPLACED, Optional.empty(), 0, 0, Optional.of(txid));
  }

  static PaymentRefusedException noPlan(
      SpendOutcome.Refused refused, long spendable, long waiting) {
    return new PaymentRefusedException(
        Reason.NO_PLAN, Optional.of(refused), spendable, waiting, Optional.empty());
  }

  /**
   * Returns why.
   *
   * @return the reason
   */
  public Reason reason() {
    return reason;
  }

  /**
   * Returns why there is no plan.
   *
   * @return empty for other reasons than {@link Reason#NO_PLAN}
   */
  public Optional<SpendOutcome.Refused> refused() {
    return refused;
  }

  /**
   * Returns what has replaced the transaction.
   *
   * @return a txid; empty for other reasons than {@link Reason#REPLACED}
   */
  public Optional<Hash256> replacement() {
    return replacement;
  }

  /**
   * Returns the sum of the coins that may be spent, without what other pending payments spend.
   *
   * @return satoshi; 0 for other reasons than {@link Reason#NO_PLAN}
   */
  public long spendable() {
    return spendable;
  }

  /**
   * Returns the sum of the coins that may not be spent now: immature or unconfirmed foreign ones,
   * change of payments that no peer is known to have, and coins without a known key.
   *
   * @return satoshi; 0 for other reasons than {@link Reason#NO_PLAN}
   */
  public long waiting() {
    return waiting;
  }
}
