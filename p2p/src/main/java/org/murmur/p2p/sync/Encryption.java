package org.murmur.p2p.sync;

/**
 * Whether connections are encrypted (BIP-0324). Encryption hides messages from everybody on the
 * line, but not from the peer. No side proves who it is, so somebody who changes what is on the
 * line can read along, or make {@link #PREFER} fall back to a plain connection.
 */
public enum Encryption {
  /** Only encrypted connections; a peer that does not encrypt is not used. */
  ONLY,

  /**
   * Encrypted connections to named peers, and to found ones that are said to encrypt. One that does
   * not is called once more in the clear.
   */
  PREFER,

  /** All connections in the clear. */
  OFF;

  /**
   * Returns how to call a peer.
   *
   * @param able whether the peer is named, or is said to encrypt (NODE_P2P_V2)
   * @return {@link #OFF} if it is preferred to encrypt and the peer is not able to
   */
  public Encryption towards(boolean able) {
    return this == PREFER && !able ? OFF : this;
  }
}
