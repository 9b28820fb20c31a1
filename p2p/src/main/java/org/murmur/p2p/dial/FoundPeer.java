package org.murmur.p2p.dial;

import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.peers.Peer;

/**
 * A peer that is called or connected at an address of the table.
 *
 * @param peer the peer
 * @param endpoint its place in the table, where all is kept that outlives the connection
 * @param group whose addresses it is one of
 */
record FoundPeer(Peer peer, Endpoint endpoint, NetGroup group) {}
