package org.murmur.regtest.hostile.peers;

import java.util.List;
import org.murmur.p2p.wire.Message;
import org.murmur.regtest.hostile.Expectation;
import org.murmur.regtest.hostile.Hostile;
import org.murmur.regtest.hostile.Mask;
import org.murmur.regtest.hostile.Scene;

/** Fetches what the user sends, accepts nothing, and wants a fee of 1 BTC. */
public final class Refuser implements Hostile {

  @Override
  public String sentence() {
    return "Fetches what the user sends, accepts nothing, and wants a fee of 1 BTC.";
  }

  private static final long FEE_RATE = 100_000_000;

  @Override
  public Mask mask(Scene scene) {
    return new Mask() {
      @Override
      public boolean hears(Message message) {
        return !(message instanceof Message.TxMessage);
      }

      @Override
      public List<Message> says(Message message) {
        return message instanceof Message.FeeFilter
            ? List.of(new Message.FeeFilter(FEE_RATE))
            : List.of(message);
      }
    };
  }

  @Override
  public boolean meetsPayment() {
    return true;
  }

  @Override
  public Expectation expectation() {
    return Expectation.truth();
  }
}
