package org.murmur.regtest.hostile.peers;

import java.time.Duration;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.wire.Message;
import org.murmur.regtest.hostile.Expectation;
import org.murmur.regtest.hostile.Hostile;
import org.murmur.regtest.hostile.Mask;
import org.murmur.regtest.hostile.Scene;

/** Never answers getheaders. */
public final class Mute implements Hostile {

  @Override
  public String sentence() {
    return "Never answers getheaders.";
  }

  @Override
  public Mask mask(Scene scene) {
    return new Mask() {
      @Override
      public boolean hears(Message message) {
        return !(message instanceof Message.GetHeaders);
      }
    };
  }

  @Override
  public Expectation expectation() {
    return Expectation.truthFromOthers(DisconnectReason.STALLED).within(Duration.ofSeconds(60));
  }
}
