package org.murmur.p2p.internal.wire;

/** Service bits of {@code version} and {@code addr}. */
public final class Services {

  /** Serves the whole block chain. */
  public static final long NETWORK = 1;

  /** Serves bloom filtered connections (BIP-0111). */
  public static final long BLOOM = 1 << 2;

  /** Serves witness data (BIP-0144). */
  public static final long WITNESS = 1 << 3;

  /** Serves compact block filters (BIP-0157). */
  public static final long COMPACT_FILTERS = 1 << 6;

  /** Serves at least the last 288 blocks (BIP-0159). */
  public static final long NETWORK_LIMITED = 1 << 10;

  /** Speaks the encrypted transport (BIP-0324). */
  public static final long P2P_V2 = 1 << 11;

  private Services() {}

  /** Returns whether a set of bits holds all bits of another. */
  public static boolean has(long services, long wanted) {
    return (services & wanted) == wanted;
  }
}
