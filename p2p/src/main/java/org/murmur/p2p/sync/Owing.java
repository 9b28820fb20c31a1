package org.murmur.p2p.sync;

/** What a peer can owe us, so that its silence is a stall. */
enum Owing {
  HEADERS,
  BLOCKS,
  WHOLE_BLOCK,
  TRANSACTIONS
}
