package org.murmur.regtest.hostile.peers;

import org.murmur.regtest.hostile.Expectation;
import org.murmur.regtest.hostile.Hostile;
import org.murmur.regtest.node.Behaviour;
import org.murmur.regtest.node.Misdeed;

/** Sends the proven transactions with 3.9 MB of made-up witness data each. */
public final class Padder implements Hostile {

  @Override
  public String sentence() {
    return "Sends the proven transactions with 3.9 MB of made-up witness data each.";
  }

  @Override
  public Behaviour behaviour() {
    return Behaviour.honest().committing(Misdeed.PADDED_WITNESS);
  }

  @Override
  public Expectation expectation() {
    return Expectation.truth();
  }
}
