package org.murmur.coins.psbt;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.psbt.PsbtException.Reason;

/** The transaction of a PSBT of version 2, whose parts are in its maps (BIP-0370). */
final class Version2 {

  private static final int NO_SEQUENCE = 0xffffffff;

  private Version2() {}

  static UnsignedTx unsignedTx(PsbtMaps maps) {
    List<Tx.Input> inputs = new ArrayList<>();
    maps.inputs().forEach(map -> inputs.add(input(map)));
    List<Tx.Output> outputs = new ArrayList<>();
    maps.outputs().forEach(map -> outputs.add(output(map)));
    int version = Shape.int32(required(maps.global(), Field.TX_VERSION));
    return new UnsignedTx(version, inputs, outputs, lockTime(maps));
  }

  /** A field that the reader found. */
  private static Bytes required(FieldMap map, Field field) {
    return map.get(field).orElseThrow(() -> new IllegalStateException("no " + field.title()));
  }

  private static Tx.Input input(FieldMap map) {
    Hash256 txid = Hash256.ofInternal(required(map, Field.PREVIOUS_TXID).unsafeArray());
    int index = Shape.int32(required(map, Field.OUTPUT_INDEX));
    int sequence = map.get(Field.SEQUENCE).map(Shape::int32).orElse(NO_SEQUENCE);
    return new Tx.Input(new OutPoint(txid, index), Bytes.EMPTY, sequence);
  }

  private static Tx.Output output(FieldMap map) {
    long value = new ByteReader(required(map, Field.AMOUNT).unsafeArray()).int64();
    return new Tx.Output(value, required(map, Field.SCRIPT));
  }

  /** A height that all inputs accept, else a time, else the fallback. */
  private static int lockTime(PsbtMaps maps) {
    boolean byHeight = true;
    boolean byTime = true;
    int height = 0;
    int time = 0;
    for (FieldMap input : maps.inputs()) {
      Optional<Integer> asHeight = input.get(Field.REQUIRED_HEIGHT).map(Shape::int32);
      Optional<Integer> asTime = input.get(Field.REQUIRED_TIME).map(Shape::int32);
      if (asHeight.isPresent() || asTime.isPresent()) {
        byHeight &= asHeight.isPresent();
        byTime &= asTime.isPresent();
        height = later(height, asHeight.orElse(0));
        time = later(time, asTime.orElse(0));
      }
    }
    if (height == 0 && time == 0) {
      return maps.global().get(Field.FALLBACK_LOCK_TIME).map(Shape::int32).orElse(0);
    }
    if (!byHeight && !byTime) {
      throw new PsbtException(Reason.LOCK_TIMES_CONFLICT);
    }
    return byHeight ? height : time;
  }

  private static int later(int a, int b) {
    return Integer.compareUnsigned(a, b) < 0 ? b : a;
  }
}
