package org.murmur.wallet.message;

import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.wallet.message.MessageVerdict.Reason;
import org.murmur.wallet.sign.InputSignatures;
import org.murmur.wallet.sign.ScriptForms;

/**
 * Whether the input of {@code to_sign} satisfies the script of an address: key hashes of all kinds,
 * taproot by its key, and multisig behind a script hash. Other scripts are not run.
 */
final class SpendCheck {

  private static final int COMPRESSED = 33;

  /** Begins the last item if that is an annex (BIP-0341). */
  private static final int ANNEX = 0x50;

  private final InputSignatures signatures;
  private final Bytes scriptSig;
  private final List<Bytes> witness;

  SpendCheck(InputSignatures signatures, Bytes scriptSig, List<Bytes> witness) {
    this.signatures = signatures;
    this.scriptSig = scriptSig;
    this.witness = witness;
  }

  /** The first fault; empty if the script is satisfied. */
  Optional<Reason> fault(Bytes script) {
    if (ScriptForms.isKeyHash(script) || ScriptForms.isScriptHash(script)) {
      Optional<List<Bytes>> pushes = Pushes.parse(scriptSig);
      if (!pushes.isPresent()) {
        return Optional.of(Reason.NOT_SATISFIED);
      }
      return ScriptForms.isKeyHash(script)
          ? keyHash(script, pushes.get())
          : scriptHash(script, pushes.get());
    }
    return scriptSig.isEmpty() ? program(script) : Optional.of(Reason.NOT_SATISFIED);
  }

  private Optional<Reason> keyHash(Bytes script, List<Bytes> pushes) {
    return witness.isEmpty() ? keyHash(false, script, pushes) : Optional.of(Reason.NOT_SATISFIED);
  }

  private Optional<Reason> scriptHash(Bytes script, List<Bytes> pushes) {
    if (pushes.isEmpty()) {
      return Optional.of(Reason.NOT_SATISFIED);
    }
    int last = pushes.size() - 1;
    Bytes redeem = pushes.get(last);
    if (!ScriptForms.scriptHash(redeem).equals(script)) {
      return Optional.of(Reason.OTHER_KEY);
    }
    if (!ScriptForms.isWitness(redeem)) {
      return witness.isEmpty()
          ? multisig(false, redeem, pushes.subList(0, last))
          : Optional.of(Reason.NOT_SATISFIED);
    }
    if (last > 0) {
      return Optional.of(Reason.NOT_SATISFIED);
    }
    // Taproot behind a script hash has no rules (BIP-0341).
    return ScriptForms.isTaproot(redeem) ? Optional.of(Reason.UNKNOWN_SCRIPT) : program(redeem);
  }

  private Optional<Reason> program(Bytes program) {
    if (ScriptForms.isWitnessKeyHash(program)) {
      Bytes code = ScriptForms.keyHash(program.slice(2, program.length()));
      return keyHash(true, code, witness);
    }
    if (ScriptForms.isWitnessScriptHash(program)) {
      return witnessScriptHash(program);
    }
    if (ScriptForms.isTaproot(program)) {
      return taproot(program.slice(2, program.length()));
    }
    return Optional.of(Reason.UNKNOWN_SCRIPT);
  }

  private Optional<Reason> witnessScriptHash(Bytes program) {
    if (witness.isEmpty()) {
      return Optional.of(Reason.NOT_SATISFIED);
    }
    int last = witness.size() - 1;
    Bytes script = witness.get(last);
    return ScriptForms.witnessScriptHash(script).equals(program)
        ? multisig(true, script, witness.subList(0, last))
        : Optional.of(Reason.OTHER_KEY);
  }

  /** By its key. With more items it is a script, or has an annex, which has no meaning yet. */
  private Optional<Reason> taproot(Bytes outputKey) {
    int last = witness.size() - 1;
    if (last > 0) {
      boolean annex = !witness.get(last).isEmpty() && witness.get(last).at(0) == ANNEX;
      return annex || ControlBlock.proves(witness.get(last), witness.get(last - 1), outputKey)
          ? Optional.of(Reason.UNKNOWN_SCRIPT)
          : Optional.of(Reason.OTHER_KEY);
    }
    if (last < 0) {
      return Optional.of(Reason.NOT_SATISFIED);
    }
    return signatures.schnorrVerifies(0, witness.get(0))
        ? Optional.empty()
        : Optional.of(Reason.WRONG_SIGNATURE);
  }

  private Optional<Reason> keyHash(boolean segwit, Bytes code, List<Bytes> stack) {
    if (stack.size() != 2) {
      return Optional.of(Reason.NOT_SATISFIED);
    }
    Bytes key = stack.get(1);
    if (!ScriptForms.hash160(key).equals(ScriptForms.hashIn(code))) {
      return Optional.of(Reason.OTHER_KEY);
    }
    return signatures.ecdsaVerifies(0, segwit, code, key, stack.get(0))
        ? standardKeys(segwit, List.of(key))
        : Optional.of(Reason.WRONG_SIGNATURE);
  }

  /** One signature for each key of the threshold, in the order of the keys, after an empty item. */
  private Optional<Reason> multisig(boolean segwit, Bytes script, List<Bytes> stack) {
    Optional<ScriptForms.Multisig> multisig = ScriptForms.multisig(script);
    if (!multisig.isPresent()) {
      return Optional.of(Reason.UNKNOWN_SCRIPT);
    }
    if (stack.size() != 1 + multisig.get().threshold() || !stack.get(0).isEmpty()) {
      return Optional.of(Reason.NOT_SATISFIED);
    }
    int verified = 0;
    for (Bytes key : multisig.get().keys()) {
      if (verified < multisig.get().threshold()
          && signatures.ecdsaVerifies(0, segwit, script, key, stack.get(1 + verified))) {
        verified++;
      }
    }
    return verified == multisig.get().threshold()
        ? standardKeys(segwit, multisig.get().keys())
        : Optional.of(Reason.WRONG_SIGNATURE);
  }

  /** Nodes do not relay witness data with keys that are not compressed. */
  private static Optional<Reason> standardKeys(boolean segwit, List<Bytes> keys) {
    return segwit && keys.stream().anyMatch(key -> key.length() != COMPRESSED)
        ? Optional.of(Reason.UNKNOWN_SCRIPT)
        : Optional.empty();
  }
}
