package org.murmur.coins.psbt;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.Bytes;

/**
 * All maps of a PSBT.
 *
 * @param global of the whole
 * @param inputs one for each input
 * @param outputs one for each output
 */
record PsbtMaps(FieldMap global, List<FieldMap> inputs, List<FieldMap> outputs) {

  /** The first bytes of the binary form. */
  static final Bytes MAGIC = Bytes.ofHex("70736274ff");

  PsbtMaps {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  int version() {
    return version(global);
  }

  static int version(FieldMap global) {
    return global.get(Field.VERSION).map(Shape::int32).orElse(0);
  }

  PsbtMaps withGlobal(FieldMap map) {
    return new PsbtMaps(map, inputs, outputs);
  }

  PsbtMaps withInput(int index, FieldMap map) {
    return new PsbtMaps(global, with(inputs, index, map), outputs);
  }

  /** A change of one of several maps. */
  interface Change {
    FieldMap of(int index, FieldMap map);
  }

  /** Changes all maps of inputs and outputs. */
  PsbtMaps changed(Change input, Change output) {
    return new PsbtMaps(global, changed(inputs, input), changed(outputs, output));
  }

  private static List<FieldMap> changed(List<FieldMap> maps, Change change) {
    List<FieldMap> changed = new ArrayList<>();
    for (int i = 0; i < maps.size(); i++) {
      changed.add(change.of(i, maps.get(i)));
    }
    return changed;
  }

  private static List<FieldMap> with(List<FieldMap> maps, int index, FieldMap map) {
    List<FieldMap> changed = new ArrayList<>(maps);
    changed.set(index, map);
    return changed;
  }
}
