package org.murmur.coins.internal.sign;

import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.script.Scripts;

/**
 * Checks whether an input of a signed transaction satisfies the script of the output it spends: key
 * hashes of all kinds, taproot by its key, and multisig behind a script hash. Other scripts are not
 * run. Signatures must commit to all inputs and outputs (SIGHASH_ALL, or DEFAULT of taproot).
 *
 * <p>Immutable; not for sharing between threads while it is used.
 */
public final class SpendCheck {

  private static final int COMPRESSED = 33;

  /** Begins the last item if that is an annex (BIP-0341). */
  private static final int ANNEX = 0x50;

  private final InputSignatures signatures;
  private final int index;
  private final Bytes scriptSig;
  private final List<Bytes> witness;

  private SpendCheck(InputSignatures signatures, int index, Bytes scriptSig, List<Bytes> witness) {
    this.signatures = signatures;
    this.index = index;
    this.scriptSig = scriptSig;
    this.witness = witness;
  }

  /** Why an input does not satisfy a script, or nobody here can say. */
  public enum Fault {
    /** The key or the script does not have the hash in the script. */
    OTHER_KEY,
    /** Items are missing or too many. */
    NOT_SATISFIED,
    /** A signature does not verify. */
    WRONG_SIGNATURE,
    /** A script that is not run here. */
    UNKNOWN_SCRIPT
  }

  /**
   * Returns the first fault of an input; empty if the script is satisfied. What each input spends
   * is in order, as far as it is known; the one of this input must be, and for taproot all.
   */
  public static Optional<Fault> fault(Tx signed, int index, List<Optional<Tx.Output>> spent) {
    Bytes script =
        spent
            .get(index)
            .orElseThrow(
                () -> new IllegalArgumentException("input " + index + ": unknown spent output"))
            .script();
    if (Scripts.isTaproot(script) && !spent.stream().allMatch(Optional::isPresent)) {
      return Optional.of(Fault.UNKNOWN_SCRIPT);
    }
    Optional<List<Bytes>> witness = witness(signed, index);
    if (!witness.isPresent()) {
      return Optional.of(Fault.NOT_SATISFIED);
    }
    Bytes scriptSig = signed.inputs().get(index).scriptSig();
    return new SpendCheck(new InputSignatures(signed, spent), index, scriptSig, witness.get())
        .fault(script);
  }

  /** The witness stack of an input; empty if the witness data cannot be read. */
  private static Optional<List<Bytes>> witness(Tx signed, int index) {
    if (!signed.hasWitness()) {
      return Optional.of(List.of());
    }
    ByteReader in = new ByteReader(signed.witness().unsafeArray());
    try {
      List<Bytes> items = List.of();
      for (int i = 0; i <= index; i++) {
        items = SignedInput.readWitness(in);
      }
      return Optional.of(items);
    } catch (MalformedException e) {
      return Optional.empty();
    }
  }

  private Optional<Fault> fault(Bytes script) {
    if (Scripts.isKeyHash(script) || Scripts.isScriptHash(script)) {
      Optional<List<Bytes>> pushes = Scripts.pushes(scriptSig);
      if (!pushes.isPresent()) {
        return Optional.of(Fault.NOT_SATISFIED);
      }
      return Scripts.isKeyHash(script)
          ? keyHash(script, pushes.get())
          : scriptHash(script, pushes.get());
    }
    return scriptSig.isEmpty() ? program(script) : Optional.of(Fault.NOT_SATISFIED);
  }

  private Optional<Fault> keyHash(Bytes script, List<Bytes> pushes) {
    return witness.isEmpty() ? keyHash(false, script, pushes) : Optional.of(Fault.NOT_SATISFIED);
  }

