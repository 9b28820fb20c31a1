/**
 * A wallet's file: {@link org.murmur.wallet.internal.sqlite.SqliteStore} keeps a wallet in one
 * SQLite file, by JDBC. One class for the rows of each table, over one for the rows of all of them,
 * which checks them.
 *
 * <p>Public to the other packages of the wallet, to the lab and to the benchmarks; no part of the
 * library's interface. ArchUnit holds that.
 */
@NullMarked
package org.murmur.wallet.internal.sqlite;

import org.jspecify.annotations.NullMarked;
