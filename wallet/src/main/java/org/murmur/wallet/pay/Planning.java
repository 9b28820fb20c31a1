package org.murmur.wallet.pay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.sign.Signer;
import org.murmur.coins.internal.sign.SigningException;
import org.murmur.coins.internal.sign.SpentOutput;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.AddressException;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.PrivateKeys;
import org.murmur.coins.spend.ChangeScript;
import org.murmur.coins.spend.Draws;
import org.murmur.coins.spend.FeePolicy;
import org.murmur.coins.spend.InputCoin;
import org.murmur.coins.spend.PaymentOrder;
import org.murmur.coins.spend.PaymentPlan;
import org.murmur.coins.spend.PaymentPlanner;
import org.murmur.coins.spend.Recipient;
import org.murmur.coins.spend.Replacements;
import org.murmur.coins.spend.SentPayment;
import org.murmur.coins.spend.SpendOutcome;
import org.murmur.wallet.internal.books.ScriptBook.Place;
import org.murmur.wallet.internal.books.WalletView;
import org.murmur.wallet.internal.ledger.Effect;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.ledger.Replacement;
import org.murmur.wallet.overview.ChainState;
import org.murmur.wallet.pay.Refusal.Plain;

/**
 * Plans, checks and signs payments with what the books hold. Pure: it reads the books as lent, and
 * writes nothing.
 */
public final class Planning {

  /** An input with a lower sequence number says that the transaction may be replaced. */
  private static final long MAX_REPLACEABLE = 0xfffffffdL;

  private final Purse purse;
  private final KeyNetwork network;
  private final int height;
  private final Duration tipAge;

  /**
   * Makes one.
   *
   * @param view the books, lent as long as this is used
   * @param network whose addresses are shown
   * @param now seconds since 1970
   */
  public Planning(WalletView view, KeyNetwork network, long now) {
    this.purse = new Purse(view);
    this.network = network;
    this.height = view.height();
    this.tipAge = Duration.ofSeconds(Math.max(0, now - view.tipTime()));
  }

  /**
   * Plans a payment.
   *
   * @param order what the user wants
   * @param evenIfIncomplete whether to plan it although the wallet is not complete
   * @param draws random draws with a secret seed
   * @return the proposal
   * @throws PaymentRefusedException if it cannot be made: of reason PaidAlready if a payment that
   *     pays the same waits for a block or is in one of the last, else why there is no plan
   * @throws AddressException if a recipient is of another network
   */
  public Proposal plan(PaymentOrder order, boolean evenIfIncomplete, Draws draws) {
    order.recipients().forEach(recipient -> recipient.requireOf(network));
    try {
      Proposal proposal = ifComplete(evenIfIncomplete, () -> planned(order, draws));
      return proposal.ordered(order, earlier(order, proposal.coins()));
    } catch (PaymentRefusedException e) {
      throw earlier(order, List.of())
          .filter(EarlierPayment::counts)
          .map(same -> PaymentRefusedException.because(new Refusal.PaidAlready(same)))
          .orElse(e);
    }
  }

  /**
   * Of coins that may be spent already no payment is made, unless its user says so. Nor is it said
   * that there are too few before all blocks are scanned.
   */
  private Proposal ifComplete(boolean even, Supplier<Proposal> task) {
    ChainState chain = purse.view().chain();
    if (even || chain.complete()) {
      return task.get();
    }
    try {
      Proposal unused = task.get();
    } catch (PaymentRefusedException e) {
      if (holdsAnyway(e.reason())) {
        throw e;
      }
    }
    throw PaymentRefusedException.because(new Refusal.Incomplete(chain));
  }

  private static boolean holdsAnyway(Refusal refusal) {
    boolean coins =
        refusal instanceof Refusal.NoPlan none
            && none.why() instanceof SpendOutcome.InsufficientFunds;
    return !coins && refusal != Plain.UNKNOWN_COIN && refusal != Plain.NOT_PENDING;
  }

  /** {@return how much a payment can spend, fee included; satoshi} */
  public long spendable() {
    return purse.coins().stream()
        .filter(coin -> !coin.obstacle().isPresent())
        .mapToLong(InputCoin::value)
        .sum();
  }

