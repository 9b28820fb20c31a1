package org.murmur.wallet.pay;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.murmur.coins.internal.script.OutputKind;
import org.murmur.coins.spend.PaymentPlan;
import org.murmur.coins.spend.PaymentPlan.Output;

/** By what an observer of a payment can tell which output is the change. */
public enum ChangeHint {
  /** The change has a script type that no recipient has. */
  OTHER_TYPE,

  /** A recipient gets a round amount, and the change is not round. */
  ROUND_AMOUNT,

  /** The inputs have several script types, so the change is likely of one wallet with several. */
  MIXED_INPUTS,

  /**
   * The change is smaller than each of several inputs, and no recipient gets so little: with the
   * change as the payment, one input would not have been needed.
   */
  SMALLER_THAN_INPUTS;

  /** Amounts that are multiples of this look chosen by a person: 0.0001 BTC. */
  private static final long ROUND = 10_000;

  /** Finds them: none without change, and for a payment to oneself alone. */
  static Set<ChangeHint> of(PaymentPlan plan) {
    Set<ChangeHint> hints = EnumSet.noneOf(ChangeHint.class);
    List<Output> paid =
        plan.outputs().stream()
            .filter(output -> !output.isChange())
            .filter(output -> OutputKind.of(output.script()) != OutputKind.OP_RETURN)
            .collect(Collectors.toList());
    if (!plan.change().isPresent() || paid.isEmpty()) {
      return hints;
    }
    Output change = plan.outputs().get(plan.change().getAsInt());
    OutputKind kind = OutputKind.of(change.script());
    if (paid.stream().noneMatch(output -> OutputKind.of(output.script()) == kind)) {
      hints.add(OTHER_TYPE);
    }
    if (change.value() % ROUND != 0
        && paid.stream().anyMatch(output -> output.value() % ROUND == 0)) {
      hints.add(ROUND_AMOUNT);
    }
    if (plan.inputs().stream().map(input -> OutputKind.of(input.coin().script())).distinct().count()
        > 1) {
      hints.add(MIXED_INPUTS);
    }
    long least = plan.inputs().stream().mapToLong(input -> input.coin().value()).min().orElse(0);
    if (plan.inputs().size() > 1
        && change.value() < least
        && paid.stream().allMatch(output -> output.value() >= least)) {
      hints.add(SMALLER_THAN_INPUTS);
    }
    return hints;
  }
}
