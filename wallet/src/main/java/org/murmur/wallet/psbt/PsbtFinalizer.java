package org.murmur.wallet.psbt;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.psbt.PsbtException.Reason;
import org.murmur.wallet.sign.InputSignatures;
import org.murmur.wallet.sign.ScriptForms;

/**
 * Makes scripts and witness data of signatures: key hashes of all kinds, taproot key paths, and
 * multisig behind a script hash. Every signature is verified before.
 */
public final class PsbtFinalizer {

  private static final int OP_PUSHDATA1 = 0x4c;
  private static final int OP_PUSHDATA2 = 0x4d;
  private static final int ALL = 1;

  /** What a finalised input keeps, beside unknown fields (BIP-0174). */
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

  /** The final fields of an input. */
  private record Final(Bytes script, List<Bytes> witness) {

    FieldMap addTo(FieldMap input) {
      FieldMap map =
          input.keep(
              entry -> Field.of(Field.Scope.INPUT, entry.key()).map(KEPT::contains).orElse(true));
      map = script.isEmpty() ? map : map.with(Field.FINAL_SCRIPT, script);
      if (witness.isEmpty()) {
        return map;
      }
      ByteWriter out = new ByteWriter().compactSize(witness.size());
      witness.forEach(out::varBytes);
      return map.with(Field.FINAL_WITNESS, out.toBytes());
    }
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
      Optional<Final> made =
          PsbtFacts.isFinal(input) ? Optional.empty() : finalizer.finalised(input, i);
      if (made.isPresent()) {
        maps = maps.withInput(i, made.get().addTo(input));
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
    List<Bytes> scripts = new ArrayList<>();
    List<Bytes> witnesses = new ArrayList<>();
    for (int i = 0; i < maps.inputs().size(); i++) {
      FieldMap input = maps.inputs().get(i);
      if (!PsbtFacts.isFinal(input)) {
        throw new PsbtException(Reason.NOT_COMPLETE, i);
      }
      scripts.add(input.get(Field.FINAL_SCRIPT).orElse(Bytes.EMPTY));
      witnesses.add(input.get(Field.FINAL_WITNESS).orElse(Bytes.wrap(new byte[1])));
    }
    return psbt.unsignedTx().signed(scripts, witnesses);
  }

  private Optional<Final> finalised(FieldMap input, int index) {
    Optional<Tx.Output> output = facts.spent().get(index);
    if (!output.isPresent()) {
      return Optional.empty();
    }
    if (ScriptForms.isTaproot(output.get().script())) {
      return taproot(input, index);
    }
    SpentScript spent = SpentScript.of(output.get().script(), input, index);
    Optional<List<Bytes>> stack =
        ScriptForms.isKeyHash(spent.script())
            ? keyHashStack(spent, input, index)
            : multisigStack(spent, input, index);
    return stack.map(items -> placed(spent, items));
  }

  private Optional<Final> taproot(FieldMap input, int index) {
    Optional<Bytes> signature = input.get(Field.TAP_KEY_SIG);
    boolean allKnown = facts.spent().stream().allMatch(Optional::isPresent);
    if (!signature.isPresent() || !allKnown) {
      return Optional.empty();
    }
    Bytes bytes = signature.get();
    if (bytes.length() == 65 && bytes.at(64) != ALL) {
      throw new PsbtException(Reason.SIGHASH_TYPE, index);
    }
    if (!signatures.schnorrVerifies(index, bytes)) {
      throw new PsbtException(Reason.BAD_SIGNATURE, index);
    }
    return Optional.of(new Final(Bytes.EMPTY, List.of(bytes)));
  }

  private Optional<List<Bytes>> keyHashStack(SpentScript spent, FieldMap input, int index) {
    for (Map.Entry<Bytes, Bytes> partial : input.all(Field.PARTIAL_SIG).entrySet()) {
      Bytes key = partial.getKey();
      if (ScriptForms.hash160(key).equals(ScriptForms.hashIn(spent.script()))) {
        verify(spent, key, partial.getValue(), index);
        return Optional.of(List.of(partial.getValue(), key));
      }
    }
    return Optional.empty();
  }

  /** Signatures in the order of their keys, after the item that OP_CHECKMULTISIG drops. */
  private Optional<List<Bytes>> multisigStack(SpentScript spent, FieldMap input, int index) {
    boolean hidden = spent.redeemScript().isPresent() || spent.witnessScript().isPresent();
    Optional<ScriptForms.Multisig> multisig =
        hidden ? ScriptForms.multisig(spent.script()) : Optional.empty();
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

  private static Final placed(SpentScript spent, List<Bytes> stack) {
    ByteWriter script = new ByteWriter();
    if (!spent.segwit()) {
      stack.forEach(item -> push(script, item));
    }
    spent.redeemScript().ifPresent(redeem -> push(script, redeem));
    List<Bytes> witness = new ArrayList<>(spent.segwit() ? stack : List.of());
    spent.witnessScript().ifPresent(witness::add);
    return new Final(script.toBytes(), witness);
  }

  private static void push(ByteWriter script, Bytes data) {
    int length = data.length();
    if (length < OP_PUSHDATA1) {
      script.uint8(length);
    } else if (length < 0x100) {
      script.uint8(OP_PUSHDATA1).uint8(length);
    } else {
      script.uint8(OP_PUSHDATA2).uint16(length);
    }
    script.bytes(data);
  }
}
