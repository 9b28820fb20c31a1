package org.murmur.coins.spend;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.coins.internal.fee.ReplacementFee.Evicted;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.spend.Recipient.Share;
import org.murmur.coins.spend.fee.FeeRate;

/**
 * A user's order to pay. Begin with {@link #of} and derive: each other public method returns a new
 * order that differs in one thing. A wallet adds what it pays {@linkplain #from from}; without a
 * wallet, do that before {@link PaymentPlanner#plan}. Immutable.
 */
public final class PaymentOrder {

  // Written by constructors and by the change that with() makes to its own new copy only.
  private List<Recipient> recipients;
  private FeePolicy fees;
  private Set<OutPoint> named = Set.of();
  private boolean others = true;
  private @Nullable OutputType changeType;
  private boolean unconfirmedChange = true;
  private boolean together = true;
  private boolean replaceable = true;
  private boolean again;
  private boolean foreignToo;
  private List<Evicted> evicted = List.of();
  private List<InputCoin> coins = List.of();
  private List<ChangeScript> changeScripts = List.of();
  private PendingTransactions pending = PendingTransactions.NONE;
  private int tipHeight;
  private Duration tipAge = Duration.ofDays(1);

  private PaymentOrder(List<Recipient> recipients, FeePolicy fees) {
    this.recipients = List.copyOf(recipients);
    this.fees = fees;
  }

  private PaymentOrder(PaymentOrder other) {
    recipients = other.recipients;
    fees = other.fees;
    named = other.named;
    others = other.others;
    changeType = other.changeType;
    unconfirmedChange = other.unconfirmedChange;
    together = other.together;
    replaceable = other.replaceable;
    again = other.again;
    foreignToo = other.foreignToo;
    evicted = other.evicted;
    coins = other.coins;
    changeScripts = other.changeScripts;
    pending = other.pending;
    tipHeight = other.tipHeight;
    tipAge = other.tipAge;
  }

  /**
   * Makes an order with the usual limits of fees, else as {@link #of(List, FeePolicy)} does.
   *
   * @param recipients in the order of their outputs; at least one
   * @param rate the fee rate
   * @return the order
   * @throws IllegalArgumentException as the other method does, or if the rate is 0
   */
  public static PaymentOrder of(List<Recipient> recipients, FeeRate rate) {
    return of(recipients, FeePolicy.of(rate));
  }

  /**
   * Makes an order with the usual options: coins of a script are spent together, change that is not
   * confirmed may be spent, and the payment can be replaced (BIP-0125).
   *
   * @param recipients in the order of their outputs; at least one
   * @param fees what the payment may cost
   * @return the order
   * @throws IllegalArgumentException if there is no recipient, if two are to get all or are data,
   *     or if the fee is to be subtracted while one gets all
   */
  public static PaymentOrder of(List<Recipient> recipients, FeePolicy fees) {
    PaymentOrder order = new PaymentOrder(recipients, fees);
    order.checkRecipients();
    return order;
  }

  private void checkRecipients() {
    if (recipients.isEmpty()) {
      throw new IllegalArgumentException("no recipient, expected at least one");
    }
    if (recipients.stream().filter(Recipient::isData).count() > 1) {
      throw new IllegalArgumentException("data in two outputs, expected at most one");
    }
    long all = recipients.stream().filter(each -> each.share() == Share.ALL).count();
    if (all > 1 || (all == 1 && subtractsFee())) {
      throw new IllegalArgumentException(
          "expected at most one recipient of all, who alone pays the fee");
    }
  }

  private PaymentOrder with(Consumer<PaymentOrder> change) {
    PaymentOrder changed = new PaymentOrder(this);
    change.accept(changed);
    return changed;
  }

  /**
   * Spends these coins, all of them, and no other ones.
   *
   * @param outPoints coins of the wallet; at least one
   * @return a new order
   * @throws IllegalArgumentException if there is none: that would not mean whichever fit
   */
  public PaymentOrder spendingOnly(Collection<OutPoint> outPoints) {
    return named(outPoints, false);
  }

  /**
   * Spends these coins, all of them, and others where they do not suffice.
   *
   * @param outPoints coins of the wallet; at least one
   * @return a new order
   * @throws IllegalArgumentException if there is none
   */
  public PaymentOrder spendingAtLeast(Collection<OutPoint> outPoints) {
    return named(outPoints, true);
  }

  private PaymentOrder named(Collection<OutPoint> outPoints, boolean andOthers) {
    if (outPoints.isEmpty()) {
      throw new IllegalArgumentException("no coins to spend, expected at least one");
    }
    return with(
        changed -> {
          changed.named = Set.copyOf(new HashSet<>(outPoints));
          changed.others = andOthers;
        });
  }

  /**
   * Sets the script type of the change. Only a wallet obeys it; without one, the change scripts of
   * {@link #from} decide.
   *
   * @param type one that the wallet has
   * @return a new order; without this, change looks like the payment
   */
  public PaymentOrder changeType(OutputType type) {
    return with(changed -> changed.changeType = type);
  }

