package org.murmur.regtest.hostile.peers;

import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.regtest.hostile.Expectation;
import org.murmur.regtest.hostile.Hostile;
import org.murmur.regtest.node.Behaviour;
import org.murmur.regtest.node.Misdeed;

/** Proves transactions and never sends them. */
public final class Withholder implements Hostile {

  @Override
  public String sentence() {
    return "Proves transactions and never sends them.";
  }

  @Override
  public Behaviour behaviour() {
    return Behaviour.honest().committing(Misdeed.WITHHELD_TRANSACTIONS);
  }

  @Override
  public Expectation expectation() {
    return Expectation.truthFromOthers(DisconnectReason.LACKS_BLOCKS);
  }
}
