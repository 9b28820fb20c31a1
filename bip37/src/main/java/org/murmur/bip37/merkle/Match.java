package org.murmur.bip37.merkle;

import org.murmur.bip37.bytes.Hash256;

/**
 * A transaction that a partial Merkle tree marks.
 *
 * @param txid the transaction
 * @param position its place in the block, 0 for the coinbase
 */
public record Match(Hash256 txid, int position) {}
