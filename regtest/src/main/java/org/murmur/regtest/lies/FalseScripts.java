package org.murmur.regtest.lies;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.internal.gcs.BasicFilter;
import org.murmur.bip37.internal.gcs.GolombCodedSet;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.chain.FilterIndex;
import org.murmur.regtest.node.Lie;
import org.murmur.regtest.node.Mask;

/** Compact filters of wrong scripts. Their hashes and headers fit them. */
interface FalseScripts extends Lie {

  /**
   * Changes the scripts of a block's filter. The paid ones are those of its outputs, without empty
   * ones and OP_RETURN. The dice are the block's own.
   */
  void change(Set<Bytes> scripts, Set<Bytes> paid, Dice dice);

  @Override
  default Mask mask(Chain chain, long seed) {
    return new Mask() {
      @Override
      public FilterIndex filters(FilterIndex index) {
        return new FilterIndex(chain, (height, block, spent) -> filter(block, spent, seed));
      }
    };
  }

  private Bytes filter(Block block, List<Bytes> spent, long seed) {
    Set<Bytes> paid = new HashSet<>();
    for (Tx tx : block.transactions()) {
      tx.outputs().stream().map(Tx.Output::script).filter(BasicFilter::holds).forEach(paid::add);
    }
    Set<Bytes> scripts = new HashSet<>(paid);
    spent.stream().filter(script -> !script.isEmpty()).forEach(scripts::add);
    change(scripts, paid, new Dice(seed ^ block.hash().hashCode()));
    return GolombCodedSet.of(GolombCodedSet.Parameters.basic(block.hash()), scripts).toPayload();
  }
}
