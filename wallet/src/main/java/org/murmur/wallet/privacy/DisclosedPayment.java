package org.murmur.wallet.privacy;

import java.time.Instant;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;

/**
 * A payment of the user that a peer knows of: it was announced to the peer, and sent if the peer
 * fetched it.
 *
 * @param peer the peer that knows it, in one spelling for all payments
 * @param time when first
 * @param txid of the payment
 * @param scripts how many of the wallet's scripts it names, by paying them or spending their coins
 */
public record DisclosedPayment(NodeAddress peer, Instant time, Hash256 txid, int scripts) {}