  private Optional<EarlierPayment> earlier(PaymentOrder order, List<OutPoint> coins) {
    if (order.isAgain()) {
      return Optional.empty();
    }
    EarlierPayments earlier = new EarlierPayments(purse, order.recipients());
    Optional<EarlierPayment> counting = earlier.counting();
    return counting.isPresent() ? counting : earlier.withoutConflict(coins);
  }

  /**
   * Finds a payment that pays the same as a transaction that was built, here or elsewhere, if both
   * could be mined.
   *
   * @param tx signed or not; neither it nor a payment that conflicts with it is refused for itself
   * @return empty if there is none
   */
  public Optional<EarlierPayment> earlier(Tx tx) {
    List<OutPoint> coins =
        tx.inputs().stream().map(Tx.Input::outPoint).collect(Collectors.toList());
    EarlierPayments earlier = EarlierPayments.of(purse, tx);
    Optional<EarlierPayment> counting = earlier.counting(coins);
    return counting.isPresent() ? counting : earlier.withoutConflict(coins);
  }

  /**
   * Refuses a transaction if another payment pays the same and both could be mined.
   *
   * @param tx signed or not
   * @return the transaction
   * @throws PaymentRefusedException of reason PaidAlready
   */
  public Tx requireOnce(Tx tx) {
    Optional<EarlierPayment> earlier = earlier(tx);
    if (earlier.isPresent()) {
      throw PaymentRefusedException.because(new Refusal.PaidAlready(earlier.get()));
    }
    return tx;
  }

  private Proposal planned(PaymentOrder order, Draws draws) {
    List<InputCoin> coins = purse.coins();
    List<ChangeScript> change = purse.change(order.changeType());
    if (change.isEmpty()) {
      throw PaymentRefusedException.because(Plain.NO_CHANGE_TYPE);
    }
    requireKnown(order.named(), coins);
    SpendOutcome outcome = outcome(order.from(coins, change, purse.pending()), draws);
    if (!order.allowsOthers() && outcome instanceof SpendOutcome.Refused refused) {
      throw PaymentRefusedException.because(noPlan(refused, named(order.named(), coins)));
    }
    Proposal proposal = proposal(outcome, Optional.empty(), coins);
    Optional<PaymentPlan> better = better(order, proposal.plan(), coins, draws);
    return better.isPresent() ? proposal(better.get(), Optional.empty()) : proposal;
  }

  /**
   * At a low fee rate the search prefers more coins, as Core's does: they need not be spent later.
   * Links last forever, so coins that link nothing new win unless they cost more now.
   */
  private Optional<PaymentPlan> better(
      PaymentOrder order, PaymentPlan plan, List<InputCoin> coins, Draws draws) {
    boolean oneScript =
        plan.inputs().stream().map(input -> input.coin().script()).distinct().count() == 1;
    if (!hasAChoice(order) || oneScript) {
      return Optional.empty();
    }
    return new Tracing(purse.view())
        .better(
            plan, coins, Tracing.least(order.recipients()), group -> planWith(order, group, draws));
  }

  /**
   * Finds out what a proposal reveals on the chain.
   *
   * @param proposal of this wallet
   * @param draws random draws with a secret seed
   * @return the trace, without what peers can make of it
   */
  public PaymentTrace trace(Proposal proposal, Draws draws) {
    List<InputCoin> coins = purse.coins();
    Tracing tracing = new Tracing(purse.view());
    Optional<PaymentOrder> order = proposal.order().filter(Planning::hasAChoice);
    long least = order.map(each -> Tracing.least(each.recipients())).orElse(0L);
    return tracing.trace(
        proposal.plan(),
        coins,
        least,
        group -> order.flatMap(each -> planWith(each, group, draws)));
  }

  private static boolean hasAChoice(PaymentOrder order) {
    return order.named().isEmpty()
        && order.recipients().stream()
            .noneMatch(recipient -> recipient.share() == Recipient.Share.ALL);
  }

  private Optional<PaymentPlan> planWith(PaymentOrder order, List<InputCoin> coins, Draws draws) {
    PaymentOrder with = order.from(coins, purse.change(order.changeType()), purse.pending());
    return outcome(with, draws) instanceof SpendOutcome.Planned planned
        ? Optional.of(planned.plan())
        : Optional.empty();
  }

