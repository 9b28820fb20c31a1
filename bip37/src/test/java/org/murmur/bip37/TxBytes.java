package org.murmur.bip37;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;

/** Serialised transactions for tests, put together by hand. */
public final class TxBytes {

  private record In(OutPoint spent, Bytes script, List<Bytes> witness) {}

  private final List<In> inputs = new ArrayList<>();
  private final List<Bytes> outputs = new ArrayList<>();

  /** Adds an input. */
  public TxBytes spends(OutPoint outPoint, String scriptHex, Bytes... witness) {
    inputs.add(new In(outPoint, Bytes.ofHex(scriptHex), List.of(witness)));
    return this;
  }

  /** Adds an output. */
  public TxBytes pays(String scriptHex) {
    outputs.add(Bytes.ofHex(scriptHex));
    return this;
  }

  /** The transaction; with witness data if an input has some. */
  public Tx tx() {
    boolean witness = inputs.stream().anyMatch(in -> !in.witness.isEmpty());
    ByteWriter out = new ByteWriter().int32(2);
    if (witness) {
      out.uint8(0).uint8(1);
    }
    out.compactSize(inputs.size());
    for (In in : inputs) {
      out.bytes(in.spent.toBytes()).varBytes(in.script).int32(-1);
    }
    out.compactSize(outputs.size());
    for (int i = 0; i < outputs.size(); i++) {
      out.int64(1000L + i).varBytes(outputs.get(i));
    }
    if (witness) {
      for (In in : inputs) {
        out.compactSize(in.witness.size());
        in.witness.forEach(out::varBytes);
      }
    }
    return Tx.parse(out.int32(7).toBytes());
  }

  /** Some random bytes as hex. */
  public static String hex(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return Bytes.wrap(bytes).toHex();
  }

  /** A random outpoint. */
  public static OutPoint outPoint(SplittableRandom random) {
    return new OutPoint(Hash256.ofDisplay(hex(random, 32)), random.nextInt(4));
  }
}
