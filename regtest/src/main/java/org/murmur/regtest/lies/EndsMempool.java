package org.murmur.regtest.lies;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.node.Lie;
import org.murmur.regtest.node.Mask;

/**
 * Marks the end of its answer to {@code mempool}: an {@code inv} without entries when nothing
 * matches. <em>No real node does</em>; a client need not wait then, so this is for tests of other
 * subjects. Only for nodes that announce at once.
 */
public record EndsMempool() implements Lie {

  @Override
  public Mask mask(Chain chain, long seed) {
    return new Mask() {
      private boolean told;

      @Override
      public @Nullable Message hears(Message message) {
        told &= !(message instanceof Message.Mempool);
        return message;
      }

      @Override
      public List<Message> says(Message message) {
        told |=
            message instanceof Message.Inv inv
                && inv.items().stream().noneMatch(item -> item.type() == InventoryItem.BLOCK);
        return List.of(message);
      }

      @Override
      public List<Message> answers(Message message) {
        boolean empty = message instanceof Message.Mempool && !told;
        return empty ? List.of(new Message.Inv(List.of())) : List.of();
      }
    };
  }
}
