package org.murmur.p2p.cover;

import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.UpdateFlag;
import org.murmur.p2p.discovery.PeerAddress;

/**
 * One {@code filterload} on one connection. Loads die with the connection or with the next load on
 * it, but what was scanned under them stays known.
 *
 * @param id unique in the wallet's life
 * @param peer who was sent it
 * @param content which elements of the log the filter holds, those that {@code filteradd} brought
 *     later included
 * @param filter as it was sent, and then added to; not what the server added of its own accord
 * @param time when, seconds since 1970
 */
public record Load(long id, PeerAddress peer, Content content, BloomFilter filter, long time) {

  /**
   * Makes one that holds the first elements of the log.
   *
   * @param id unique in the wallet's life
   * @param peer who was sent it
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
   * Returns what the filter held when it held fewer elements than now.
   *
   * @param elements how many it held; an epoch always holds the same
   * @return the content then
   */
  public Content contentWith(int elements) {
    return content instanceof Content.Prefix ? new Content.Prefix(elements) : content;
  }

  /**
   * Returns whether the server adds outpoints of its own accord.
   *
   * @return true under {@link UpdateFlag#ALL}
   */
  public boolean adds() {
    return filter.parameters().flag() == UpdateFlag.ALL;
  }
}
