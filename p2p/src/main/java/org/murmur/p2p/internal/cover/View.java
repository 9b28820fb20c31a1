package org.murmur.p2p.internal.cover;

import org.murmur.p2p.discovery.NodeAddress;

/**
 * A search of one peer for blocks: the elements that were searched for, on one connection. Scan
 * rows name the view under which their blocks were served.
 *
 * <p>It says nothing about how the search was made. Under BIP-0037 a view is one {@code
 * filterload}.
 *
 * @param id unique in the wallet's life
 * @param peer the peer that serves the blocks; a view belongs to one connection, so to one peer
 * @param content the elements of the log that were searched for
 * @param adds whether the search extends itself: after a payment to a script of the content, it
 *     also finds the spend of that output in later answers under this view
 */
public record View(long id, NodeAddress peer, Content content, boolean adds) {

  /** Returns this view at an earlier time, when it had fewer elements. */
  public View at(int elements) {
    return new View(id, peer, content.at(elements), adds);
  }

  /** {@return whether it is a search in block filters} */
  public boolean isOfBlockFilters() {
    return content instanceof Content.Scripts;
  }

  /** {@return whether it is one that reads the block of every match, as the compact preset does} */
  public boolean isCompact() {
    return content instanceof Content.Scripts scripts && !scripts.checks();
  }

  /** {@return this view as if it had read what it only compared} */
  public View asRead() {
    return new View(id, peer, new Content.Scripts(content.size()), adds);
  }

  /**
   * {@return this view when its connection is over and nothing relies on its additions, the same
   * without {@code adds}}
   */
  public View retired() {
    return new View(id, peer, content, false);
  }

  /** Returns whether every block served under this view shows what it does to an element. */
  public boolean finds(int index, Element element) {
    return content.finds(index, element);
  }

  /**
   * Returns whether the block that pays a coin makes this view find the coin's spend: in that block
   * and in those served later.
   */
  boolean addsOnPayment(Element.OwnOutPoint coin) {
    return adds && content.holds(coin.script());
  }
}
