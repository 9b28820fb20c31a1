package org.murmur.coins.psbt;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.coins.psbt.Field.Scope;

/** Reads the binary form, and checks every field that it knows. */
final class PsbtReader {

  /** The most fields of all maps together. A standard transaction needs less than a third. */
  static final int MAX_FIELDS = 100_000;

  /** The most bytes of a transaction without witness data that fit into a block (BIP-0141). */
  private static final int MAX_TRANSACTION = 1_000_000;

  /** Bytes of an input without script, and of an output without script. */
  private static final int MIN_INPUT = 41;

  private static final int MIN_OUTPUT = 9;

  private static final List<Field> REQUIRED_IN_2 =
      List.of(Field.TX_VERSION, Field.INPUT_COUNT, Field.OUTPUT_COUNT);

  private final ByteReader in;
  private int fields;

  private PsbtReader(ByteReader in) {
    this.in = in;
  }

  static PsbtMaps read(Bytes raw) {
    if (raw.length() > Shape.MAX_BYTES) {
      throw new MalformedException("longer than " + Shape.MAX_BYTES + " bytes", Shape.MAX_BYTES);
    }
    ByteReader in = new ByteReader(raw.unsafeArray());
    if (!in.bytes(Math.min(in.remaining(), PsbtMaps.MAGIC.length())).equals(PsbtMaps.MAGIC)) {
      throw new MalformedException("does not begin as a PSBT", 0);
    }
    PsbtMaps maps = new PsbtReader(in).maps();
    in.expectEnd();
    return maps;
  }

  private PsbtMaps maps() {
    int start = in.position();
    FieldMap global = map();
    int version = version(global, start);
    check(Scope.GLOBAL, version, global, start);
    int inputs;
    int outputs;
    if (version == 0) {
      UnsignedTx tx = UnsignedTx.parse(required(global, Field.UNSIGNED_TX, start));
      inputs = tx.inputs().size();
      outputs = tx.outputs().size();
    } else {
      REQUIRED_IN_2.forEach(field -> required(global, field, start));
      inputs = count(required(global, Field.INPUT_COUNT, start));
      outputs = count(required(global, Field.OUTPUT_COUNT, start));
    }
    if (MIN_INPUT * (long) inputs + MIN_OUTPUT * (long) outputs > MAX_TRANSACTION) {
      throw new MalformedException("a transaction larger than a block", start);
    }
    List<FieldMap> inputMaps = maps(inputs, Scope.INPUT, version);
    return new PsbtMaps(global, inputMaps, maps(outputs, Scope.OUTPUT, version));
  }

  private static int version(FieldMap global, int offset) {
    Optional<Bytes> value = global.get(Field.VERSION);
    if (value.isPresent() && value.get().length() != 4) {
      throw new MalformedException("version: " + value.get().length() + " bytes, not 4", offset);
    }
    int version = PsbtMaps.version(global);
    if (version != 0 && version != 2) {
      throw new MalformedException(
          "version " + Integer.toUnsignedLong(version) + ", expected 0 or 2", offset);
    }
    return version;
  }

  private static int count(Bytes value) {
    return (int) new ByteReader(value.unsafeArray()).compactSize();
  }

  private List<FieldMap> maps(int count, Scope scope, int version) {
    List<FieldMap> maps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int start = in.position();
      FieldMap map = map();
      check(scope, version, map, start);
      if (version == 2 && scope == Scope.INPUT) {
        required(map, Field.PREVIOUS_TXID, start);
        required(map, Field.OUTPUT_INDEX, start);
      } else if (version == 2) {
        required(map, Field.AMOUNT, start);
        required(map, Field.SCRIPT, start);
      }
      maps.add(map);
    }
    return maps;
  }

  private static Bytes required(FieldMap map, Field field, int offset) {
    return map.get(field)
        .orElseThrow(() -> new MalformedException(field.title() + " is missing", offset));
  }

  private FieldMap map() {
    List<FieldMap.Entry> entries = new ArrayList<>();
    Set<Bytes> keys = new TreeSet<>(FieldMap.ORDER);
    while (true) {
      int start = in.position();
      Bytes key = in.varBytes();
      if (key.isEmpty()) {
        return new FieldMap(entries);
      }
      if (!keys.add(key)) {
        throw new MalformedException("the same key twice", start);
      }
      if (++fields > MAX_FIELDS) {
        throw new MalformedException("more than " + MAX_FIELDS + " fields", start);
      }
      new ByteReader(key.unsafeArray()).compactSize();
      entries.add(new FieldMap.Entry(key, in.varBytes()));
    }
  }

  private static void check(Scope scope, int version, FieldMap map, int offset) {
    for (FieldMap.Entry entry : map.entries()) {
      Optional<Field> field = Field.of(scope, entry.key());
      if (field.isPresent()) {
        try {
          field.get().check(version, entry.key(), entry.value());
        } catch (MalformedException e) {
          throw new MalformedException(field.get().title() + ": " + e.reason(), offset);
        }
      }
    }
  }
}
