package org.murmur.coins.internal.sign;

import java.util.List;
import java.util.function.BiConsumer;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.crypto.Hashes;

/**
 * The parts that the signatures of all inputs commit to, each hashed once with SHA-256 (BIP-0341).
 * BIP-0143 hashes these again.
 *
 * @param values of all spent outputs
 * @param scripts of all spent outputs, each with its length
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and never changed
record CommonHashes(
    byte[] outPoints, byte[] values, byte[] scripts, byte[] sequences, byte[] outputs) {

  static CommonHashes of(Tx tx, List<Tx.Output> spent) {
    return new CommonHashes(
        all(tx.inputs(), (input, out) -> out.bytes(input.outPoint().toBytes())),
        all(spent, (output, out) -> out.int64(output.value())),
        all(spent, (output, out) -> out.varBytes(output.script())),
        all(tx.inputs(), (input, out) -> out.int32(input.sequence())),
        all(tx.outputs(), CommonHashes::write));
  }

  private static <T> byte[] all(List<T> items, BiConsumer<T, ByteWriter> writer) {
    ByteWriter out = new ByteWriter();
    items.forEach(item -> writer.accept(item, out));
    return Hashes.sha256(out.toArray());
  }

  static void write(Tx.Output output, ByteWriter out) {
    out.int64(output.value()).varBytes(output.script());
  }
}
