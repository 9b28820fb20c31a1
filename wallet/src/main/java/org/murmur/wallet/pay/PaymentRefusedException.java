package org.murmur.wallet.pay;

import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
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

    /**
     * {@link #earlier} pays the same, and both could be mined. Order the payment {@linkplain
     * PaymentOrder#again again} to pay twice.
     */
    PAID_ALREADY,

    /** The transaction to replace spends coins of others, too. */
    NOT_OURS,

    /**
     * Later transactions of the wallet spend outputs of the one to replace, and would be gone with
     * it: {@link #dependents} names them.
     */
    HAS_DEPENDENTS,

    /**
     * The transaction to replace does not say that it may be replaced (BIP-0125). {@link #change}
     * is an output of it that can pay for both.
     */
    NOT_REPLACEABLE,

    /**
     * No output of the pending transaction can be spent to raise its fee. {@link #dependents} names
     * the transaction that spends it already, if there is one.
     */
    NOTHING_TO_SPEND,

    /** The words do not give the keys of the wallet's scripts: the passphrase may be wrong. */
    WRONG_KEYS,

    /** The signed transaction is heavier than its fee was computed for. */
    TOO_HEAVY
  }

  /** What the wallet has, in satoshi. */
  private record Funds(long spendable, long waiting, long frozen) implements Serializable {

    private static final Funds UNKNOWN = new Funds(0, 0, 0);
  }

  private final Reason reason;

  private final transient Optional<SpendOutcome.Refused> refused;

  private final Funds funds;

  // Written by the factory methods only.
  private transient List<Hash256> dependents = List.of();
  private transient Optional<Hash256> replacement = Optional.empty();
  private transient Optional<OutPoint> change = Optional.empty();
  private transient Optional<EarlierPayment> earlier = Optional.empty();

  private PaymentRefusedException(
      Reason reason, Optional<SpendOutcome.Refused> refused, Funds funds) {
    super(reason + refused.map(why -> ": " + why.reason()).orElse(""));
    this.reason = reason;
    this.refused = refused;
    this.funds = funds;
  }

  static PaymentRefusedException because(Reason reason) {
    return new PaymentRefusedException(reason, Optional.empty(), Funds.UNKNOWN);
  }

  static PaymentRefusedException because(Reason reason, List<Hash256> dependents) {
    PaymentRefusedException made = because(reason);
    made.dependents = List.copyOf(dependents);
    return made;
  }

  static PaymentRefusedException replaced(Hash256 by) {
    PaymentRefusedException made = because(Reason.REPLACED);
    made.replacement = Optional.of(by);
    return made;
  }

  static PaymentRefusedException notReplaceable(Optional<OutPoint> change) {
    PaymentRefusedException made = because(Reason.NOT_REPLACEABLE);
    made.change = change;
    return made;
  }

  static PaymentRefusedException paidAlready(EarlierPayment earlier) {
    PaymentRefusedException made = because(Reason.PAID_ALREADY);
    made.earlier = Optional.of(earlier);
    return made;
  }

  static PaymentRefusedException noPlan(
      SpendOutcome.Refused refused, long spendable, long waiting, long frozen) {
    return new PaymentRefusedException(
        Reason.NO_PLAN, Optional.of(refused), new Funds(spendable, waiting, frozen));
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
   * Returns the pending transactions of the wallet that spend outputs of the transaction, and those
   * that spend theirs.
   *
   * @return txids, the newest first; empty for other reasons than {@link Reason#HAS_DEPENDENTS} and
   *     {@link Reason#NOTHING_TO_SPEND}
   */
  public List<Hash256> dependents() {
    return dependents;
  }

  /**
   * Returns the payment that pays the same.
   *
   * @return empty for other reasons than {@link Reason#PAID_ALREADY}
   */
  public Optional<EarlierPayment> earlier() {
    return earlier;
  }

  /**
   * Returns the change of the transaction, whose spender can pay for both.
   *
   * @return an output that may be spent; empty for other reasons than {@link
   *     Reason#NOT_REPLACEABLE}, and if it is to be taken back
   */
  public Optional<OutPoint> change() {
    return change;
  }

  /**
   * Returns the sum of the coins that may be spent, without what other pending payments spend.
   *
   * @return satoshi; 0 for other reasons than {@link Reason#NO_PLAN}
   */
  public long spendable() {
    return funds.spendable();
  }

  /**
   * Returns the sum of the coins that may not be spent now: immature or unconfirmed foreign ones,
   * change of payments that no peer is known to have, and coins without a known key.
   *
   * @return satoshi; 0 for other reasons than {@link Reason#NO_PLAN}
   */
  public long waiting() {
    return funds.waiting();
  }

  /**
   * Returns the part of {@link #waiting} that the user has frozen.
   *
   * @return satoshi; 0 for other reasons than {@link Reason#NO_PLAN}
   */
  public long frozen() {
    return funds.frozen();
  }
}
