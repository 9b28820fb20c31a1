package org.murmur.p2p.headers;

/** A part of the machine that knows something of blocks, which may leave the chain. */
public interface ChainListener {

  /**
   * Blocks left the chain: what is known of them counts no more.
   *
   * @param fork the highest block that stayed
   */
  void reorganised(int fork);
}