  private static void requireKnown(Set<OutPoint> named, List<InputCoin> coins) {
    if (named(named, coins).size() < named.size()) {
      throw PaymentRefusedException.because(Plain.UNKNOWN_COIN);
    }
  }

  /**
   * Plans to raise the fee of a pending transaction: a payment of the wallet is replaced, an output
   * of a payment to the wallet is spent with a fee for both.
   *
   * @param txid which
   * @param fees the new rate and its limits
   * @param evenIfIncomplete whether to plan it although the wallet is not complete
   * @param draws random draws with a secret seed
   * @return the proposal
   * @throws PaymentRefusedException if it cannot be made
   */
  public Proposal bump(Hash256 txid, FeePolicy fees, boolean evenIfIncomplete, Draws draws) {
    return ifComplete(evenIfIncomplete, () -> bump(txid, fees, draws));
  }

  private Proposal bump(Hash256 txid, FeePolicy fees, Draws draws) {
    requirePending(txid);
    List<InputCoin> coins = purse.coins();
    if (purse.isOurs(txid)) {
      requireWithoutDependents(txid);
      return faster(original(txid), coins, fees, draws);
    }
    List<InputCoin> received =
        coins.stream()
            .filter(coin -> coin.outPoint().txid().equals(txid) && purse.isHeard(txid))
            .collect(Collectors.toList());
    if (received.isEmpty()) {
      throw PaymentRefusedException.because(new Refusal.NothingToSpend(purse.dependents(txid)));
    }
    PaymentOrder order =
        Replacements.child(received, purse.change(Optional.empty()).get(0), fees, purse.pending());
    Proposal child = proposal(outcome(order, draws), Optional.empty(), coins);
    return purse.isFeeKnown(txid)
        ? child
        : child.noting(new PaymentWarning.ParentFeeUnknown(fees.rate()));
  }

  /** A payee gets no less. Only if no other coin can pay the fee, a single output shrinks. */
  private Proposal faster(
      SentPayment original, List<InputCoin> coins, FeePolicy fees, Draws draws) {
    Optional<Hash256> replaces = Optional.of(original.txid());
    SpendOutcome outcome = outcome(bump(original, coins, fees), draws);
    boolean single = original.paid().size() == 1 && !original.change().isPresent();
    if (single && outcome instanceof SpendOutcome.InsufficientFunds) {
      outcome = outcome(bump(original.shrinking(), coins, fees), draws);
      Proposal less = proposal(outcome, replaces, coins);
      long before = original.paid().get(0).value();
      return less.noting(new PaymentWarning.PayeeGetsLess(before, less.paid()));
    }
    return proposal(outcome, replaces, coins);
  }

  private PaymentOrder bump(SentPayment original, List<InputCoin> coins, FeePolicy fees) {
    return Replacements.bump(
        original, coins, purse.change(Optional.empty()), fees, purse.pending());
  }

  /**
   * Plans to take a pending payment back: a replacement returns its coins to the wallet.
   *
   * @param txid which
   * @param fees the rate and its limits
   * @param evenIfIncomplete whether to plan it although the wallet is not complete
   * @param draws random draws with a secret seed
   * @return the proposal
   * @throws PaymentRefusedException if it cannot be made
   */
  public Proposal cancel(Hash256 txid, FeePolicy fees, boolean evenIfIncomplete, Draws draws) {
    return ifComplete(evenIfIncomplete, () -> cancel(txid, fees, draws));
  }

  private Proposal cancel(Hash256 txid, FeePolicy fees, Draws draws) {
    requirePending(txid);
    if (!purse.isOurs(txid)) {
      throw PaymentRefusedException.because(Plain.NOT_OURS);
    }
    requireWithoutDependents(txid);
    SentPayment original = original(txid);
    PaymentOrder order =
        Replacements.cancel(original, purse.change(Optional.empty()), fees, purse.pending());
    return proposal(outcome(order, draws), Optional.of(txid), original.inputs());
  }

