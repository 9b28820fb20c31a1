package org.murmur.p2p.internal.headers;

import java.time.Instant;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.sync.Link;

/** A peer, and what is known of its headers and its chain. */
public class HeaderPeer extends Peer {

  private final HeaderLink headers = new HeaderLink(this);
  private final Tip tip = new Tip();
  private final Reach reach = new Reach();

  public HeaderPeer(Link link, long nonce, Instant now) {
    super(link, nonce, now);
  }

  public final HeaderLink headers() {
    return headers;
  }

  public final Tip tip() {
    return tip;
  }

  public final Reach reach() {
    return reach;
  }
}
