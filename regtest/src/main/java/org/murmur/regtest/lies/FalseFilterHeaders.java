package org.murmur.regtest.lies;

import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.FilterIndex;
import org.murmur.regtest.node.Lie;
import org.murmur.regtest.node.Mask;

/**
 * Sends true compact filters, but the hashes and headers of empty ones from a height on: its chain
 * of headers is another.
 */
public record FalseFilterHeaders(int from) implements Lie {

  private static final Bytes EMPTY = Bytes.ofHex("00");

  @Override
  public Mask mask(Chain chain, long seed) {
    return new Mask() {
      @Override
      public FilterIndex filters(FilterIndex index) {
        return new FilterIndex(
            chain, (height, block, spent) -> height < from ? index.filter(block.hash()) : EMPTY);
      }

      @Override
      public List<Message> says(Message message) {
        return List.of(
            message instanceof Message.CFilter said
                ? OtherBlocksFilter.with(said, chain.filters().filter(said.block()))
                : message);
      }
    };
  }
}
