package org.murmur.coins.psbt;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.crypto.Secp256k1;
import org.murmur.coins.internal.script.Scripts;
import org.murmur.coins.psbt.PsbtException.Reason;

/**
 * A PSBT's data about the outputs it spends, compared as far as that is possible without a chain.
 * Only the previous transaction proves a value: it has the txid that the input names. A {@code
 * witness_utxo} alone is a claim, to which the signature commits.
 */
final class PsbtFacts {

  private final UnsignedTx tx;
  private final List<Optional<Tx.Output>> spent;
  private final OptionalLong fee;

  private PsbtFacts(UnsignedTx tx, List<Optional<Tx.Output>> spent) {
    this.tx = tx;
    this.spent = List.copyOf(spent);
    this.fee = computeFee();
  }

  /** Checks a PSBT. Throws {@link PsbtException} if it contradicts itself: see {@link Reason}. */
  public static PsbtFacts of(Psbt psbt) {
    UnsignedTx tx = psbt.unsignedTx();
    Set<OutPoint> seen = new HashSet<>();
    List<Optional<Tx.Output>> spent = new ArrayList<>();
    for (int i = 0; i < tx.inputs().size(); i++) {
      OutPoint outPoint = tx.inputs().get(i).outPoint();
      if (!seen.add(outPoint)) {
        throw new PsbtException(Reason.SPENT_TWICE, i);
      }
      spent.add(checked(psbt.maps().inputs().get(i), outPoint, i));
    }
    return new PsbtFacts(tx, spent);
  }

  private static Optional<Tx.Output> checked(FieldMap input, OutPoint outPoint, int index) {
    Optional<Tx.Output> proven = proven(input, outPoint, index);
    Optional<Tx.Output> claimed = input.get(Field.WITNESS_UTXO).map(Shape::readOutput);
    if (proven.isPresent() && claimed.isPresent() && !proven.equals(claimed)) {
      throw new PsbtException(Reason.UTXO_CONTRADICTION, index);
    }
    Optional<Tx.Output> output = proven.isPresent() ? proven : claimed;
    if (output.isPresent()) {
      requireInRange(output.get().value(), index);
      SpentScript script = SpentScript.of(output.get().script(), input, index);
      if (!proven.isPresent() && script.isLegacy() && !isFinal(input)) {
        throw new PsbtException(Reason.PREVIOUS_TRANSACTION_MISSING, index);
      }
      requireInternalKey(output.get().script(), input, index);
    }
    return output;
  }

  /** The output of the previous transaction, whose txid the input names. */
  private static Optional<Tx.Output> proven(FieldMap input, OutPoint outPoint, int index) {
    Optional<Tx> previous = input.get(Field.NON_WITNESS_UTXO).map(Tx::parse);
    if (!previous.isPresent()) {
      return Optional.empty();
    }
    if (!previous.get().txid().equals(outPoint.txid())) {
      throw new PsbtException(Reason.OTHER_TRANSACTION, index);
    }
    List<Tx.Output> outputs = previous.get().outputs();
    if (Integer.compareUnsigned(outPoint.index(), outputs.size()) >= 0) {
      throw new PsbtException(Reason.NO_SUCH_OUTPUT, index);
    }
    return Optional.of(outputs.get(outPoint.index()));
  }

  private static void requireInRange(long value, int index) {
    if (value < 0 || value > Tx.MAX_MONEY) {
      throw new PsbtException(Reason.VALUE_OUT_OF_RANGE, index);
    }
  }

  private static void requireInternalKey(Bytes script, FieldMap input, int index) {
    Optional<Bytes> internal = input.get(Field.TAP_INTERNAL_KEY);
    if (internal.isPresent() && Scripts.isTaproot(script)) {
      Bytes root = input.get(Field.TAP_MERKLE_ROOT).orElse(Bytes.EMPTY);
      if (!outputKey(internal.get(), root).map(Scripts::taproot).equals(Optional.of(script))) {
        throw new PsbtException(Reason.OTHER_INTERNAL_KEY, index);
      }
    }
  }

  /** The tweaked key (BIP-0341); empty if the internal one is not on the curve. */
  private static Optional<Bytes> outputKey(Bytes internal, Bytes root) {
    try {
      return Optional.of(Bytes.wrap(Secp256k1.encodeX(Secp256k1.tapOutput(internal, root))));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private OptionalLong computeFee() {
    long out = sum(tx.outputs());
    List<Tx.Output> known = new ArrayList<>();
    spent.forEach(output -> output.ifPresent(known::add));
    long in = sum(known);
    if (known.size() < spent.size() || spent.isEmpty()) {
      return OptionalLong.empty();
    }
    if (in < out) {
      throw new PsbtException(Reason.NEGATIVE_FEE);
    }
    return OptionalLong.of(in - out);
  }

  private static long sum(List<Tx.Output> outputs) {
    long sum = 0;
    for (Tx.Output output : outputs) {
      long value = output.value();
      if (value < 0 || value > Tx.MAX_MONEY || (sum += value) > Tx.MAX_MONEY) {
        throw new PsbtException(Reason.VALUE_OUT_OF_RANGE);
      }
    }
    return sum;
  }

  static boolean isFinal(FieldMap input) {
    return input.has(Field.FINAL_SCRIPT) || input.has(Field.FINAL_WITNESS);
  }

  /** Returns the transaction, without signatures. */
  public UnsignedTx tx() {
    return tx;
  }

  /** Returns what the inputs spend, in order; empty where the PSBT does not say. */
  public List<Optional<Tx.Output>> spent() {
    return spent;
  }

  /** Returns the fee in satoshi, not negative; empty unless all spent outputs are known. */
  public OptionalLong fee() {
    return fee;
  }
}
