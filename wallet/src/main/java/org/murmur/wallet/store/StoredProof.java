package org.murmur.wallet.store;

import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;

/**
 * A proof for transactions of the wallet in one block.
 *
 * @param txid the transaction it proves
 * @param height the block's height
 * @param payload of the {@code merkleblock} message
 */
public record StoredProof(Hash256 txid, int height, Bytes payload) {}
