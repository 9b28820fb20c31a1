package org.murmur.coins.psbt;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.script.Scripts;
import org.murmur.coins.internal.sign.InputSignatures;
import org.murmur.coins.internal.sign.SignedInput;
import org.murmur.coins.psbt.PsbtException.Reason;

/**
 * Makes scripts and witness data of signatures: keys and key hashes of all kinds, taproot key
 * paths, scripts of taproot with signatures alone, and multisig behind a script hash. Every
 * signature is verified before.
 */
public final class PsbtFinalizer {

  private static final int ALL = 1;

  /** The fields that a finalised input keeps, beside unknown ones (BIP-0174). */
  private static final Set<Field> KEPT =
      EnumSet.of(
          Field.NON_WITNESS_UTXO,
          Field.WITNESS_UTXO,
          Field.FINAL_SCRIPT,
          Field.FINAL_WITNESS,
          Field.PREVIOUS_TXID,
          Field.OUTPUT_INDEX,
          Field.SEQUENCE,
          Field.REQUIRED_TIME,
          Field.REQUIRED_HEIGHT,
          Field.INPUT_PROPRIETARY);

  private final PsbtFacts facts;
  private final InputSignatures signatures;

  private PsbtFinalizer(PsbtFacts facts) {
    this.facts = facts;
    this.signatures = new InputSignatures(facts.tx().toTx(), facts.spent());
  }

  /**
   * Finalises the inputs that can be. Others stay as they are.
   *
   * @param psbt any version
   * @return with final scripts and witness data
   * @throws PsbtException if the PSBT lies, or a signature is wrong or not of type ALL or DEFAULT
   */
  public static Psbt finalise(Psbt psbt) {
    PsbtFinalizer finalizer = new PsbtFinalizer(PsbtFacts.of(psbt));
    PsbtMaps maps = psbt.maps();
    for (int i = 0; i < maps.inputs().size(); i++) {
      FieldMap input = maps.inputs().get(i);
      Optional<SignedInput> made =
          PsbtFacts.isFinal(input) ? Optional.empty() : finalizer.finalised(input, i);
      if (made.isPresent()) {
        maps = maps.withInput(i, finalised(input, made.get()));
      }
    }
    return new Psbt(maps);
  }

  /**
   * Finalises, and takes the transaction out.
   *
   * @param psbt any version
   * @return the signed transaction; scripts that others finalised are not run
   * @throws PsbtException if an input is not complete, and as {@link #finalise} throws
   */
  public static Tx extract(Psbt psbt) {
    PsbtMaps maps = finalise(psbt).maps();
    List<SignedInput> signed = new ArrayList<>();
    for (int i = 0; i < maps.inputs().size(); i++) {
      FieldMap input = maps.inputs().get(i);
      if (!PsbtFacts.isFinal(input)) {
        throw new PsbtException(Reason.NOT_COMPLETE, i);
      }
      signed.add(
          new SignedInput(
              input.get(Field.FINAL_SCRIPT).orElse(Bytes.EMPTY),
              input.get(Field.FINAL_WITNESS).map(Shape::readWitness).orElse(List.of())));
    }
    UnsignedTx tx = psbt.unsignedTx();
    return SignedInput.assemble(tx.version(), tx.inputs(), signed, tx.outputs(), tx.lockTime());
  }

  private static FieldMap finalised(FieldMap input, SignedInput made) {
    FieldMap map =
        input.keep(
            entry -> Field.of(Field.Scope.INPUT, entry.key()).map(KEPT::contains).orElse(true));
    map = made.script().isEmpty() ? map : map.with(Field.FINAL_SCRIPT, made.script());
    return made.witness().isEmpty() ? map : map.with(Field.FINAL_WITNESS, made.writtenWitness());
  }

  private Optional<SignedInput> finalised(FieldMap input, int index) {
    Optional<Tx.Output> output = facts.spent().get(index);
    if (!output.isPresent()) {
      return Optional.empty();
    }
    if (Scripts.isTaproot(output.get().script())) {
      return taproot(input, index);
    }
    SpentScript spent = SpentScript.of(output.get().script(), input, index);
    return stack(spent, input, index)
        .map(
            items ->
                SignedInput.of(spent.segwit(), items, spent.redeemScript(), spent.witnessScript()));
  }

  private Optional<List<Bytes>> stack(SpentScript spent, FieldMap input, int index) {
    if (Scripts.isKeyHash(spent.script())) {
      return keyHashStack(spent, input, index);
    }
    Optional<Bytes> key = Scripts.key(spent.script());
    return key.isPresent()
        ? keyStack(spent, key.get(), input, index)
        : multisigStack(spent, input, index);
  }

