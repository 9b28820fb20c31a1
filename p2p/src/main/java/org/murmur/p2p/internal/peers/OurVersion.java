package org.murmur.p2p.internal.peers;

import java.time.Instant;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Message;

/** Our version message. */
public final class OurVersion {

  /** Protocol version we speak: enough for headers announcements and BIP-0037. */
  static final int PROTOCOL = 70016;

  private OurVersion() {}

  /** The version message of a connection: see {@link #of(Instant, long, boolean)}. */
  public static Message.Version of(Effects effects, long nonce, boolean relay) {
    return of(effects.clock(), nonce, relay);
  }

  /**
   * The version message of a connection. It reveals nothing about the wallet, not even its height.
   * The nonce may be any number: it shows a connection to ourselves. With {@code relay} the peer
   * announces transactions.
   */
  public static Message.Version of(Instant clock, long nonce, boolean relay) {
    return new Message.Version(
        PROTOCOL, 0, clock.getEpochSecond(), nonce, SyncSettings.USER_AGENT, 0, relay);
  }
}
