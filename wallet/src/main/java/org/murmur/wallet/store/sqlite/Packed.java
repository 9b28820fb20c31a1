package org.murmur.wallet.store.sqlite;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.MalformedException;

/**
 * Byte strings one after another in one blob.
 *
 * <pre>
 * length CompactSize | bytes | length CompactSize | bytes | …
 * </pre>
 */
final class Packed {

  private Packed() {}

  static byte[] pack(List<Bytes> strings) {
    ByteWriter out = new ByteWriter(34 * strings.size());
    strings.forEach(out::varBytes);
    return out.toArray();
  }

  static List<Bytes> unpack(byte[] blob, int count) {
    // Each takes a byte at least: no count is believed beyond that.
    if (count < 0 || count > blob.length) {
      throw new MalformedException(count + " byte strings cannot be in so few bytes", blob.length);
    }
    ByteReader in = new ByteReader(blob);
    List<Bytes> strings = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      strings.add(in.varBytes());
    }
    in.expectEnd();
    return strings;
  }
}
