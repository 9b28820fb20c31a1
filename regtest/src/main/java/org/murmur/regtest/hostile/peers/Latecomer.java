package org.murmur.regtest.hostile.peers;

import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.regtest.hostile.Expectation;
import org.murmur.regtest.hostile.Hostile;
import org.murmur.regtest.node.Behaviour;
import org.murmur.regtest.node.Misdeed;

/** Sends the proven transactions after the next block. */
public final class Latecomer implements Hostile {

  @Override
  public String sentence() {
    return "Sends the proven transactions after the next block.";
  }

  @Override
  public Behaviour behaviour() {
    return Behaviour.honest().committing(Misdeed.LATE_TRANSACTIONS);
  }

  @Override
  public Expectation expectation() {
    return Expectation.truthFromOthers(DisconnectReason.LACKS_BLOCKS, DisconnectReason.UNASKED);
  }
}
