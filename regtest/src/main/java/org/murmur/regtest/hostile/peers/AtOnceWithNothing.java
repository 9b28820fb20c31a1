package org.murmur.regtest.hostile.peers;

import java.time.Duration;
import java.util.List;
import org.murmur.p2p.wire.Message;
import org.murmur.regtest.hostile.Expectation;
import org.murmur.regtest.hostile.Hostile;
import org.murmur.regtest.hostile.Mask;
import org.murmur.regtest.hostile.Scene;
import org.murmur.regtest.node.Behaviour;

/** Answers mempool at once with an empty inv, while a payment to the wallet waits at the others. */
public final class AtOnceWithNothing implements Hostile {

  @Override
  public String sentence() {
    return "Answers mempool at once with an empty inv, while a payment waits at the others.";
  }

  @Override
  public Mask mask(Scene scene) {
    return new Mask() {
      @Override
      public boolean hears(Message message) {
        return !(message instanceof Message.Mempool);
      }

      @Override
      public List<Message> answers(Message message) {
        return message instanceof Message.Mempool ? List.of(new Message.Inv(List.of())) : List.of();
      }
    };
  }

  /** As Core treats a peer without noban: some seconds later. */
  @Override
  public Behaviour others() {
    return Behaviour.honest().spreadingAnnouncements(Duration.ofSeconds(5));
  }

  @Override
  public boolean hidesPayment() {
    return true;
  }

  @Override
  public Expectation expectation() {
    return Expectation.truth();
  }
}
