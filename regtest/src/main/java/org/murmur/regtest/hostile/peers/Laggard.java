package org.murmur.regtest.hostile.peers;

import java.time.Duration;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.regtest.hostile.End;
import org.murmur.regtest.hostile.Expectation;
import org.murmur.regtest.hostile.Hostile;
import org.murmur.regtest.hostile.Situation;
import org.murmur.regtest.hostile.Stage;
import org.murmur.regtest.node.Behaviour;

/** Is 67 blocks behind and answers at once, while the honest peers take 5 seconds to answer. */
public final class Laggard implements Hostile {

  @Override
  public String sentence() {
    return "Is 67 blocks behind and answers at once, while the honest peers take 5 seconds to answer.";
  }

  private static final int BEHIND = 67;

  @Override
  public Behaviour behaviour() {
    return Behaviour.honest().withStaleTip(Stage.HEIGHT - BEHIND);
  }

  @Override
  public Behaviour others() {
    return Behaviour.honest().withRoundTrip(Duration.ofSeconds(5));
  }

  @Override
  public Expectation expectation() {
    return Expectation.truth(DisconnectReason.STALE_TIP)
        .ending(End.LOWER_TIP, Situation.ALONE, Situation.AS_GUARD);
  }
}
