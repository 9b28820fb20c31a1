package org.murmur.p2p.peers;

/** What a peer can owe us, so that its silence is a stall. */
public enum Owing {
  HEADERS,
  BLOCKS,
  WHOLE_BLOCK,
  TRANSACTIONS
}
