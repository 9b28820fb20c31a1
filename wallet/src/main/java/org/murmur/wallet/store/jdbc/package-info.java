/** SQLite by JDBC, for {@link org.murmur.wallet.store.sql.SqlEngine}. */
@NullMarked
package org.murmur.wallet.store.jdbc;

import org.jspecify.annotations.NullMarked;
