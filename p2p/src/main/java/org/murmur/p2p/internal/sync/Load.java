package org.murmur.p2p.internal.sync;

import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.UpdateFlag;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.View;

/**
 * One {@code filterload} on one connection. A load ends with the connection or with the next load,
 * but its scan results remain valid. Coverage knows only its {@link #view}.
 *
 * @param id unique in the wallet's life; also the id of its view
 * @param peer the peer that got it
 * @param content the filter's elements of the log, with those of later {@code filteradd}s
 * @param filter as it was sent, with our later additions; without the server's additions
 * @param time when, seconds since 1970
 */
public record Load(long id, NodeAddress peer, Content content, BloomFilter filter, long time) {

  /** Makes a load that holds the first elements of the log. */
  public Load(long id, NodeAddress peer, int elements, BloomFilter filter, long time) {
    this(id, peer, new Content.Prefix(elements), filter, time);
  }

  /** {@return how many elements of the log the filter holds, 0 or more; dummies are not counted} */
  public int elements() {
    return content.size();
  }

  /**
   * {@return the view that this filter gives, a value with the id, peer and content of this load}
   * The server adds outpoints under {@link UpdateFlag#ALL}.
   */
  public View view() {
    return new View(id, peer, content, filter.parameters().flag() == UpdateFlag.ALL);
  }
}
