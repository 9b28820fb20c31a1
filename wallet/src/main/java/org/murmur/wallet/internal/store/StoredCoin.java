package org.murmur.wallet.internal.store;

import org.murmur.bip37.bytes.OutPoint;

/**
 * An own output of a transaction in a block that no block has spent.
 *
 * @param index its place in the element log
 * @param value in satoshi
 * @param script index in the log of the own script it pays
 * @param height the block's
 * @param coinbase whether a coinbase paid it, so that it must mature
 */
public record StoredCoin(
    int index, OutPoint outPoint, long value, int script, int height, boolean coinbase) {}
