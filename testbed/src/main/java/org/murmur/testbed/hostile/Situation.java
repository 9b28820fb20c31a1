package org.murmur.testbed.hostile;

import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.sync.Preset;

/** How a client meets a hostile peer. */
public enum Situation {
  /** It knows no other peer. */
  ALONE(0),
  /** One honest peer is there, too. */
  BESIDE_AN_HONEST_PEER(1),
  /** Two honest peers are there, and two peers must serve each block. */
  COMPARED(2),
  /** The hostile peer is its only guard (private preset). */
  AS_GUARD(0),
  /** One honest peer is there, and the client stays when it is complete. */
  FOLLOWED(1);

  private final int honest;

  Situation(int honest) {
    this.honest = honest;
  }

  /** Returns how many honest peers are there. */
  public int honest() {
    return honest;
  }

  SyncSettings settings(SyncSettings usual) {
    return switch (this) {
      case ALONE, BESIDE_AN_HONEST_PEER -> usual;
      case COMPARED -> usual.preset(Preset.Fast.USUAL.verify(2));
      case AS_GUARD ->
          usual.keyedBy(Bytes.ofHex("c0ffee")).preset(Preset.Private.USUAL.onePeer(true));
      case FOLLOWED -> usual.follow(true);
    };
  }
}
