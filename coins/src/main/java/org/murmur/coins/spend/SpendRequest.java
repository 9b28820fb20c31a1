package org.murmur.coins.spend;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.coins.internal.fee.ReplacementFee.Evicted;
import org.murmur.coins.spend.Recipient.Share;

/**
 * The payments to make, and the coins for them. Begin with {@link #of} and derive: each other
 * public method returns a new request that differs in one thing. Immutable.
 */
public final class SpendRequest {

  // Written by constructors and by the change that with() makes to its own new copy only.
  private List<InputCoin> coins;
  private List<Recipient> recipients;
  private List<ChangeScript> changeScripts;
  private FeePolicy fees;
  private PendingTransactions pending = PendingTransactions.NONE;
  private Set<OutPoint> named = Set.of();
  private boolean others = true;
  private boolean foreignToo;
  private boolean unconfirmedChange = true;
  private boolean together = true;
  private boolean replaceable = true;
  private int tipHeight;
  private Duration tipAge = Duration.ofDays(1);
  private List<Evicted> evicted = List.of();

  private SpendRequest(
      List<InputCoin> coins,
      List<Recipient> recipients,
      List<ChangeScript> changeScripts,
      FeePolicy fees) {
    this.coins = List.copyOf(coins);
    this.recipients = List.copyOf(recipients);
    this.changeScripts = List.copyOf(changeScripts);
    this.fees = fees;
  }

  private SpendRequest(SpendRequest other) {
    coins = other.coins;
    recipients = other.recipients;
    changeScripts = other.changeScripts;
    fees = other.fees;
    pending = other.pending;
    named = other.named;
    others = other.others;
    foreignToo = other.foreignToo;
    unconfirmedChange = other.unconfirmedChange;
    together = other.together;
    replaceable = other.replaceable;
    tipHeight = other.tipHeight;
    tipAge = other.tipAge;
    evicted = other.evicted;
  }

  /**
   * Makes a request with the usual options: coins of a script are spent together, change that is
   * not confirmed may be spent, the payment can be replaced, and no lock time is set.
   *
   * @param coins all coins of the wallet; those that must not be spent may be among them
   * @param recipients in the order of their outputs; at least one
   * @param changeScripts unused scripts for change, at most one of a kind, the wallet's usual one
   *     first; not empty, even if there will be no change
   * @param fees what the payment may cost
   * @return the request
   * @throws IllegalArgumentException if a list is empty, if two recipients are to get all or are
   *     data, or if the fee is to be subtracted while one gets all
   */
  public static SpendRequest of(
      List<InputCoin> coins,
      List<Recipient> recipients,
      List<ChangeScript> changeScripts,
      FeePolicy fees) {
    SpendRequest request = new SpendRequest(coins, recipients, changeScripts, fees);
    request.checkRecipients();
    return request;
  }

  private void checkRecipients() {
    if (recipients.isEmpty() || changeScripts.isEmpty()) {
      throw new IllegalArgumentException("expected at least one recipient and one change script");
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

  private SpendRequest with(Consumer<SpendRequest> change) {
    SpendRequest changed = new SpendRequest(this);
    change.accept(changed);
    return changed;
  }

  /**
   * Sets which transactions are pending. An unconfirmed coin is spent only if its transaction is
   * among them, because nodes refuse long chains of pending transactions.
   *
   * @param transactions all of the wallet
   * @return a new request
   */
  public SpendRequest pending(PendingTransactions transactions) {
    return with(changed -> changed.pending = transactions);
  }

  /**
   * Spends these coins, all of them, and no other ones.
   *
   * @param outPoints coins of the wallet; not empty
   * @return a new request
   * @throws IllegalArgumentException if one is not among the coins
   */
  public SpendRequest spendingOnly(Collection<OutPoint> outPoints) {
    return named(outPoints, false);
  }

  /**
   * Spends these coins, all of them, and others where they do not suffice.
   *
   * @param outPoints coins of the wallet
   * @return a new request
   * @throws IllegalArgumentException if one is not among the coins
   */
  public SpendRequest spendingAtLeast(Collection<OutPoint> outPoints) {
    return named(outPoints, true);
  }

  private SpendRequest named(Collection<OutPoint> outPoints, boolean andOthers) {
    Set<OutPoint> known = coins.stream().map(InputCoin::outPoint).collect(Collectors.toSet());
    if (!known.containsAll(outPoints) || outPoints.isEmpty()) {
      throw new IllegalArgumentException("coins " + outPoints + ", expected coins of the wallet");
    }
    return with(
        changed -> {
          changed.named = Set.copyOf(new HashSet<>(outPoints));
          changed.others = andOthers;
        });
  }

  /**
   * Sets whether coins of one script are spent together if that costs at most 5 % more, so that no
   * later payment links the rest of them.
   *
   * @param all true unless set
   * @return a new request
   */
  public SpendRequest scriptsTogether(boolean all) {
    return with(changed -> changed.together = all);
  }

  /**
   * Sets whether the payment says that it may be replaced (BIP-0125).
   *
   * @param signals true unless set
   * @return a new request
   */
  public SpendRequest replaceable(boolean signals) {
    return with(changed -> changed.replaceable = signals);
  }

  /**
   * Sets whether change that is not confirmed may be spent.
   *
   * @param allowed true unless set
   * @return a new request
   */
  public SpendRequest unconfirmedChange(boolean allowed) {
    return with(changed -> changed.unconfirmedChange = allowed);
  }

  /**
   * Sets the newest block, so that a lock time can be drawn.
   *
   * @param height of the newest block
   * @param age time since its timestamp; if it is old, the lock time stays 0
   * @return a new request
   */
  public SpendRequest tip(int height, Duration age) {
    return with(
        changed -> {
          changed.tipHeight = height;
          changed.tipAge = age;
        });
  }

  /** Pays what a replacement of these transactions must pay. */
  SpendRequest replacing(List<Evicted> transactions) {
    return with(changed -> changed.evicted = List.copyOf(transactions));
  }

  /** Allows a named coin of a foreign pending payment. */
  SpendRequest foreignToo() {
    return with(changed -> changed.foreignToo = true);
  }

  List<InputCoin> coins() {
    return coins;
  }

  List<Recipient> recipients() {
    return recipients;
  }

  List<ChangeScript> changeScripts() {
    return changeScripts;
  }

  FeePolicy fees() {
    return fees;
  }

  PendingTransactions pending() {
    return pending;
  }

  boolean isNamed(InputCoin coin) {
    return named.contains(coin.outPoint());
  }

  /** Whether coins that were not named may be spent. */
  boolean allowsOthers() {
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
