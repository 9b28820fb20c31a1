package org.murmur.p2p.chain;

/** The headers of one branch from genesis on, as the rules look back on them. */
interface Ancestors {

  /** The target of a header in its compact form. */
  int bits(int height);

  /** The time of a header, seconds since 1970. */
  long time(int height);
}
