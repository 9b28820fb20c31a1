package org.murmur.coins.internal.sign;

import java.util.List;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;

/**
 * The script and witness that make an input valid.
 *
 * @param script the scriptSig
 * @param witness the items of the witness stack; none if the input has no witness data
 */
record SignedInput(Bytes script, List<Bytes> witness) {

  /** Puts signatures into a transaction, one for each input (BIP-0144). */
  static Tx assemble(Tx unsigned, List<SignedInput> signed) {
    boolean segwit = signed.stream().anyMatch(input -> !input.witness.isEmpty());
    ByteWriter out = new ByteWriter().int32(unsigned.version());
    if (segwit) {
      out.uint8(0).uint8(1);
    }
    out.compactSize(signed.size());
    for (int i = 0; i < signed.size(); i++) {
      Tx.Input input = unsigned.inputs().get(i);
      out.bytes(input.outPoint().toBytes()).varBytes(signed.get(i).script);
      out.int32(input.sequence());
    }
    out.compactSize(unsigned.outputs().size());
    unsigned.outputs().forEach(output -> CommonHashes.write(output, out));
    if (segwit) {
      signed.forEach(input -> input.writeWitness(out));
    }
    return Tx.parse(out.int32(unsigned.lockTime()).toBytes());
  }

  private void writeWitness(ByteWriter out) {
    out.compactSize(witness.size());
    witness.forEach(out::varBytes);
  }
}