  private Optional<SignedInput> taproot(FieldMap input, int index) {
    if (!facts.spent().stream().allMatch(Optional::isPresent)) {
      return Optional.empty();
    }
    Optional<Bytes> signature = input.get(Field.TAP_KEY_SIG);
    if (!signature.isPresent()) {
      return tapscript(input, index);
    }
    requireAll(signature.get(), index);
    if (!signatures.schnorrVerifies(index, signature.get())) {
      throw new PsbtException(Reason.BAD_SIGNATURE, index);
    }
    return Optional.of(new SignedInput(Bytes.EMPTY, List.of(signature.get())));
  }

  private static void requireAll(Bytes schnorr, int index) {
    if (schnorr.length() == 65 && schnorr.at(64) != ALL) {
      throw new PsbtException(Reason.SIGHASH_TYPE, index);
    }
  }

  /** The smallest witness of all leaves that are signed. */
  private Optional<SignedInput> tapscript(FieldMap input, int index) {
    Bytes script = facts.spent().get(index).map(Tx.Output::script).orElse(Bytes.EMPTY);
    List<List<Bytes>> witnesses = new ArrayList<>();
    for (TapLeaf leaf : TapLeaf.of(input, script)) {
      leafStack(leaf, input, index)
          .ifPresent(
              stack -> {
                stack.add(leaf.script());
                stack.add(leaf.controlBlock());
                witnesses.add(stack);
              });
    }
    return witnesses.stream()
        .min(Comparator.comparingInt(PsbtFinalizer::length))
        .map(witness -> new SignedInput(Bytes.EMPTY, witness));
  }

  private static int length(List<Bytes> witness) {
    return witness.stream().mapToInt(Bytes::length).sum();
  }

  /** The script reads the signature of its first key first: the last item. */
  private Optional<List<Bytes>> leafStack(TapLeaf leaf, FieldMap input, int index) {
    List<Bytes> stack = new ArrayList<>();
    int signed = 0;
    for (Bytes key : leaf.keys()) {
      Optional<Bytes> signature = input.get(Field.TAP_SCRIPT_SIG, leaf.signatureOf(key));
      boolean used = signature.isPresent() && signed < leaf.threshold();
      if (used) {
        requireAll(signature.get(), index);
        if (!signatures.tapscriptVerifies(index, leaf.hash(), key, signature.get())) {
          throw new PsbtException(Reason.BAD_SIGNATURE, index);
        }
        signed++;
      }
      stack.add(0, used ? signature.get() : Bytes.EMPTY);
    }
    return signed == leaf.threshold() ? Optional.of(stack) : Optional.empty();
  }

  private Optional<List<Bytes>> keyStack(SpentScript spent, Bytes key, FieldMap input, int index) {
    Optional<Bytes> signature = input.get(Field.PARTIAL_SIG, key);
    signature.ifPresent(each -> verify(spent, key, each, index));
    return signature.map(List::of);
  }

  private Optional<List<Bytes>> keyHashStack(SpentScript spent, FieldMap input, int index) {
    for (Map.Entry<Bytes, Bytes> partial : input.all(Field.PARTIAL_SIG).entrySet()) {
      Bytes key = partial.getKey();
      if (Scripts.hash160(key).equals(Scripts.pushed(spent.script()))) {
        verify(spent, key, partial.getValue(), index);
        return Optional.of(List.of(partial.getValue(), key));
      }
    }
    return Optional.empty();
  }

  /** Signatures in the order of their keys, after the item that OP_CHECKMULTISIG drops. */
  private Optional<List<Bytes>> multisigStack(SpentScript spent, FieldMap input, int index) {
    boolean hidden = spent.redeemScript().isPresent() || spent.witnessScript().isPresent();
    Optional<Scripts.Multisig> multisig =
        hidden ? Scripts.multisig(spent.script()) : Optional.empty();
    if (!multisig.isPresent()) {
      return Optional.empty();
    }
    int threshold = multisig.get().threshold();
    List<Bytes> stack = new ArrayList<>();
    stack.add(Bytes.EMPTY);
    for (Bytes key : multisig.get().keys()) {
      Optional<Bytes> signature = input.get(Field.PARTIAL_SIG, key);
      if (signature.isPresent() && stack.size() <= threshold) {
        verify(spent, key, signature.get(), index);
        stack.add(signature.get());
      }
    }
    return stack.size() > threshold ? Optional.of(stack) : Optional.empty();
  }

  private void verify(SpentScript spent, Bytes key, Bytes signature, int index) {
    if (signature.at(signature.length() - 1) != ALL) {
      throw new PsbtException(Reason.SIGHASH_TYPE, index);
    }
    if (!signatures.ecdsaVerifies(index, spent.segwit(), spent.script(), key, signature)) {
      throw new PsbtException(Reason.BAD_SIGNATURE, index);
    }
  }
}
