package org.murmur.wallet;

import java.util.List;

/**
 * The peers a wallet has met, and how many addresses it knows beside.
 *
 * @param met peers that completed a version handshake in some session, seen last first
 * @param addresses how many addresses are in the table that peers are found by
 * @param reached how many of these completed a version handshake
 * @param filtering how many of these serve BIP-0037 (NODE_BLOOM), as far as is known
 * @param groups of how many network groups they are
 * @param onion how many of them are of Tor, and called through a proxy only
 */
public record PeerBook(
    List<KnownPeer> met, int addresses, int reached, int filtering, int groups, int onion) {

  /** Copies the list. */
  public PeerBook {
    met = List.copyOf(met);
  }
}
