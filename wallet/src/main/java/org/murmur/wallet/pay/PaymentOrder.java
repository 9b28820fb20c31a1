package org.murmur.wallet.pay;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.spend.FeePolicy;
import org.murmur.coins.spend.Recipient;
import org.murmur.coins.spend.fee.FeeRate;

/**
 * A user's order to pay. The wallet adds coins, pending transactions, change. Begin with {@link
 * #of} and derive: each other public method returns a new order. Immutable.
 */
public final class PaymentOrder {

  /**
   * A payment in one of the last blocks, so many, forbids the same one as a pending payment does:
   * three days. An older copy of the wallet's file may have been put back since.
   */
  public static final int RECENT_BLOCKS = 432;

  // Written by constructors, and by with() in its new copy only.
  private List<Recipient> recipients;
  private FeePolicy fees;
  private Set<OutPoint> only = Set.of();
  private @Nullable OutputType changeType;
  private boolean replaceable = true;
  private boolean again;

  private PaymentOrder(List<Recipient> recipients, FeePolicy fees) {
    this.recipients = List.copyOf(recipients);
    this.fees = fees;
  }

  /**
   * Makes an order with the usual limits of fees. The payment can be replaced (BIP-0125).
   *
   * @param recipients in the order of their outputs; at least one
   * @param rate the fee rate
   * @return the order
   * @throws IllegalArgumentException if there is no recipient, or the rate is 0
   */
  public static PaymentOrder of(List<Recipient> recipients, FeeRate rate) {
    if (recipients.isEmpty()) {
      throw new IllegalArgumentException("no recipient, expected at least one");
    }
    return new PaymentOrder(recipients, FeePolicy.of(rate));
  }

  private PaymentOrder with(Consumer<PaymentOrder> change) {
    PaymentOrder changed = new PaymentOrder(recipients, fees);
    changed.only = only;
    changed.changeType = changeType;
    changed.replaceable = replaceable;
    changed.again = again;
    change.accept(changed);
    return changed;
  }

  /**
   * Spends these coins, all of them, and no other ones.
   *
   * @param coins of the wallet; at least one
   * @return a new order
   * @throws IllegalArgumentException if there is none: that would not mean whichever fit
   */
  public PaymentOrder spendingOnly(Collection<OutPoint> coins) {
    if (coins.isEmpty()) {
      throw new IllegalArgumentException("no coins to spend, expected at least one");
    }
    return with(changed -> changed.only = Set.copyOf(new ArrayList<>(coins)));
  }

  /**
   * Sets the script type of the change.
   *
   * @param type one that the wallet has
   * @return a new order; without this, change looks like the payment
   */
  public PaymentOrder changeType(OutputType type) {
    return with(changed -> changed.changeType = type);
  }

  /**
   * Sets whether the payment says that it may be replaced (BIP-0125).
   *
   * @param signals true unless set
   * @return a new order
   */
  public PaymentOrder replaceable(boolean signals) {
    return with(changed -> changed.replaceable = signals);
  }

  /**
   * Sets whether to pay even if an {@link EarlierPayment} pays the same: a pending one, one in the
   * last {@link #RECENT_BLOCKS} blocks, or one that no longer counts and may be mined nevertheless.
   *
   * @param twice false unless set
   * @return a new order
   */
  public PaymentOrder again(boolean twice) {
    return with(changed -> changed.again = twice);
  }

  /**
   * Sets the limits of the fee.
   *
   * @param policy rate and limits
   * @return a new order
   */
  public PaymentOrder fees(FeePolicy policy) {
    return with(changed -> changed.fees = policy);
  }

  /** {@return the fee rate and the limits of the fee} */
  public FeePolicy fees() {
    return fees;
  }

  /** {@return the recipients, in the order of their outputs} */
  public List<Recipient> recipients() {
    return recipients;
  }

  Set<OutPoint> only() {
    return only;
  }

  Optional<OutputType> changeType() {
    return Optional.ofNullable(changeType);
  }

  boolean isAgain() {
    return again;
  }

  boolean isReplaceable() {
    return replaceable;
  }
}
