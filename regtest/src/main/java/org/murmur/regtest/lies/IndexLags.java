package org.murmur.regtest.lies;

import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.FilterIndex;
import org.murmur.regtest.node.Lie;
import org.murmur.regtest.node.Mask;

/**
 * Has no compact filters yet of so many blocks below the tip, and is silent when it is asked for
 * them. Honest nodes are so for seconds, or hours after a start. On each connection the index has
 * caught up after so many requests; {@link Integer#MAX_VALUE} is never.
 */
public record IndexLags(int blocks, int requests) implements Lie {

  @Override
  public Mask mask(Chain chain, long seed) {
    return new Mask() {
      private int heard;

      @Override
      public @Nullable Message hears(Message message) {
        boolean asks =
            message instanceof Message.GetCFilters
                || message instanceof Message.GetCFHeaders
                || message instanceof Message.GetCFCheckpt;
        heard += asks && heard < Integer.MAX_VALUE ? 1 : 0;
        return message;
      }

      @Override
      public FilterIndex filters(FilterIndex index) {
        return new FilterIndex(
            chain,
            (height, block, spent) ->
                heard > requests || height <= chain.height() - blocks
                    ? index.filter(block.hash())
                    : null);
      }
    };
  }
}
