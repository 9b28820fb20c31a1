/** Murmur on Android: {@link org.murmur.android.AndroidSqlite}, the phone's own SQLite. */
@NullMarked
package org.murmur.android;

import org.jspecify.annotations.NullMarked;
