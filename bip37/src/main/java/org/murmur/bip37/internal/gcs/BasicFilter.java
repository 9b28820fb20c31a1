package org.murmur.bip37.internal.gcs;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.bip37.tx.Tx;

/** The basic block filter of BIP-0158: the scripts that a block creates and those it spends. */
public final class BasicFilter {

  private static final int OP_RETURN = 0x6a;

  private BasicFilter() {}

  /**
   * Returns whether a filter holds the script of an output: not if it is empty, or begins with
   * OP_RETURN.
   */
  public static boolean holds(Bytes outputScript) {
    return !outputScript.isEmpty() && (outputScript.at(0) & 0xff) != OP_RETURN;
  }

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
        if (holds(output.script())) {
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
}
