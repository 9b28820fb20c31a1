package org.murmur.p2p.internal.scan;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.internal.headers.HeaderPeer;
import org.murmur.p2p.internal.peers.Question;
import org.murmur.p2p.internal.sync.Link;

/** A peer, its filter, and the blocks requested from it. */
public class ScanPeer extends HeaderPeer {

  /** A whole block that it owes, with its witness data or without. */
  record WholeBlock(Hash256 block, boolean witness, Question question) {}

  @Nullable WholeBlock whole;
  private final ScanLink scan = new ScanLink(this);
  private final FilterSession filter = new FilterSession(this);

  public ScanPeer(Link link, long nonce, Instant now) {
    super(link, nonce, now);
  }

  public final ScanLink scan() {
    return scan;
  }

  public final FilterSession filter() {
    return filter;
  }
}
