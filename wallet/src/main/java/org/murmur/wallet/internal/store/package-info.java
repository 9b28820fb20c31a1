/**
 * Where a wallet is kept: {@link org.murmur.wallet.internal.store.WalletStore}, and the values that
 * it reads and writes.
 *
 * <p>Its implementations are {@link org.murmur.wallet.internal.store.MemoryStore} and the SQLite
 * file. An application may put another SQLite library under the file ({@code store.sql}).
 */
@NullMarked
package org.murmur.wallet.internal.store;

import org.jspecify.annotations.NullMarked;
