package org.murmur.p2p.peers;

import org.murmur.p2p.sync.SyncSettings;
import org.murmur.p2p.wire.Message;

/** Our version message. */
public final class OurVersion {

  /** Protocol version we speak: enough for headers announcements and BIP-0037. */
  static final int PROTOCOL = 70016;

  private OurVersion() {}

  /**
   * Makes the one of a connection. It tells nothing of the wallet, not even how far it is synced.
   */
  public static Message.Version of(Effects effects, long nonce, boolean relay) {
    return new Message.Version(
        PROTOCOL, 0, effects.clock().getEpochSecond(), nonce, SyncSettings.USER_AGENT, 0, relay);
  }
}
