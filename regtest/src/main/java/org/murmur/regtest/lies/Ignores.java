package org.murmur.regtest.lies;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.node.Mask;

/** Drops some requests in silence. */
public enum Ignores implements Mask.Same {
  /** Does not answer pings. */
  PINGS,
  /** Does not answer {@code getheaders}. */
  HEADERS,
  /** Serves filtered blocks, but no whole ones. */
  WHOLE_BLOCKS,
  /** Announces blocks and sends their headers, but serves none. */
  BLOCKS;

  private static final Set<Integer> WHOLE =
      Set.of(InventoryItem.BLOCK, InventoryItem.WITNESS_BLOCK, InventoryItem.COMPACT_BLOCK);
  private static final Set<Integer> FILTERED =
      Set.of(InventoryItem.FILTERED_BLOCK, InventoryItem.FILTERED_WITNESS_BLOCK);

  @Override
  public @Nullable Message hears(Message message) {
    boolean ignored =
        switch (this) {
          case PINGS -> message instanceof Message.Ping;
          case HEADERS -> message instanceof Message.GetHeaders;
          case WHOLE_BLOCKS, BLOCKS -> false;
        };
    if (ignored) {
      return null;
    }
    return message instanceof Message.GetData ask
        ? new Message.GetData(ask.items().stream().filter(item -> serves(item.type())).toList())
        : message;
  }

  private boolean serves(int type) {
    return switch (this) {
      case PINGS, HEADERS -> true;
      case WHOLE_BLOCKS -> !WHOLE.contains(type);
      case BLOCKS -> !WHOLE.contains(type) && !FILTERED.contains(type);
    };
  }
}
