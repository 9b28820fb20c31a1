package org.murmur.p2p.sync;

/**
 * The cause of bytes on the wire. Names are stored in files: they may be added to, and none may
 * change its meaning.
 */
public enum TrafficCause {
  /** Block headers, their requests, and announcements of blocks. */
  HEADERS,

  /** Bloom filters: {@code filterload}, {@code filteradd} and {@code filterclear}. */
  FILTERS,

  /**
   * Filtered blocks: their requests, and of each answer the first {@value
   * BytesByCause#EMPTY_BLOCK_BYTES} bytes, which a block without any match takes as well.
   */
  BLOCKS,

  /** Merkle proofs: what matches make a filtered block longer. */
  PROOFS,

  /** Transactions of filtered blocks, without those known to be false positives. */
  MATCHES,

  /** Transactions of filtered blocks that matched by chance. */
  FALSE_POSITIVES,

  /** Filters of blocks (BIP-0157), their headers, and the requests for these. */
  BLOCK_FILTERS,

  /** Whole blocks and their requests. */
  WHOLE_BLOCKS,

  /** Unconfirmed transactions: announcements, requests, and themselves. */
  UNCONFIRMED,

  /** Gossip: addresses of peers. */
  ADDRESSES,

  /** Version handshakes, pings, and everything that is not named here. */
  OTHER
}
