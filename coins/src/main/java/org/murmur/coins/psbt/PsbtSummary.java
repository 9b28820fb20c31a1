package org.murmur.coins.psbt;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.spend.fee.InputSize;
import org.murmur.coins.spend.fee.TxWeight;

/**
 * The facts that a person reads about a PSBT before signing it.
 *
 * @param tx the transaction, without signatures
 * @param inputs in order
 * @param outputs in order
 * @param fee satoshi; empty unless all spent outputs are known
 * @param vsize virtual bytes of the signed transaction: exact if it is complete, else the largest;
 *     empty if an input is unknown or its script is none that can be finalised
 */
public record PsbtSummary(
    UnsignedTx tx, List<Input> inputs, List<Output> outputs, OptionalLong fee, OptionalLong vsize) {

  /** The state of an input: complete, or what is missing. */
  public enum State {
    /** Its script and witness data are there. */
    FINAL,

    /** All signatures are there and valid: it can be finalised. */
    SIGNED,

    /** Signatures are missing, or scripts. */
    UNSIGNED,

    /** The output that it spends is not in the PSBT. */
    UNKNOWN
  }

  /**
   * An input.
   *
   * @param outPoint what it spends
   * @param spent the spent output, as the PSBT says; see {@link PsbtFacts}
   * @param own the wallet's key, if the spent output is the wallet's
   * @param state what it has
   */
  public record Input(
      OutPoint outPoint,
      Optional<Tx.Output> spent,
      Optional<Descriptor.PublicKey> own,
      State state) {}

  /**
   * An output.
   *
   * @param value in satoshi
   * @param script the scriptPubKey
   * @param own the wallet's key, if the output is the wallet's
   */
  public record Output(long value, Bytes script, Optional<Descriptor.PublicKey> own) {}

  /** Copies the lists. */
  public PsbtSummary {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  /**
   * Sums a PSBT up.
   *
   * @param psbt any version
   * @param own the wallet's scripts
   * @return what it says
   * @throws PsbtException if it lies, or has a wrong signature
   */
  public static PsbtSummary of(Psbt psbt, OwnKeys own) {
    PsbtFacts facts = PsbtFacts.of(psbt);
    UnsignedTx tx = facts.tx();
    Psbt finalised = tx.inputs().isEmpty() ? psbt : PsbtFinalizer.finalise(psbt);
    List<Input> inputs = new ArrayList<>();
    for (int i = 0; i < tx.inputs().size(); i++) {
      Optional<Tx.Output> spent = facts.spent().get(i);
      inputs.add(
          new Input(
              tx.inputs().get(i).outPoint(),
              spent,
              spent.flatMap(output -> own.find(output.script())),
              state(psbt.maps().inputs().get(i), finalised.maps().inputs().get(i), spent)));
    }
    List<Output> outputs = new ArrayList<>();
    tx.outputs().forEach(o -> outputs.add(new Output(o.value(), o.script(), own.find(o.script()))));
    OptionalLong vsize =
        isComplete(inputs)
            ? OptionalLong.of(PsbtFinalizer.extract(finalised).virtualSize())
            : estimate(psbt.maps(), facts);
    return new PsbtSummary(tx, inputs, outputs, facts.fee(), vsize);
  }

  private static State state(FieldMap before, FieldMap after, Optional<Tx.Output> spent) {
    if (PsbtFacts.isFinal(before)) {
      return State.FINAL;
    }
    if (PsbtFacts.isFinal(after)) {
      return State.SIGNED;
    }
    return spent.isPresent() ? State.UNSIGNED : State.UNKNOWN;
  }

  /** The largest size, as if another signer signed. */
  private static OptionalLong estimate(PsbtMaps maps, PsbtFacts facts) {
    List<InputSize> sizes = new ArrayList<>();
    for (int i = 0; i < facts.spent().size(); i++) {
      int index = i;
      facts
          .spent()
          .get(i)
          .flatMap(output -> LargestInput.of(output, maps.inputs().get(index), index))
          .ifPresent(sizes::add);
    }
    if (sizes.isEmpty() || sizes.size() < facts.spent().size()) {
      return OptionalLong.empty();
    }
    List<Bytes> scripts = new ArrayList<>();
    facts.tx().outputs().forEach(output -> scripts.add(output.script()));
    return OptionalLong.of((TxWeight.of(sizes, scripts) + 3) / 4);
  }

  /** {@return whether all signatures are there; true if a transaction can be made of it} */
  public boolean isComplete() {
    return isComplete(inputs);
  }

  /**
   * {@return what the fee is at least: outputs that are not known are worth nothing or more;
   * satoshi; the fee if it is known}
   */
  public long leastFee() {
    long known =
        inputs.stream().mapToLong(input -> input.spent().map(Tx.Output::value).orElse(0L)).sum();
    return Math.max(0, known - outputs.stream().mapToLong(Output::value).sum());
  }

  /**
   * {@return what the size is at least: scripts and signatures that are not known take no room;
   * virtual bytes; {@link #vsize} if it is known}
   */
  public long leastVsize() {
    return vsize.orElse(tx.serialise().length());
  }

  /** {@return what is spent and not known, in the order of the inputs} */
  public List<OutPoint> unknownInputs() {
    return inputs.stream()
        .filter(input -> !input.spent().isPresent())
        .map(Input::outPoint)
        .collect(Collectors.toList());
  }

  /**
   * {@return what is paid to others; of a payment within the wallet, all that it pays; satoshi,
   * without the fee}
   */
  public long paid() {
    boolean within = outputs.stream().allMatch(output -> output.own().isPresent());
    return outputs.stream()
        .filter(output -> within || !output.own().isPresent())
        .mapToLong(Output::value)
        .sum();
  }

  private static boolean isComplete(List<Input> inputs) {
    return !inputs.isEmpty()
        && inputs.stream()
            .allMatch(input -> input.state() == State.FINAL || input.state() == State.SIGNED);
  }
}
