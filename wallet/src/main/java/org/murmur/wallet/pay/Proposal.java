package org.murmur.wallet.pay;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.spend.InputCoin;
import org.murmur.coins.spend.PaymentPlan;
import org.murmur.wallet.overview.ChainState;

/**
 * A payment that can be looked at before it is signed. A value: it reserves nothing. As soon as
 * another payment of the wallet is signed, it is outdated and must be planned again: otherwise two
 * processes that were asked for one payment could make it twice.
 *
 * @param plan inputs, outputs, fee and lock time
 * @param chain what the wallet knew when it was planned
 * @param unsigned the transaction, with empty input scripts and without witness data
 * @param replaces the pending payment of the wallet that it replaces; empty if it replaces none
 * @param pending the payments of the wallet that waited for a block when it was planned
 * @param order what the user wants; empty for a replacement, and for a child that pays for both
 * @param earlier a payment that pays the same: {@link Planning} signs no second one, unless it was
 *     ordered {@linkplain PaymentOrder#again again}
 * @param noted what is unusual and cannot be seen in the plan
 * @param network whose addresses are shown
 * @param elsewhere whether another copy of the wallet's keys made the payment that it replaces: the
 *     user of this wallet may not have named its payees
 * @param accepted whether the user has seen those payees, and wants to pay them
 */
public record Proposal(
    PaymentPlan plan,
    ChainState chain,
    Tx unsigned,
    Optional<Hash256> replaces,
    Set<Hash256> pending,
    Optional<PaymentOrder> order,
    Optional<EarlierPayment> earlier,
    List<PaymentWarning> noted,
    KeyNetwork network,
    boolean elsewhere,
    boolean accepted) {

  /** Copies the set and the list. */
  public Proposal {
    pending = Set.copyOf(pending);
    noted = List.copyOf(noted);
  }

  Proposal noting(PaymentWarning warning) {
    List<PaymentWarning> all = new ArrayList<>(noted);
    all.add(warning);
    return new Proposal(
        plan, chain, unsigned, replaces, pending, order, earlier, all, network, elsewhere,
        accepted);
  }

  Proposal ordered(PaymentOrder by, Optional<EarlierPayment> same) {
    return new Proposal(
        plan,
        chain,
        unsigned,
        replaces,
        pending,
        Optional.of(by),
        same,
        noted,
        network,
        false,
        false);
  }

  /**
   * Takes the payees of a payment that another copy of the wallet's keys made as the user's own.
   * Show them first: {@link #elsewhere} says when that is needed.
   *
   * @return a proposal that may be signed
   */
  public Proposal acceptingPayees() {
    return new Proposal(
        plan, chain, unsigned, replaces, pending, order, earlier, noted, network, elsewhere, true);
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
