package org.murmur.p2p.sync;

import org.murmur.bip37.tx.Tx;

/**
 * A transaction of the wallet that is in a block of the active chain.
 *
 * @param height the block's height
 * @param tx the transaction
 */
public record Confirmed(int height, Tx tx) {}
