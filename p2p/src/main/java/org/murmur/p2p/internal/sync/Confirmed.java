package org.murmur.p2p.internal.sync;

import org.murmur.bip37.tx.Tx;

/**
 * A transaction of the wallet in a block of the active chain: it pays the wallet, spends from it,
 * or has replaced a payment to it.
 */
public record Confirmed(int height, Tx tx) {}
