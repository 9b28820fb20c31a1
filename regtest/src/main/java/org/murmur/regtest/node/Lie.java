package org.murmur.regtest.node;

import org.murmur.regtest.chain.Chain;

/** A way to misbehave, for any number of connections. See {@link Behaviour#with(Lie)}. */
public interface Lie {

  /**
   * Makes the mask of a connection to a node that serves this chain. Chance is drawn from the seed,
   * the same for all connections.
   */
  Mask mask(Chain chain, long seed);
}
