package org.murmur.bip37.merkle;

import org.murmur.bip37.bytes.Hash256;

/**
 * A transaction marked as a match in a partial Merkle tree.
 *
 * @param txid the transaction
 * @param position its index in the block, 0 for the coinbase
 */
public record Match(Hash256 txid, int position) {}