  private void requirePending(Hash256 txid) {
    if (purse.isPending(txid)) {
      return;
    }
    Fact fact = fact(txid);
    if (fact.confirmation() != null) {
      throw PaymentRefusedException.because(Plain.CONFIRMED);
    }
    Replacement replacement = purse.view().ledger().replacement(txid);
    throw replacement == null
        ? PaymentRefusedException.because(Plain.NOT_PENDING)
        : PaymentRefusedException.because(
            new Refusal.Replaced(replacement.txid(), replacement.height()));
  }

  /** Core's wallet refuses, too: what builds on the transaction would be gone with it. */
  private void requireWithoutDependents(Hash256 txid) {
    List<Hash256> dependents = purse.dependents(txid);
    if (!dependents.isEmpty()) {
      throw PaymentRefusedException.because(new Refusal.HasDependents(dependents));
    }
  }

  /** Whether a transaction says that it may be replaced (BIP-0125). */
  private boolean signals(Hash256 txid) {
    return fact(txid).tx().inputs().stream()
        .anyMatch(input -> Integer.toUnsignedLong(input.sequence()) <= MAX_REPLACEABLE);
  }

  private Fact fact(Hash256 txid) {
    Fact fact = purse.view().ledger().fact(txid);
    if (fact == null) {
      throw PaymentRefusedException.because(Plain.NOT_PENDING);
    }
    return fact;
  }

  /** The last own output at a change address is the change; others are recipients. */
  private SentPayment original(Hash256 txid) {
    Tx tx = fact(txid).tx();
    List<InputCoin> inputs = new ArrayList<>();
    for (Effect.Part part : purse.view().ledger().effect(txid).spent()) {
      purse.spent(part).ifPresent(inputs::add);
    }
    if (inputs.size() < tx.inputs().size()) {
      throw PaymentRefusedException.because(Plain.NOT_OURS);
    }
    int changeAt = changeAt(tx);
    List<Tx.Output> paid = new ArrayList<>();
    Optional<ChangeScript> change = Optional.empty();
    for (int i = 0; i < tx.outputs().size(); i++) {
      Tx.Output output = tx.outputs().get(i);
      if (i == changeAt) {
        change = purse.place(output.script()).map(place -> purse.asChange(output.script(), place));
      } else {
        paid.add(output);
      }
    }
    SentPayment sent = new SentPayment(txid, inputs, paid, change, false);
    boolean toSelf =
        tx.outputs().size() == 1 && purse.place(tx.outputs().get(0).script()).isPresent();
    return toSelf ? sent.shrinking() : sent;
  }

  private int changeAt(Tx tx) {
    for (int i = tx.outputs().size() - 1; i >= 0 && tx.outputs().size() > 1; i--) {
      Optional<Place> place = purse.place(tx.outputs().get(i).script());
      if (place.isPresent() && purse.isChange(place.get())) {
        return i;
      }
    }
    return -1;
  }

  private SpendOutcome outcome(PaymentOrder order, Draws draws) {
    return PaymentPlanner.plan(order.tip(height, tipAge), draws);
  }

  private Proposal proposal(
      SpendOutcome outcome, Optional<Hash256> replaces, List<InputCoin> coins) {
    if (outcome instanceof SpendOutcome.Planned planned) {
      return proposal(planned.plan(), replaces);
    }
    Refusal.NoPlan none = noPlan((SpendOutcome.Refused) outcome, coins);
    long waiting = Math.max(0, purse.total() - none.spendable());
    throw PaymentRefusedException.because(
        new Refusal.NoPlan(none.why(), none.spendable(), waiting, none.frozen(), false));
  }

  private static List<InputCoin> named(Set<OutPoint> only, List<InputCoin> coins) {
    return coins.stream()
        .filter(coin -> only.contains(coin.outPoint()))
        .collect(Collectors.toList());
  }

  /** Other coins than these do not count. */
  private static Refusal.NoPlan noPlan(SpendOutcome.Refused why, List<InputCoin> coins) {
    long all = coins.stream().mapToLong(InputCoin::value).sum();
    long spendable =
        coins.stream()
            .filter(coin -> !coin.obstacle().isPresent())
            .mapToLong(InputCoin::value)
            .sum();
    long frozen = coins.stream().filter(InputCoin::frozen).mapToLong(InputCoin::value).sum();
    return new Refusal.NoPlan(why, spendable, all - spendable, frozen, true);
  }

