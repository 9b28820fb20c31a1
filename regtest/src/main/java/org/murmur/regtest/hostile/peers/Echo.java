package org.murmur.regtest.hostile.peers;

import java.util.List;
import org.murmur.p2p.wire.InventoryItem;
import org.murmur.p2p.wire.Message;
import org.murmur.regtest.hostile.Expectation;
import org.murmur.regtest.hostile.Hostile;
import org.murmur.regtest.hostile.Mask;
import org.murmur.regtest.hostile.Scene;

/** Announces to us what we announced to it, and never fetches it. */
public final class Echo implements Hostile {

  @Override
  public String sentence() {
    return "Announces to us what we announced to it, and never fetches it.";
  }

  @Override
  public Mask mask(Scene scene) {
    return new Mask() {
      @Override
      public boolean hears(Message message) {
        return !isAnnouncement(message);
      }

      @Override
      public List<Message> answers(Message message) {
        return isAnnouncement(message) ? List.of(message) : List.of();
      }
    };
  }

  private static boolean isAnnouncement(Message message) {
    return message instanceof Message.Inv inv
        && inv.items().stream().anyMatch(item -> item.type() == InventoryItem.TX);
  }

  @Override
  public boolean meetsPayment() {
    return true;
  }

  @Override
  public boolean fetchesPayment() {
    return false;
  }

  @Override
  public Expectation expectation() {
    return Expectation.truth();
  }
}
