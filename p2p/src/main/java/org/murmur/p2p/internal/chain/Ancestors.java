package org.murmur.p2p.internal.chain;

/** The headers of one branch, for rules that look back. */
interface Ancestors {

  /** The lowest known height: 0, or the height of the base. */
  default int lowest() {
    return 0;
  }

  /** The target of a header in its compact form; of a base, the one that the next header needs. */
  int bits(int height);

  /** The time of a header, seconds since 1970. */
  long time(int height);
}
