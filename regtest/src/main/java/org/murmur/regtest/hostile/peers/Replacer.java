package org.murmur.regtest.hostile.peers;

import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.regtest.hostile.Expectation;
import org.murmur.regtest.hostile.Hostile;
import org.murmur.regtest.node.Behaviour;
import org.murmur.regtest.node.Misdeed;

/** Sends other transactions, which match as well, in the place of those it proved. */
public final class Replacer implements Hostile {

  @Override
  public String sentence() {
    return "Sends other transactions, which match as well, in the place of those it proved.";
  }

  @Override
  public Behaviour behaviour() {
    return Behaviour.honest().committing(Misdeed.REPLACED_TRANSACTIONS);
  }

  @Override
  public Expectation expectation() {
    return Expectation.truthFromOthers(
        DisconnectReason.LACKS_BLOCKS, DisconnectReason.UNASKED, DisconnectReason.NOT_MATCHING);
  }
}
