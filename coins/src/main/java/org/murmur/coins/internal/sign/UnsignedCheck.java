package org.murmur.coins.internal.sign;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.sign.SignOutcome.Reason;
import org.murmur.coins.internal.sign.SignOutcome.Refused;

/** Checks a transaction to sign, as far as possible without keys. */
final class UnsignedCheck {

  private UnsignedCheck() {}

  /** The first fault; empty if there is none. */
  static Optional<Refused> fault(Tx unsigned, List<SpentOutput> spent) {
    if (unsigned.inputs().size() != spent.size()) {
      return Optional.of(Refused.because(Reason.INPUTS_DO_NOT_MATCH));
    }
    Optional<Refused> fault = inputFault(unsigned);
    return fault.isPresent() ? fault : valueFault(unsigned, spent);
  }

  private static Optional<Refused> inputFault(Tx unsigned) {
    if (unsigned.hasWitness()) {
      return Optional.of(Refused.because(Reason.ALREADY_SIGNED));
    }
    Set<OutPoint> seen = new HashSet<>();
    for (int i = 0; i < unsigned.inputs().size(); i++) {
      Tx.Input input = unsigned.inputs().get(i);
      if (!input.scriptSig().isEmpty()) {
        return Optional.of(Refused.because(Reason.ALREADY_SIGNED, i));
      }
      if (!seen.add(input.outPoint())) {
        return Optional.of(Refused.because(Reason.SPENT_TWICE, i));
      }
    }
    return Optional.empty();
  }

  private static Optional<Refused> valueFault(Tx unsigned, List<SpentOutput> spent) {
    if (!unsigned.hasValuesInRange()) {
      return Optional.of(Refused.because(Reason.VALUE_OUT_OF_RANGE));
    }
    long fee = 0;
    for (int i = 0; i < spent.size(); i++) {
      long value = spent.get(i).value();
      if (value < 0 || value > Tx.MAX_MONEY) {
        return Optional.of(Refused.because(Reason.VALUE_OUT_OF_RANGE, i));
      }
      fee += value;
    }
    fee -= unsigned.outputs().stream().mapToLong(Tx.Output::value).sum();
    return fee < 0
        ? Optional.of(new Refused(Reason.OUTPUTS_EXCEED_INPUTS, -1, -fee))
        : Optional.empty();
  }
}
