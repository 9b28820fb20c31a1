package org.murmur.coins.psbt;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.sign.InputSignatures;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.KeyPath;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.keys.PrivateKeys;
import org.murmur.coins.psbt.PsbtException.Reason;

/** Adds the wallet's signatures. Each commits to all inputs and outputs, and was verified. */
public final class PsbtSigner {

  private static final int DEFAULT = 0;
  private static final int ALL = 1;

  /** Flags of version 2: inputs or outputs may still be added (BIP-0370). */
  private static final int MODIFIABLE = 3;

  private final PsbtMaps maps;
  private final PsbtFacts facts;
  private final OwnKeys own;

  private PsbtSigner(Psbt psbt, OwnKeys own) {
    this.maps = psbt.maps();
    this.facts = PsbtFacts.of(psbt);
    this.own = own;
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
    return new PsbtSigner(psbt, own).sign(keys);
  }

  /**
   * Returns why {@link #sign} makes no signature, as far as that is known without the private keys.
   *
   * @param psbt any version
   * @param own the wallet's scripts
   * @return empty if it signs, or if no input is the wallet's
   * @throws PsbtException if the PSBT lies
   */
  public static Optional<PsbtException> fault(Psbt psbt, OwnKeys own) {
    PsbtSigner signer = new PsbtSigner(psbt, own);
    try {
      signer.require(signer.paths());
      return Optional.empty();
    } catch (PsbtException e) {
      return Optional.of(e);
    }
  }

  /** The keys that sign, by the indexes of their inputs. */
  private Map<Integer, KeyPath> paths() {
    Map<Integer, KeyPath> paths = new TreeMap<>();
    for (int i = 0; i < facts.spent().size(); i++) {
      int index = i;
      if (!PsbtFacts.isFinal(maps.inputs().get(i))) {
        key(i).flatMap(KeyPath::of).ifPresent(path -> paths.put(index, path));
      }
    }
    return paths;
  }

  private Optional<Descriptor.PublicKey> key(int index) {
    return facts.spent().get(index).map(Tx.Output::script).flatMap(own::find);
  }

  private void require(Map<Integer, KeyPath> paths) {
    requireProvenValues();
    paths.forEach(
        (index, path) -> {
          boolean taproot = path.type() == OutputType.P2TR;
          int wanted = hashType(index, path);
          if (wanted != ALL && !(taproot && wanted == DEFAULT)) {
            throw new PsbtException(Reason.SIGHASH_TYPE, index);
          }
          if (taproot) {
            requireAllKnown();
          }
        });
  }

  private int hashType(int index, KeyPath path) {
    int usual = path.type() == OutputType.P2TR ? DEFAULT : ALL;
    return maps.inputs().get(index).get(Field.SIGHASH_TYPE).map(Shape::int32).orElse(usual);
  }

  private Result sign(PrivateKeys keys) {
    Map<Integer, KeyPath> paths = paths();
    require(paths);
    InputSignatures signatures = new InputSignatures(facts.tx().toTx(), facts.spent());
    PsbtMaps signed = paths.isEmpty() ? maps : maps.withGlobal(fixed(maps.global()));
    for (Map.Entry<Integer, KeyPath> path : paths.entrySet()) {
      signed =
          signed.withInput(path.getKey(), signed(path.getKey(), path.getValue(), keys, signatures));
    }
    return new Result(new Psbt(signed), List.copyOf(paths.keySet()));
  }

  private FieldMap signed(int index, KeyPath path, PrivateKeys keys, InputSignatures signatures) {
    FieldMap input = maps.inputs().get(index);
    InputSignatures.Made made =
        signatures
            .sign(index, path, keys, hashType(index, path) == DEFAULT)
            .orElseThrow(() -> new PsbtException(Reason.SCRIPT_OF_ANOTHER_KEY, index));
    return path.type() == OutputType.P2TR
        ? input.with(Field.TAP_KEY_SIG, made.signature())
        : input.with(Field.PARTIAL_SIG, made.publicKey(), made.signature());
  }

  /**
   * Of the wallet's values at most one may be a claim. A signature commits to the value of its own
   * input, except for taproot. Of two claims, each could be understated while the other one is
   * signed, and the fee would be larger than it was shown both times.
   */
  private void requireProvenValues() {
    int claims = 0;
    for (int i = 0; i < maps.inputs().size(); i++) {
      boolean claim =
          !maps.inputs().get(i).has(Field.NON_WITNESS_UTXO)
              && key(i).filter(key -> key.type() != OutputType.P2TR).isPresent();
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
