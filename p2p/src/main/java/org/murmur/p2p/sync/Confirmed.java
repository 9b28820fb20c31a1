package org.murmur.p2p.sync;

import org.murmur.bip37.tx.Tx;

/**
 * A transaction that the wallet keeps and that is in a block of the active chain: one that pays it,
 * spends of it, or has replaced a payment to it.
 *
 * @param height the block's height
 * @param tx the transaction
 */
public record Confirmed(int height, Tx tx) {}
