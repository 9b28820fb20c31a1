package org.murmur.regtest.lies;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.node.Mask;

/** Fetches announced transactions, accepts none, and wants a fee of 1 BTC for 1,000 bytes. */
public record Refuses() implements Mask.Same {

  private static final long FEE_RATE = 100_000_000;

  @Override
  public @Nullable Message hears(Message message) {
    return message instanceof Message.TxMessage ? null : message;
  }

  @Override
  public List<Message> says(Message message) {
    boolean fee = message instanceof Message.FeeFilter;
    return List.of(fee ? new Message.FeeFilter(FEE_RATE) : message);
  }
}
