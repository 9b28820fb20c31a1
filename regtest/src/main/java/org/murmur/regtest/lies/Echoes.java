package org.murmur.regtest.lies;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.node.Mask;

/** Announces to its peer what the peer announced to it, and never fetches it. */
public record Echoes() implements Mask.Same {

  @Override
  public @Nullable Message hears(Message message) {
    return isAnnouncement(message) ? null : message;
  }

  @Override
  public List<Message> answers(Message message) {
    return isAnnouncement(message) ? List.of(message) : List.of();
  }

  private static boolean isAnnouncement(Message message) {
    return message instanceof Message.Inv inv
        && inv.items().stream().anyMatch(item -> item.type() == InventoryItem.TX);
  }
}
