package org.murmur.wallet.psbt;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.internal.sign.InputSignatures;
import org.murmur.wallet.internal.sign.KeyPath;
import org.murmur.wallet.internal.sign.PrivateKeys;
import org.murmur.wallet.keys.OutputType;
import org.murmur.wallet.psbt.PsbtException.Reason;

/** Adds the wallet's signatures. Each commits to all inputs and outputs, and was verified. */
public final class PsbtSigner {

  private static final int DEFAULT = 0;
  private static final int ALL = 1;

  /** Flags of version 2: inputs or outputs may still be added (BIP-0370). */
  private static final int MODIFIABLE = 3;

  private final PsbtFacts facts;
  private final OwnKeys own;
  private final PrivateKeys keys;

  private PsbtSigner(PsbtFacts facts, OwnKeys own, PrivateKeys keys) {
    this.facts = facts;
    this.own = own;
    this.keys = keys;
  }

  /**
   * A PSBT with more signatures.
   *
   * @param psbt the PSBT
   * @param signed indexes of the inputs that were signed, in order; none if no input is the
   *     wallet's
   */
  public record Result(Psbt psbt, List<Integer> signed) {}

  /**
   * Signs all inputs whose scripts are the wallet's. Give it an {@linkplain PsbtUpdater updated}
   * PSBT: then values are compared with the wallet's own transactions.
   *
   * @param psbt any version
   * @param own the wallet's scripts
   * @param keys the private keys
   * @return the same PSBT with signatures; finalised inputs stay as they are
   * @throws PsbtException if the PSBT lies, or wants other signatures than ALL and DEFAULT
   */
  public static Result sign(Psbt psbt, OwnKeys own, PrivateKeys keys) {
    PsbtFacts facts = PsbtFacts.of(psbt);
    return new PsbtSigner(facts, own, keys).sign(psbt);
  }

  private Result sign(Psbt psbt) {
    requireProvenValues(psbt.maps().inputs());
    InputSignatures signatures = new InputSignatures(facts.tx().toTx(), facts.spent());
    PsbtMaps maps = psbt.maps();
    List<Integer> signed = new ArrayList<>();
    for (int i = 0; i < facts.spent().size(); i++) {
      FieldMap input = maps.inputs().get(i);
      Optional<KeyPath> path =
          facts.spent().get(i).map(Tx.Output::script).flatMap(own::find).flatMap(KeyPath::of);
      if (path.isPresent() && !PsbtFacts.isFinal(input)) {
        maps = maps.withInput(i, signed(input, i, path.get(), signatures));
        signed.add(i);
      }
    }
    return new Result(
        new Psbt(signed.isEmpty() ? maps : maps.withGlobal(fixed(maps.global()))), signed);
  }

  private FieldMap signed(FieldMap input, int index, KeyPath path, InputSignatures signatures) {
    boolean taproot = path.type() == OutputType.P2TR;
    int wanted = input.get(Field.SIGHASH_TYPE).map(Shape::int32).orElse(taproot ? DEFAULT : ALL);
    if (wanted != ALL && !(taproot && wanted == DEFAULT)) {
      throw new PsbtException(Reason.SIGHASH_TYPE, index);
    }
    if (taproot) {
      requireAllKnown();
    }
    InputSignatures.Made made =
        signatures
            .sign(index, path, keys, wanted == DEFAULT)
            .orElseThrow(() -> new PsbtException(Reason.SCRIPT_OF_ANOTHER_KEY, index));
    return taproot
        ? input.with(Field.TAP_KEY_SIG, made.signature())
        : input.with(Field.PARTIAL_SIG, made.publicKey(), made.signature());
  }

  /**
   * Of the wallet's values at most one may be a claim. A signature commits to the value of its own
   * input, except for taproot. Of two claims, each could be understated while the other one is
   * signed, and the fee would be larger than it was shown both times.
   */
  private void requireProvenValues(List<FieldMap> inputs) {
    int claims = 0;
    for (int i = 0; i < inputs.size(); i++) {
      boolean claim =
          !inputs.get(i).has(Field.NON_WITNESS_UTXO)
              && facts
                  .spent()
                  .get(i)
                  .flatMap(output -> own.find(output.script()))
                  .filter(key -> key.type() != OutputType.P2TR)
                  .isPresent();
      claims += claim ? 1 : 0;
      if (claims > 1) {
        throw new PsbtException(Reason.PREVIOUS_TRANSACTION_MISSING, i);
      }
    }
  }

  private void requireAllKnown() {
    for (int i = 0; i < facts.spent().size(); i++) {
      if (!facts.spent().get(i).isPresent()) {
        throw new PsbtException(Reason.UTXO_MISSING, i);
      }
    }
  }

  /** Signatures of version 2 forbid further inputs and outputs. */
  private static FieldMap fixed(FieldMap global) {
    return global
        .get(Field.TX_MODIFIABLE)
        .map(flags -> Bytes.wrap(new byte[] {(byte) (flags.at(0) & ~MODIFIABLE)}))
        .map(flags -> global.with(Field.TX_MODIFIABLE, flags))
        .orElse(global);
  }
}
