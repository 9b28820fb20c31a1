package org.murmur.regtest.hostile.peers;

import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.regtest.hostile.Expectation;
import org.murmur.regtest.hostile.Hostile;
import org.murmur.regtest.node.Behaviour;
import org.murmur.regtest.node.Misdeed;

/** Sends the proven transactions twice. */
public final class Doubler implements Hostile {

  @Override
  public String sentence() {
    return "Sends the proven transactions twice.";
  }

  @Override
  public Behaviour behaviour() {
    return Behaviour.honest().committing(Misdeed.UNASKED_TRANSACTIONS);
  }

  @Override
  public Expectation expectation() {
    return Expectation.truthFromOthers(DisconnectReason.UNASKED);
  }
}
