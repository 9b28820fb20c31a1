package org.murmur.wallet.privacy;

import java.time.Instant;
import org.murmur.p2p.discovery.NodeAddress;

/**
 * The whole blocks that a peer served, or was about to be asked for when the program ended. They
 * were found by filters that every wallet downloads alike. So it learned that such a block may be
 * the wallet's, and no script.
 *
 * @param peer the peer, in one spelling for all records
 * @param blocks how many different blocks
 * @param own how many of these have transactions of the wallet; the others matched by chance, or
 *     showed which of two filters is false. The peer cannot tell them apart
 * @param time when the last one was asked for
 */
public record BlocksServed(NodeAddress peer, int blocks, int own, Instant time) {}