  private Proposal proposal(PaymentPlan plan, Optional<Hash256> replaces) {
    List<PaymentWarning> noted = new ArrayList<>(purse.beyondGap(plan));
    replaces
        .filter(txid -> !signals(txid))
        .map(PaymentWarning.NotSignalled::new)
        .ifPresent(noted::add);
    return new Proposal(
        plan,
        purse.view().chain(),
        replaces,
        purse.pendingPayments(),
        noted,
        network,
        replaces.isPresent() && !purse.isMadeHere(replaces.get()));
  }

  /**
   * Checks that the books still allow a proposal: its coins are there and not frozen, its change
   * address is unused, no other payment was made since, and none pays the same. A replacement may
   * spend what the replaced payment spends and use its change address.
   *
   * @param proposal planned earlier, perhaps by another process
   * @throws PaymentRefusedException if it must be planned again, or an earlier payment pays the
   *     same
   */
  public void check(Proposal proposal) {
    Optional<EarlierPayment> earlier =
        proposal.order().flatMap(order -> earlier(order, proposal.coins()));
    if (earlier.isPresent()) {
      throw PaymentRefusedException.because(new Refusal.PaidAlready(earlier.get()));
    }
    Set<OutPoint> there = new HashSet<>();
    purse.coins().stream()
        .filter(coin -> !coin.frozen())
        .forEach(coin -> there.add(coin.outPoint()));
    Set<OutPoint> freed = new HashSet<>();
    if (proposal.replaces().isPresent()) {
      requirePending(proposal.replaces().get());
      fact(proposal.replaces().get()).tx().inputs().forEach(input -> freed.add(input.outPoint()));
    }
    there.addAll(freed);
    boolean changeUsed =
        proposal.plan().outputs().stream()
            .anyMatch(output -> output.isChange() && purse.isUsed(output.script()));
    if (!there.containsAll(proposal.coins())
        || (changeUsed && !proposal.replaces().isPresent())
        || !proposal.pending().containsAll(purse.pendingPayments())) {
      throw PaymentRefusedException.because(Plain.OUTDATED);
    }
  }

  /**
   * A payment pays the wallet itself, and those whom the user named: in the order, or in the
   * payment of this wallet that it replaces. Every signature of a proposal passes here.
   */
  private void requireNamedPayees(Proposal proposal) {
    Set<Bytes> named = new HashSet<>();
    proposal
        .order()
        .ifPresent(order -> order.recipients().forEach(payee -> named.add(payee.script())));
    Optional<Hash256> replaced = proposal.replaces();
    if (replaced.isPresent() && (proposal.accepted() || purse.isMadeHere(replaced.get()))) {
      fact(replaced.get()).tx().outputs().forEach(output -> named.add(output.script()));
    }
    List<String> others = new ArrayList<>();
    for (Tx.Output output : proposal.unsigned().outputs()) {
      if (!named.contains(output.script()) && !purse.place(output.script()).isPresent()) {
        others.add(Address.of(output.script(), network).orElseGet(() -> output.script().toHex()));
      }
    }
    if (!others.isEmpty()) {
      throw PaymentRefusedException.because(new Refusal.PayeeNotNamed(others));
    }
  }

  /**
   * Signs a proposal.
   *
   * @param proposal checked
   * @param keys of the wallet
   * @return the transaction; each signature is verified
   * @throws PaymentRefusedException if it pays somebody whom the user did not name
   * @throws IllegalStateException if the keys do not give the scripts of the coins
   */
  public Tx sign(Proposal proposal, PrivateKeys keys) {
    requireNamedPayees(proposal);
    List<SpentOutput> spent = new ArrayList<>();
    for (PaymentPlan.Input input : proposal.plan().inputs()) {
      spent.add(
          purse
              .output(input.coin())
              .orElseThrow(() -> new IllegalStateException("a coin without a key path")));
    }
    try {
      return Signer.sign(proposal.unsigned(), spent, keys, proposal.plan().weight());
    } catch (SigningException e) {
      if (e.reason() == SigningException.Reason.HEAVIER_THAN_ESTIMATED) {
        throw PaymentRefusedException.because(Plain.TOO_HEAVY);
      }
      throw new IllegalStateException("a proposal that cannot be signed", e);
    }
  }
}
