package org.murmur.bip37.internal.gcs;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.bip37.tx.Tx;

/** The basic block filter of BIP-0158: the scripts that a block creates and those it spends. */
public final class BasicFilter {

  private static final int OP_RETURN = 0x6a;

  private BasicFilter() {}

  /**
   * Makes the filter of a block.
   *
   * @param spent the scripts of the outputs that its inputs spend, without the coinbase; order and
   *     duplicates do not matter
   */
  public static GolombCodedSet of(FullBlock block, List<Bytes> spent) {
    Set<Bytes> scripts = new LinkedHashSet<>();
    for (Tx tx : block.transactions()) {
      for (Tx.Output output : tx.outputs()) {
        if (!output.script().isEmpty() && (output.script().at(0) & 0xff) != OP_RETURN) {
          scripts.add(output.script());
        }
      }
    }
    for (Bytes script : spent) {
      if (!script.isEmpty()) {
        scripts.add(script);
      }
    }
    return GolombCodedSet.of(GolombCodedSet.Parameters.basic(block.hash()), scripts);
  }

  /**
   * Returns the header of a filter (BIP-0157). It commits to this filter and all earlier ones.
   *
   * @param filter of the block
   * @param previous the header of the previous block's filter; zero for the first block
   * @return the double SHA-256 of the filter's hash and the previous header
   */
  public static Hash256 header(GolombCodedSet filter, Hash256 previous) {
    Hash256 hash = DoubleSha256.of(filter.toPayload());
    return DoubleSha256.of(new ByteWriter(64).hash(hash).hash(previous).toBytes());
  }
}