  private Optional<Fault> scriptHash(Bytes script, List<Bytes> pushes) {
    if (pushes.isEmpty()) {
      return Optional.of(Fault.NOT_SATISFIED);
    }
    int last = pushes.size() - 1;
    Bytes redeem = pushes.get(last);
    if (!Scripts.scriptHash(redeem).equals(script)) {
      return Optional.of(Fault.OTHER_KEY);
    }
    if (!Scripts.isWitness(redeem)) {
      return witness.isEmpty()
          ? multisig(false, redeem, pushes.subList(0, last))
          : Optional.of(Fault.NOT_SATISFIED);
    }
    if (last > 0) {
      return Optional.of(Fault.NOT_SATISFIED);
    }
    // Taproot behind a script hash has no rules (BIP-0341).
    return Scripts.isTaproot(redeem) ? Optional.of(Fault.UNKNOWN_SCRIPT) : program(redeem);
  }

  private Optional<Fault> program(Bytes program) {
    if (Scripts.isWitnessKeyHash(program)) {
      Bytes code = Scripts.keyHash(Scripts.pushed(program));
      return keyHash(true, code, witness);
    }
    if (Scripts.isWitnessScriptHash(program)) {
      return witnessScriptHash(program);
    }
    if (Scripts.isTaproot(program)) {
      return taproot(Scripts.pushed(program));
    }
    return Optional.of(Fault.UNKNOWN_SCRIPT);
  }

  private Optional<Fault> witnessScriptHash(Bytes program) {
    if (witness.isEmpty()) {
      return Optional.of(Fault.NOT_SATISFIED);
    }
    int last = witness.size() - 1;
    Bytes script = witness.get(last);
    return Scripts.witnessScriptHash(script).equals(program)
        ? multisig(true, script, witness.subList(0, last))
        : Optional.of(Fault.OTHER_KEY);
  }

  /** By its key. With more items it is a script, or has an annex, which has no meaning yet. */
  private Optional<Fault> taproot(Bytes outputKey) {
    int last = witness.size() - 1;
    if (last > 0) {
      boolean annex = !witness.get(last).isEmpty() && witness.get(last).at(0) == ANNEX;
      return annex || ControlBlock.proves(witness.get(last), witness.get(last - 1), outputKey)
          ? Optional.of(Fault.UNKNOWN_SCRIPT)
          : Optional.of(Fault.OTHER_KEY);
    }
    if (last < 0) {
      return Optional.of(Fault.NOT_SATISFIED);
    }
    return signatures.schnorrVerifies(index, witness.get(0))
        ? Optional.empty()
        : Optional.of(Fault.WRONG_SIGNATURE);
  }

  private Optional<Fault> keyHash(boolean segwit, Bytes code, List<Bytes> stack) {
    if (stack.size() != 2) {
      return Optional.of(Fault.NOT_SATISFIED);
    }
    Bytes key = stack.get(1);
    if (!Scripts.hash160(key).equals(Scripts.pushed(code))) {
      return Optional.of(Fault.OTHER_KEY);
    }
    return signatures.ecdsaVerifies(index, segwit, code, key, stack.get(0))
        ? standardKeys(segwit, List.of(key))
        : Optional.of(Fault.WRONG_SIGNATURE);
  }

  /** One signature for each key of the threshold, in the order of the keys, after an empty item. */
  private Optional<Fault> multisig(boolean segwit, Bytes script, List<Bytes> stack) {
    Optional<Scripts.Multisig> multisig = Scripts.multisig(script);
    if (!multisig.isPresent()) {
      return Optional.of(Fault.UNKNOWN_SCRIPT);
    }
    if (stack.size() != 1 + multisig.get().threshold() || !stack.get(0).isEmpty()) {
      return Optional.of(Fault.NOT_SATISFIED);
    }
    int verified = 0;
    for (Bytes key : multisig.get().keys()) {
      if (verified < multisig.get().threshold()
          && signatures.ecdsaVerifies(index, segwit, script, key, stack.get(1 + verified))) {
        verified++;
      }
    }
    return verified == multisig.get().threshold()
        ? standardKeys(segwit, multisig.get().keys())
        : Optional.of(Fault.WRONG_SIGNATURE);
  }

  /** Nodes do not relay witness data with keys that are not compressed. */
  private static Optional<Fault> standardKeys(boolean segwit, List<Bytes> keys) {
    return segwit && keys.stream().anyMatch(key -> key.length() != COMPRESSED)
        ? Optional.of(Fault.UNKNOWN_SCRIPT)
        : Optional.empty();
  }
}
