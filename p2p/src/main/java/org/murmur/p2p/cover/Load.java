package org.murmur.p2p.cover;

import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.UpdateFlag;
import org.murmur.p2p.discovery.PeerAddress;

/**
 * One {@code filterload} on one connection. A load ends with the connection or with the next load,
 * but its scan results remain valid.
 *
 * @param id unique in the wallet's life
 * @param peer the peer that got it
 * @param content the filter's elements of the log, with those of later {@code filteradd}s
 * @param filter as it was sent, with our later additions; without the server's additions
 * @param time when, seconds since 1970
 */
public record Load(long id, PeerAddress peer, Content content, BloomFilter filter, long time) {

  /**
   * Makes a load that holds the first elements of the log.
   *
   * @param id unique in the wallet's life
   * @param peer the peer that got it
   * @param elements how many of the first elements it holds
   * @param filter as it was sent
   * @param time when, seconds since 1970
   */
  public Load(long id, PeerAddress peer, int elements, BloomFilter filter, long time) {
    this(id, peer, new Content.Prefix(elements), filter, time);
  }

  /**
   * Returns how many elements of the log the filter holds.
   *
   * @return 0 or more; dummies are not counted
   */
  public int elements() {
    return content.size();
  }

  /**
   * Returns the filter's content at an earlier time, when it held fewer elements.
   *
   * @param elements how many it held; an epoch never changes
   * @return the content then
   */
  public Content contentWith(int elements) {
    return content instanceof Content.Prefix ? new Content.Prefix(elements) : content;
  }

  /**
   * Returns whether the server adds outpoints.
   *
   * @return true under {@link UpdateFlag#ALL}
   */
  public boolean adds() {
    return filter.parameters().flag() == UpdateFlag.ALL;
  }
}
