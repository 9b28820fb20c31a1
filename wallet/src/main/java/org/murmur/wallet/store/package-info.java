/**
 * Where a wallet is kept: {@link org.murmur.wallet.store.WalletStore}, and the values that it reads
 * and writes.
 *
 * <p>Its implementations are {@link org.murmur.wallet.store.MemoryStore} and the SQLite file of
 * {@code store.sqlite}. An Android application that prefers the system's own SQLite puts another
 * one in their place.
 */
@NullMarked
package org.murmur.wallet.store;

import org.jspecify.annotations.NullMarked;
