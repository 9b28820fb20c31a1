package org.murmur.wallet.ledger;

import org.murmur.bip37.bytes.Hash256;

/**
 * A transaction's place in the active chain.
 *
 * @param height the block's
 * @param block the block's hash
 * @param position the transaction's place in the block, 0 for the coinbase
 * @param time the block header's time, seconds since 1970
 */
public record Confirmation(int height, Hash256 block, int position, long time) {}
