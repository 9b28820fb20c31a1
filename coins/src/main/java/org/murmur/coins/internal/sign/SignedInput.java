package org.murmur.coins.internal.sign;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.script.Scripts;

/** The script and the items of the witness stack that make an input valid. */
public record SignedInput(Bytes script, List<Bytes> witness) {

  /** Copies the list. */
  public SignedInput {
    witness = List.copyOf(witness);
  }

  /**
   * Puts a stack where the rules look for it: into the witness data, or before it was invented into
   * the script. Behind it come the scripts that hashes hide.
   */
  public static SignedInput of(
      boolean segwit,
      List<Bytes> stack,
      Optional<Bytes> redeemScript,
      Optional<Bytes> witnessScript) {
    ByteWriter script = new ByteWriter();
    if (!segwit) {
      stack.forEach(item -> Scripts.push(script, item));
    }
    redeemScript.ifPresent(redeem -> Scripts.push(script, redeem));
    List<Bytes> witness = new ArrayList<>(segwit ? stack : List.of());
    witnessScript.ifPresent(witness::add);
    return new SignedInput(script.toBytes(), witness);
  }

  /** Puts signatures into a transaction, one for each input. */
  public static Tx assemble(
      int version,
      List<Tx.Input> unsigned,
      List<SignedInput> signed,
      List<Tx.Output> outputs,
      int lockTime) {
    List<Tx.Input> inputs = new ArrayList<>();
    for (int i = 0; i < signed.size(); i++) {
      Tx.Input input = unsigned.get(i);
      inputs.add(new Tx.Input(input.outPoint(), signed.get(i).script, input.sequence()));
    }
    List<List<Bytes>> witnesses =
        signed.stream().map(SignedInput::witness).collect(Collectors.toList());
    return Tx.parse(Tx.serialise(version, inputs, witnesses, outputs, lockTime));
  }

  /** Writes the witness stack (BIP-0144). */
  public Bytes writtenWitness() {
    ByteWriter out = new ByteWriter().compactSize(witness.size());
    witness.forEach(out::varBytes);
    return out.toBytes();
  }

  /** Reads a witness stack. */
  public static List<Bytes> readWitness(ByteReader in) {
    List<Bytes> items = new ArrayList<>();
    for (int count = in.count(1); count > 0; count--) {
      items.add(in.varBytes());
    }
    return items;
  }
}
