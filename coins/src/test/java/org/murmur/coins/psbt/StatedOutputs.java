package org.murmur.coins.psbt;

import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.tx.Tx;

/** PSBTs as somebody else hands them over, with their own spent output. */
public final class StatedOutputs {

  private StatedOutputs() {}

  /** The last input spends the first output of a transaction. */
  public static Psbt ofLastInput(Tx unsigned, Tx previous) {
    Psbt psbt = Psbt.create(unsigned);
    int last = unsigned.inputs().size() - 1;
    Tx.Output output = previous.outputs().get(0);
    FieldMap input =
        FieldMap.EMPTY.with(
            Field.WITNESS_UTXO,
            new ByteWriter().int64(output.value()).varBytes(output.script()).toBytes());
    return new Psbt(psbt.maps().withInput(last, input));
  }
}
