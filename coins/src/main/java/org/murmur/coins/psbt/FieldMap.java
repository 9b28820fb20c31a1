package org.murmur.coins.psbt;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;

/**
 * One map of a PSBT: keys and values as bytes, in their order. Fields that this code does not know
 * stay as they are. Immutable.
 */
final class FieldMap {

  /** Unsigned bytes, the shorter first. The index is a tree, so no chosen key makes it slow. */
  static final Comparator<Bytes> ORDER = FieldMap::compare;

  static final FieldMap EMPTY = new FieldMap(List.of());

  private final List<Entry> entries;
  private final NavigableMap<Bytes, Bytes> index = new TreeMap<>(ORDER);

  /**
   * A key with its value.
   *
   * @param key the type of the field and the data of the key
   * @param value any bytes
   */
  record Entry(Bytes key, Bytes value) {}

  /** Takes entries with different keys. */
  FieldMap(List<Entry> entries) {
    this.entries = List.copyOf(entries);
    entries.forEach(entry -> index.put(entry.key(), entry.value()));
  }

  private static int compare(Bytes a, Bytes b) {
    int common = Math.min(a.length(), b.length());
    for (int i = 0; i < common; i++) {
      if (a.at(i) != b.at(i)) {
        return Integer.compare(a.at(i) & 0xff, b.at(i) & 0xff);
      }
    }
    return Integer.compare(a.length(), b.length());
  }

  List<Entry> entries() {
    return entries;
  }

  boolean has(Field field) {
    return index.containsKey(field.key());
  }

  /** The value of a field whose key has no data. */
  Optional<Bytes> get(Field field) {
    return Optional.ofNullable(index.get(field.key()));
  }

  /** The value of a field whose key has data. */
  Optional<Bytes> get(Field field, Bytes keyData) {
    return Optional.ofNullable(index.get(field.key(keyData)));
  }

  /** All values of a field by the data of their keys, in ascending order. */
  Map<Bytes, Bytes> all(Field field) {
    Map<Bytes, Bytes> found = new LinkedHashMap<>();
    for (Map.Entry<Bytes, Bytes> entry : index.tailMap(field.key(), true).entrySet()) {
      Bytes key = entry.getKey();
      if (!field.isTypeOf(key)) {
        break;
      }
      found.put(key.slice(1, key.length()), entry.getValue());
    }
    return Collections.unmodifiableMap(found);
  }

  /** With a value, instead of an older one with the same key. */
  FieldMap with(Field field, Bytes value) {
    return with(new Entry(field.key(), value));
  }

  /** With a value, instead of an older one with the same key. */
  FieldMap with(Field field, Bytes keyData, Bytes value) {
    return with(new Entry(field.key(keyData), value));
  }

  private FieldMap with(Entry entry) {
    return keep(old -> !old.key().equals(entry.key())).plus(new FieldMap(List.of(entry)));
  }

  /** Only the entries that fit. */
  FieldMap keep(Predicate<Entry> fits) {
    List<Entry> kept = new ArrayList<>();
    entries.stream().filter(fits).forEach(kept::add);
    return new FieldMap(kept);
  }

  /** Adds what is missing here, each before the first greater key. Values here are kept. */
  FieldMap plus(FieldMap other) {
    NavigableMap<Bytes, Bytes> missing = new TreeMap<>(ORDER);
    other.index.forEach(
        (key, value) -> {
          if (!index.containsKey(key)) {
            missing.put(key, value);
          }
        });
    List<Entry> merged = new ArrayList<>();
    for (Entry entry : entries) {
      while (!missing.isEmpty() && compare(missing.firstKey(), entry.key()) < 0) {
        merged.add(taken(missing));
      }
      merged.add(entry);
    }
    while (!missing.isEmpty()) {
      merged.add(taken(missing));
    }
    return new FieldMap(merged);
  }

  private static Entry taken(NavigableMap<Bytes, Bytes> map) {
    Map.Entry<Bytes, Bytes> first = map.pollFirstEntry();
    return new Entry(first.getKey(), first.getValue());
  }

  void write(ByteWriter out) {
    entries.forEach(entry -> out.varBytes(entry.key()).varBytes(entry.value()));
    out.uint8(0);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FieldMap map && entries.equals(map.entries);
  }

  @Override
  public int hashCode() {
    return entries.hashCode();
  }
}
