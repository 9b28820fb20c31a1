package org.murmur.regtest.lies;

import java.util.BitSet;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.node.FilteredBlock;
import org.murmur.regtest.node.Lie;
import org.murmur.regtest.node.Mask;

/**
 * Adds a transaction that does not match to a share of the filtered blocks, with a valid proof. The
 * share is 0 for none, 1 for all blocks that have one.
 */
public record Injects(double share) implements Lie {

  @Override
  public Mask mask(Chain chain, long seed) {
    return new Mask() {
      @Override
      public FilteredBlock serves(FilteredBlock block) {
        int foreign = block.matches().nextClearBit(0);
        // The bits inverted: not the blocks that other lies of the same share choose.
        if (foreign >= block.block().size() || Dice.share(~seed, block.hash()) >= share) {
          return block;
        }
        BitSet more = (BitSet) block.proven().clone();
        more.set(foreign);
        return block.proving(more);
      }
    };
  }
}
