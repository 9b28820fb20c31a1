/**
 * The data that grows with a wallet, packed into bytes that a store keeps in a row: transactions by
 * block with their proofs, outpoints, and where each transaction is. No SQL here.
 */
@NullMarked
package org.murmur.wallet.store.sqlite.packed;

import org.jspecify.annotations.NullMarked;
