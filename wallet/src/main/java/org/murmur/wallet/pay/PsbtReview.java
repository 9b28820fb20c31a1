package org.murmur.wallet.pay;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.PrivateKeys;
import org.murmur.coins.psbt.OwnKeys;
import org.murmur.coins.psbt.Psbt;
import org.murmur.coins.psbt.PsbtException;
import org.murmur.coins.psbt.PsbtSigner;
import org.murmur.coins.psbt.PsbtSummary;
import org.murmur.coins.psbt.PsbtUpdater;
import org.murmur.coins.spend.SpendOutcome;
import org.murmur.coins.spend.fee.FeeRate;

/**
 * A PSBT as the wallet sees it, before it is signed. The wallet has filled in what it knows of the
 * spent outputs. All doors to a signature ask {@link #refusal}: what a plan would refuse, and what
 * cannot be known.
 *
 * @param psbt the PSBT, with what the wallet knows
 * @param summary what it pays, and what is missing
 * @param fault why no signature can be made, whatever the user allows
 * @param reserved coins that it spends although they are frozen, or another payment spends them
 * @param earlier a payment that pays the same, if both could be mined
 * @param network whose addresses are shown
 */
public record PsbtReview(
    Psbt psbt,
    PsbtSummary summary,
    Optional<PsbtException> fault,
    List<ReservedCoin> reserved,
    Optional<EarlierPayment> earlier,
    KeyNetwork network) {

  /** Copies the list. */
  public PsbtReview {
    reserved = List.copyOf(reserved);
  }

  /**
   * Reviews a PSBT.
   *
   * @param psbt from anywhere
   * @param own the wallet's scripts
   * @param transactions the wallet's transactions by txid
   * @param network the wallet's
   * @return the review, without what the wallet's other payments say
   * @throws PsbtException if the PSBT contradicts itself or the wallet, or has a wrong signature
   */
  public static PsbtReview of(
      Psbt psbt, OwnKeys own, Function<Hash256, Optional<Tx>> transactions, KeyNetwork network) {
    Psbt updated = PsbtUpdater.update(psbt, own, transactions);
    return new PsbtReview(
        updated,
        PsbtSummary.of(updated, own),
        PsbtSigner.fault(updated, own),
        List.of(),
        Optional.empty(),
        network);
  }

  /**
   * Adds which coins it should not spend.
   *
   * @param coins that are frozen, or that another payment spends
   * @return a new review
   */
  public PsbtReview reserving(List<ReservedCoin> coins) {
    return new PsbtReview(psbt, summary, fault, coins, earlier, network);
  }

  /**
   * Adds what was paid already.
   *
   * @param same a payment that pays the same, if both could be mined
   * @return a new review
   */
  public PsbtReview beside(Optional<EarlierPayment> same) {
    return new PsbtReview(psbt, summary, fault, reserved, same, network);
  }

  /**
   * {@return whether it spends something of the wallet, as far as that is known; true if an input
   * is the wallet's}
   */
  public boolean isOurs() {
    return summary.inputs().stream().anyMatch(input -> input.own().isPresent());
  }

  /**
   * Signs the wallet's inputs, if the terms allow it.
   *
   * @param terms what the user allows
   * @param own the wallet's scripts
   * @param keys the private keys
   * @return with signatures; as it was if it has no input of the wallet
   * @throws PaymentRefusedException if there is a {@link #refusal}
   * @throws PsbtException as {@link PsbtSigner#sign} does
   */
  public PsbtSigner.Result sign(PsbtTerms terms, OwnKeys own, PrivateKeys keys) {
    require(terms);
    return PsbtSigner.sign(psbt, own, keys);
  }

  /**
   * Returns why the wallet does not sign it. Data that is left out never permits anything: a fee
   * that is not known is refused, after what is known of it was compared with the limit.
   *
   * @param terms what the user allows
   * @return the first reason; empty if it may be signed, or if nothing in it is to be signed
   */
  public Optional<Refusal> refusal(PsbtTerms terms) {
    return refusals(terms).stream().findFirst();
  }

  /**
   * Returns all reasons of {@link #refusal}: what a look at the PSBT should show.
   *
   * @param terms what the user allows
   * @return empty if it may be signed, or if nothing in it is to be signed
   */
  public List<Refusal> refusals(PsbtTerms terms) {
    List<Refusal> refusals = new ArrayList<>();
    if (isToBeSigned()) {
      fault.map(e -> new Refusal.Unsignable(e.reason(), e.input())).ifPresent(refusals::add);
      feeRefusal(terms).ifPresent(refusals::add);
      if (!terms.reserved() && !reserved.isEmpty()) {
        refusals.add(new Refusal.CoinReserved(reserved));
      }
      earlier.filter(same -> !terms.again()).map(Refusal.PaidAlready::new).ifPresent(refusals::add);
    }
    return refusals;
  }

  /**
   * Refuses what {@link #refusal} refuses.
   *
   * @param terms what the user allows
   * @throws PaymentRefusedException if there is a reason
   */
  public void require(PsbtTerms terms) {
    Optional<Refusal> refusal = refusal(terms);
    if (refusal.isPresent()) {
      throw PaymentRefusedException.because(refusal.get());
    }
  }

  private Optional<Refusal> feeRefusal(PsbtTerms terms) {
    long least = summary.leastFee();
    if (least > terms.maxFee().satoshi()) {
      return refused(new SpendOutcome.FeeAboveCeiling(least, terms.maxFee().satoshi()));
    }
    if (!summary.fee().isPresent()) {
      return Optional.of(new Refusal.FeeUnknown(summary.unknownInputs(), least));
    }
    return FeeRate.paid(least, summary.leastVsize()).compareTo(terms.maxRate()) > 0
        ? refused(new SpendOutcome.RateAboveCeiling(OptionalLong.of(least)))
        : Optional.empty();
  }

  private static Optional<Refusal> refused(SpendOutcome.Refused why) {
    return Optional.of(new Refusal.NoPlan(why, 0, 0, 0, true));
  }

  /**
   * {@return whether the wallet has something to sign; true if an input is the wallet's and not
   * final}
   */
  public boolean isToBeSigned() {
    return summary.inputs().stream()
        .anyMatch(input -> input.own().isPresent() && input.state() != PsbtSummary.State.FINAL);
  }

  /**
   * {@return what is unusual about it, as of a {@linkplain Proposal#warnings plan}; empty if
   * nothing is; without the fee if it is not known}
   */
  public List<PaymentWarning> warnings() {
    List<PaymentWarning> warnings =
        PaymentWarnings.ofPayees(
            summary.outputs().stream()
                .filter(output -> !output.own().isPresent())
                .map(output -> new Tx.Output(output.value(), output.script())),
            network);
    if (!summary.fee().isPresent()) {
      return warnings;
    }
    long fee = summary.fee().getAsLong();
    Optional<FeeRate> rate =
        summary.vsize().isPresent()
            ? Optional.of(FeeRate.paid(fee, summary.vsize().getAsLong()))
            : Optional.empty();
    warnings.addAll(PaymentWarnings.ofFee(fee, summary.paid(), rate));
    return warnings;
  }
}
