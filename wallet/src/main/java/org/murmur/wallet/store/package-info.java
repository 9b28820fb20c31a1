/**
 * Where a wallet is kept: one SQLite file, behind {@link org.murmur.wallet.store.WalletStore}.
 *
 * <p>{@link org.murmur.wallet.store.SqliteStore} is the one implementation, by JDBC; nothing
 * outside this package knows that. An Android application that prefers the system's own SQLite puts
 * another one in its place.
 */
@NullMarked
package org.murmur.wallet.store;

import org.jspecify.annotations.NullMarked;