  /**
   * Sets whether coins of one script are spent together if that costs at most 5 % more, so that no
   * later payment links the rest of them.
   *
   * @param all true unless set
   * @return a new order
   */
  public PaymentOrder scriptsTogether(boolean all) {
    return with(changed -> changed.together = all);
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
   * Sets whether change that is not confirmed may be spent.
   *
   * @param allowed true unless set
   * @return a new order
   */
  public PaymentOrder unconfirmedChange(boolean allowed) {
    return with(changed -> changed.unconfirmedChange = allowed);
  }

  /**
   * Sets whether a wallet pays even if an earlier payment of it pays the same: a pending one, one
   * in the last blocks, or one that no longer counts and may be mined nevertheless.
   *
   * @param twice false unless set
   * @return a new order
   */
  public PaymentOrder again(boolean twice) {
    return with(changed -> changed.again = twice);
  }

  /**
   * Adds what is there to pay with.
   *
   * @param all the coins of the wallet; those that must not be spent may be among them
   * @param change unused scripts for change, at most one of a kind, the wallet's usual one first;
   *     not empty, even if there will be no change
   * @param transactions all pending ones of the wallet. An unconfirmed coin is spent only if its
   *     transaction is among them, because nodes refuse long chains of pending transactions
   * @return a new order
   * @throws IllegalArgumentException if there is no script for change
   */
  public PaymentOrder from(
      List<InputCoin> all, List<ChangeScript> change, PendingTransactions transactions) {
    if (change.isEmpty()) {
      throw new IllegalArgumentException("no script for change, expected at least one");
    }
    return with(
        changed -> {
          changed.coins = List.copyOf(all);
          changed.changeScripts = List.copyOf(change);
          changed.pending = transactions;
        });
  }

  /**
   * Sets the newest block, so that a lock time can be drawn. Without it, none is set.
   *
   * @param height of the newest block
   * @param age time since its timestamp; if it is old, the lock time stays 0
   * @return a new order
   */
  public PaymentOrder tip(int height, Duration age) {
    return with(
        changed -> {
          changed.tipHeight = height;
          changed.tipAge = age;
        });
  }

  /** Pays what a replacement of these transactions must pay. */
  PaymentOrder replacing(List<Evicted> transactions) {
    return with(changed -> changed.evicted = List.copyOf(transactions));
  }

  /** Allows a named coin of a foreign pending payment. */
  PaymentOrder foreignToo() {
    return with(changed -> changed.foreignToo = true);
  }

  /** Checks that it can be planned. */
  void requireFunds() {
    Set<OutPoint> known = coins.stream().map(InputCoin::outPoint).collect(Collectors.toSet());
    if (changeScripts.isEmpty()) {
      throw new IllegalArgumentException("no script for change, expected one of from()");
    }
    if (!known.containsAll(named)) {
      throw new IllegalArgumentException("coins " + named + ", expected coins of from()");
    }
  }

  /** {@return the recipients, in the order of their outputs} */
  public List<Recipient> recipients() {
    return recipients;
  }

  /** {@return the fee rate and the limits of the fee} */
  public FeePolicy fees() {
    return fees;
  }

  /** {@return the coins that it must spend; empty for whichever fit} */
  public Set<OutPoint> named() {
    return named;
  }

  /** {@return the script type of the change; empty for one that looks like the payment} */
  public Optional<OutputType> changeType() {
    return Optional.ofNullable(changeType);
  }

  /** {@return whether a wallet pays it even if an earlier payment pays the same} */
  public boolean isAgain() {
    return again;
  }

  List<InputCoin> coins() {
    return coins;
  }

  List<ChangeScript> changeScripts() {
    return changeScripts;
  }

  PendingTransactions pending() {
    return pending;
  }

  boolean isNamed(InputCoin coin) {
    return named.contains(coin.outPoint());
  }

  /** {@return whether it may spend coins that it does not name} */
  public boolean allowsOthers() {
    return others;
  }

  boolean allowsForeign() {
    return foreignToo;
  }

  boolean allowsUnconfirmedChange() {
    return unconfirmedChange;
  }

  boolean spendsScriptsTogether() {
    return together;
  }

  boolean isReplaceable() {
    return replaceable;
  }

  int tipHeight() {
    return tipHeight;
  }

  Duration tipAge() {
    return tipAge;
  }

  List<Evicted> evicted() {
    return evicted;
  }

  /** Whether recipients pay the fee out of their amounts. */
  boolean subtractsFee() {
    return recipients.stream().anyMatch(each -> each.share() == Share.AMOUNT_LESS_FEE);
  }

  /** Whether one recipient gets all. */
  boolean sweeps() {
    return recipients.stream().anyMatch(each -> each.share() == Share.ALL);
  }
}
