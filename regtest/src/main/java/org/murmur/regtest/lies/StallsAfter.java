package org.murmur.regtest.lies;

import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.node.FilteredBlock;
import org.murmur.regtest.node.Lie;
import org.murmur.regtest.node.Mask;

/** Stops answering on a connection for good, without closing it, after some filtered blocks. */
public record StallsAfter(int blocks) implements Lie {

  @Override
  public Mask mask(Chain chain, long seed) {
    return new Silence() {
      private int served;

      @Override
      public FilteredBlock serves(FilteredBlock block) {
        if (served++ >= blocks) {
          fallSilent();
        }
        return block;
      }
    };
  }
}
