/**
 * Proofs that a transaction is in a block: Merkle trees, the partial trees of BIP-0037, and the
 * {@code merkleblock} message. Everything a peer sends here is a claim until it is checked.
 */
@NullMarked
package org.murmur.bip37.merkle;

import org.jspecify.annotations.NullMarked;
