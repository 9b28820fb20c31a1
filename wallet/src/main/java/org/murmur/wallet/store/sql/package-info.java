/**
 * A wallet's file with an application's own SQLite: {@link org.murmur.wallet.Storage} over a {@link
 * org.murmur.wallet.store.sql.SqlEngine}. The statements and the rows are the wallet's.
 */
@NullMarked
package org.murmur.wallet.store.sql;

import org.jspecify.annotations.NullMarked;
