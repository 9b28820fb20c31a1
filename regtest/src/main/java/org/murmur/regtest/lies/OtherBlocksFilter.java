package org.murmur.regtest.lies;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.node.Lie;
import org.murmur.regtest.node.Mask;

/** Sends the compact filter of the block before in place of each block's own. Headers are true. */
public record OtherBlocksFilter() implements Lie {

  @Override
  public Mask mask(Chain chain, long seed) {
    return new Mask() {
      @Override
      public List<Message> says(Message message) {
        if (!(message instanceof Message.CFilter said)) {
          return List.of(message);
        }
        Block block = chain.block(said.block());
        return List.of(block == null ? said : with(said, chain.filters().filter(block.previous())));
      }
    };
  }

  /** The message with another filter, if there is one. */
  static Message.CFilter with(Message.CFilter said, @Nullable Bytes filter) {
    return filter == null ? said : new Message.CFilter(said.filterType(), said.block(), filter);
  }
}
