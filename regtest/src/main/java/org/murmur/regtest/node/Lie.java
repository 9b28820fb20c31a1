package org.murmur.regtest.node;

import org.murmur.regtest.chain.Chain;

/** A way to misbehave, for any number of connections. See {@link Behaviour#with(Lie)}. */
public interface Lie {

  /**
   * Makes the mask of a connection.
   *
   * @param chain what the node serves
   * @param seed what chance is drawn from; the same for all connections
   * @return a new mask
   */
  Mask mask(Chain chain, long seed);
}
