package org.murmur.wallet.pay;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.spend.InputCoin;
import org.murmur.coins.spend.PaymentOrder;
import org.murmur.coins.spend.PaymentPlan;
import org.murmur.wallet.overview.ChainState;

/**
 * A payment that can be looked at before it is signed. Immutable: it reserves nothing. As soon as
 * another payment of the wallet is signed, it is outdated and must be planned again: otherwise two
 * processes that were asked for one payment could make it twice.
 */
public final class Proposal {

  private final PaymentPlan plan;
  private final ChainState chain;
  private final Tx unsigned;
  private final Optional<Hash256> replaces;
  private final Set<Hash256> pending;
  private final KeyNetwork network;
  private final boolean elsewhere;

  // Written by constructors, and by with() in its new copy only.
  private Optional<PaymentOrder> order = Optional.empty();
  private Optional<EarlierPayment> earlier = Optional.empty();
  private List<PaymentWarning> noted;
  private boolean accepted;

  /** Made of a plan, and of what the wallet knew when it was planned. */
  Proposal(
      PaymentPlan plan,
      ChainState chain,
      Optional<Hash256> replaces,
      Set<Hash256> pending,
      List<PaymentWarning> noted,
      KeyNetwork network,
      boolean elsewhere) {
    this.plan = plan;
    this.chain = chain;
    this.unsigned = Tx.parse(plan.unsigned());
    this.replaces = replaces;
    this.pending = pending;
    this.noted = noted;
    this.network = network;
    this.elsewhere = elsewhere;
  }

  private Proposal with(Consumer<Proposal> change) {
    Proposal changed = new Proposal(plan, chain, replaces, pending, noted, network, elsewhere);
    changed.order = order;
    changed.earlier = earlier;
    changed.accepted = accepted;
    change.accept(changed);
    return changed;
  }

  Proposal noting(PaymentWarning warning) {
    List<PaymentWarning> all = new ArrayList<>(noted);
    all.add(warning);
    return with(changed -> changed.noted = all);
  }

  Proposal ordered(PaymentOrder by, Optional<EarlierPayment> same) {
    return with(
        changed -> {
          changed.order = Optional.of(by);
          changed.earlier = same;
        });
  }

  /**
   * Takes the payees of a payment that another copy of the wallet's keys made as the user's own.
   * Show them first: {@link #elsewhere} says when that is needed.
   *
   * @return a proposal that may be signed
   */
  public Proposal acceptingPayees() {
    return with(changed -> changed.accepted = true);
  }

  /** {@return the inputs, outputs, fee and lock time} */
  public PaymentPlan plan() {
    return plan;
  }

  /** {@return what the wallet knew of the chain when it was planned} */
  public ChainState chain() {
    return chain;
  }

  /** {@return the transaction, with empty input scripts and without witness data} */
  public Tx unsigned() {
    return unsigned;
  }

  /** {@return the pending payment of the wallet that it replaces; empty if it replaces none} */
  public Optional<Hash256> replaces() {
    return replaces;
  }

  /** {@return the order; empty for a replacement, and for a child that pays for both} */
  public Optional<PaymentOrder> order() {
    return order;
  }

  /**
   * {@return a payment that pays the same: no second one is signed, unless it was ordered
   * {@linkplain PaymentOrder#again again}}
   */
  public Optional<EarlierPayment> earlier() {
    return earlier;
  }

  /**
   * {@return whether another copy of the wallet's keys made the payment that it replaces: the user
   * of this wallet may not have named its payees}
   */
  public boolean elsewhere() {
    return elsewhere;
  }

  /** Whether the user has seen those payees, and wants to pay them. */
  boolean accepted() {
    return accepted;
  }

  /** The payments of the wallet that waited for a block when it was planned. */
  Set<Hash256> pending() {
    return pending;
  }

  /** {@return what leaves the wallet or moves within it, without fee and change; satoshi} */
  public long paid() {
    return plan.paid();
  }

  /** {@return what it costs, satoshi} */
  public long fee() {
    return plan.fee();
  }

  /**
   * {@return what is unusual about it: show it before the payment is signed; empty if nothing is}
   */
  public List<PaymentWarning> warnings() {
    List<PaymentWarning> warnings = new ArrayList<>();
    if (!chain.complete()) {
      warnings.add(new PaymentWarning.NotComplete(chain));
    }
    warnings.addAll(noted);
    warnings.addAll(PaymentWarnings.of(plan, replaces.isPresent(), earlier, network));
    replaces
        .filter(txid -> elsewhere)
        .map(PaymentWarning.MadeElsewhere::new)
        .ifPresent(warnings::add);
    return warnings;
  }

  /** {@return the coins that it spends, in the order of the inputs} */
  public List<OutPoint> coins() {
    return plan.inputs().stream()
        .map(input -> input.coin().outPoint())
        .collect(Collectors.toList());
  }

  /**
   * Returns the addresses of the wallet that the payment links: whoever sees it assumes that they
   * have one owner. {@link PaymentTrace#newLinks} says which of these links are new.
   *
   * @return those of the inputs in their order, each once; empty if it is only one
   */
  public List<String> linkedAddresses() {
    List<String> addresses =
        plan.inputs().stream()
            .map(input -> address(input.coin()))
            .distinct()
            .collect(Collectors.toList());
    return addresses.size() > 1 ? addresses : List.of();
  }

  private String address(InputCoin coin) {
    return Address.of(coin.script(), network).orElseGet(() -> coin.script().toHex());
  }

  /**
   * Returns the address of an output.
   *
   * @param output of the plan
   * @return the address; empty for data and scripts without one
   */
  public Optional<String> address(PaymentPlan.Output output) {
    return Address.of(output.script(), network);
  }
}
