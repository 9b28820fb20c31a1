package org.murmur.wallet.internal.store;

import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.MerkleBlock;

/**
 * A proof for transactions of the wallet in one block.
 *
 * @param txid the transaction it proves
 * @param height the block's height
 * @param block what a peer showed of it
 */
public record StoredProof(Hash256 txid, int height, MerkleBlock block) {}
