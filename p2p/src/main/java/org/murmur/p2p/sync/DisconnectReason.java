package org.murmur.p2p.sync;

/** Why the machine ends a connection. */
public enum DisconnectReason {
  /** The session is over. */
  DONE(true),
  /** No connection in time. */
  CONNECT_TIMEOUT(true),
  /** No handshake in time. */
  HANDSHAKE_TIMEOUT(true),
  /** A ping was not answered in time. */
  PING_TIMEOUT(true),
  /** What was asked for did not come in time. */
  STALLED(true),
  /** It does not serve BIP-0037 (no NODE_BLOOM). */
  NO_BLOOM(false),
  /** Bytes that are no message, or one that breaks the protocol. */
  PROTOCOL_ERROR(false),
  /** Headers that break the rules. */
  BAD_HEADERS(false),
  /** A Merkle proof that proves nothing. */
  BAD_PROOF(false),
  /** Blocks or transactions that nobody asked for. */
  UNASKED(false),
  /** It connected to ourselves. */
  SELF(false);

  private final boolean innocent;

  DisconnectReason(boolean innocent) {
    this.innocent = innocent;
  }

  /**
   * Returns whether it can happen to an honest peer, so that trying again makes sense.
   *
   * @return false for misbehaviour and for what will not change
   */
  public boolean isTransient() {
    return innocent;
  }
}
