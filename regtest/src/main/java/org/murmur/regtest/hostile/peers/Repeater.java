package org.murmur.regtest.hostile.peers;

import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.regtest.hostile.Expectation;
import org.murmur.regtest.hostile.Hostile;
import org.murmur.regtest.node.Behaviour;
import org.murmur.regtest.node.Misdeed;

/** Sends one of two matched transactions again each second, for ever, and nothing else. */
public final class Repeater implements Hostile {

  @Override
  public String sentence() {
    return "Sends one of two matched transactions again each second, for ever, and nothing else.";
  }

  @Override
  public Behaviour behaviour() {
    return Behaviour.honest().committing(Misdeed.REPEATED_TRANSACTION);
  }

  @Override
  public Expectation expectation() {
    return Expectation.truthFromOthers(DisconnectReason.STALLED, DisconnectReason.UNASKED);
  }
}
