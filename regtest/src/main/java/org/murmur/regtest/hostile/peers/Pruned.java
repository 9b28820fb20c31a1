package org.murmur.regtest.hostile.peers;

import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.wire.Message;
import org.murmur.regtest.hostile.Expectation;
import org.murmur.regtest.hostile.Hostile;
import org.murmur.regtest.hostile.Mask;
import org.murmur.regtest.hostile.Scene;
import org.murmur.regtest.node.Behaviour;

/** Keeps the last 288 blocks only and says so in its services. */
public final class Pruned implements Hostile {

  @Override
  public String sentence() {
    return "Keeps the last 288 blocks only and says so in its services.";
  }

  private static final int KEPT = 288;

  @Override
  public Behaviour behaviour() {
    return Behaviour.honest().pruned();
  }

  @Override
  public Mask mask(Scene scene) {
    return new Mask() {
      @Override
      public boolean hears(Message message) {
        if (message instanceof Message.GetData ask) {
          ask.items().forEach(item -> refuseOld(scene, scene.chain().heightOf(item.hash())));
        }
        return true;
      }
    };
  }

  private static void refuseOld(Scene scene, int height) {
    if (height >= 0 && scene.chain().height() - height > KEPT) {
      throw new AssertionError("a pruned peer is asked for block " + height);
    }
  }

  @Override
  public Expectation expectation() {
    return Expectation.truthFromOthers(DisconnectReason.PRUNED);
  }
}
