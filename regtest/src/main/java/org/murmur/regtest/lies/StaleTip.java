package org.murmur.regtest.lies;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.node.Lie;
import org.murmur.regtest.node.Mask;

/** Knows no block above a height and gets no later one, as a node that has lost its peers. */
public record StaleTip(int height) implements Lie {

  @Override
  public Mask mask(Chain chain, long seed) {
    return new Mask() {
      private boolean asked;

      @Override
      public @Nullable Message hears(Message message) {
        asked = message instanceof Message.GetHeaders;
        return message instanceof Message.GetData ask
            ? new Message.GetData(known(ask.items()))
            : message;
      }

      @Override
      public List<Message> says(Message message) {
        if (message instanceof Message.Version version) {
          return List.of(ClaimsBlocks.of(version, Math.min(version.startHeight(), height)));
        }
        if (message instanceof Message.Inv inv) {
          List<InventoryItem> items = known(inv.items());
          return items.isEmpty() ? List.of() : List.of(new Message.Inv(items));
        }
        if (!(message instanceof Message.HeadersMessage told)) {
          return List.of(message);
        }
        // Only an answer may be empty.
        boolean answers = asked;
        asked = false;
        Headers headers = told.headers();
        int from = headers.isEmpty() ? 0 : chain.heightOf(headers.hash(0));
        int count = Math.max(0, Math.min(headers.count(), height + 1 - from));
        return answers || count > 0
            ? List.of(new Message.HeadersMessage(headers.slice(0, count)))
            : List.of();
      }

      private List<InventoryItem> known(List<InventoryItem> items) {
        return items.stream().filter(item -> chain.heightOf(item.hash()) <= height).toList();
      }
    };
  }
}
