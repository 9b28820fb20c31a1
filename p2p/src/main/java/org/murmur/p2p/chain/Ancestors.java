package org.murmur.p2p.chain;

/** The headers of one branch, as the rules look back on them. */
interface Ancestors {

  /** The lowest height that is known: 0, or that of the base. */
  default int lowest() {
    return 0;
  }

  /** The target of a header in its compact form. */
  int bits(int height);

  /** The time of a header, seconds since 1970. */
  long time(int height);
}
