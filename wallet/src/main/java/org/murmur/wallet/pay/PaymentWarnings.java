package org.murmur.wallet.pay;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.crypto.Secp256k1;
import org.murmur.coins.internal.script.OutputKind;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.spend.PaymentPlan;
import org.murmur.coins.spend.fee.FeeRate;

/** Finds what is unusual about a payment. */
final class PaymentWarnings {

  /** A smaller fee is no loss, whatever part of the amount it is. */
  private static final long MIN_SUSPECT_FEE = 5_000;

  /** The fee is suspect above the tenth part of the amount. */
  private static final long SUSPECT_PART = 10;

  /**
   * The least rate that Core relays by default since 28.3, 29.1 and 30.0
   * (DEFAULT_MIN_RELAY_TX_FEE).
   */
  private static final FeeRate MIN_RELAYED = FeeRate.satPerKvb(100);

  /** The least rate that Core relayed by default before. */
  private static final FeeRate MIN_RELAYED_BEFORE = FeeRate.satPerVb(1);

  /** Our choice. Core refuses only above 10,000 sat/vB (DEFAULT_MAX_RAW_TX_FEE_RATE). */
  private static final FeeRate MAX_USUAL = FeeRate.satPerVb(500);

  private PaymentWarnings() {}

  /** First the warnings that stop it, then the fee, then its rate. */
  static List<PaymentWarning> of(
      PaymentPlan plan, boolean replaces, Optional<EarlierPayment> earlier, KeyNetwork network) {
    List<PaymentWarning> warnings = new ArrayList<>();
    earlier.ifPresent(same -> warnings.add(new PaymentWarning.PaidAlready(same)));
    warnings.addAll(
        ofPayees(
            plan.outputs().stream()
                .filter(output -> !output.isChange())
                .map(output -> new Tx.Output(output.value(), output.script())),
            network));
    warnings.addAll(ofFee(plan.fee(), plan.paid(), Optional.of(plan.paidRate())));
    if (replaces && plan.ownFee() > plan.requested().feeOf(plan.vsize())) {
      warnings.add(new PaymentWarning.FeeAboveOrdered(plan.requested()));
    }
    return warnings;
  }

  /** Of the outputs that are not the wallet's own: whom they pay, and whether anybody can spend. */
  static List<PaymentWarning> ofPayees(Stream<Tx.Output> paid, KeyNetwork network) {
    Map<Bytes, List<Tx.Output>> payees =
        paid.filter(output -> OutputKind.of(output.script()) != OutputKind.OP_RETURN)
            .collect(
                Collectors.groupingBy(Tx.Output::script, LinkedHashMap::new, Collectors.toList()));
    List<PaymentWarning> warnings = new ArrayList<>();
    payees.forEach(
        (script, outputs) -> {
          String payee = Address.of(script, network).orElseGet(script::toHex);
          if (outputs.size() > 1) {
            long total = outputs.stream().mapToLong(Tx.Output::value).sum();
            warnings.add(new PaymentWarning.SamePayee(payee, outputs.size(), total));
          }
          OutputKind kind = OutputKind.of(script);
          int version = Address.witnessVersion(script);
          if (kind == OutputKind.P2TR && !Secp256k1.isX(script.slice(2, script.length()))) {
            warnings.add(new PaymentWarning.UnspendableKey(payee));
          } else if (kind == OutputKind.OTHER && version >= 0) {
            warnings.add(new PaymentWarning.UnknownWitness(payee, version));
          }
        });
    return warnings;
  }

  /** Of a fee, what is paid with it, and the fee rate if the size is known. */
  static List<PaymentWarning> ofFee(long fee, long amount, Optional<FeeRate> rate) {
    List<PaymentWarning> warnings = new ArrayList<>();
    if (fee > amount) {
      warnings.add(new PaymentWarning.FeeAboveAmount(fee, amount));
    } else if (fee > MIN_SUSPECT_FEE && fee > amount / SUSPECT_PART) {
      warnings.add(new PaymentWarning.FeeAboveTenth(fee, amount));
    }
    rate.flatMap(PaymentWarnings::ofRate).ifPresent(warnings::add);
    return warnings;
  }

  private static Optional<PaymentWarning> ofRate(FeeRate rate) {
    if (rate.compareTo(MIN_RELAYED) < 0) {
      return Optional.of(new PaymentWarning.FeeRateTooLow(rate, MIN_RELAYED));
    }
    if (rate.compareTo(MIN_RELAYED_BEFORE) < 0) {
      return Optional.of(new PaymentWarning.FeeRateLow(rate, MIN_RELAYED_BEFORE));
    }
    return rate.compareTo(MAX_USUAL) > 0
        ? Optional.of(new PaymentWarning.FeeRateHigh(rate))
        : Optional.empty();
  }
}
