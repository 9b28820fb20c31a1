@NullMarked
package org.murmur.wallet.store.sqlite.packed;

import org.jspecify.annotations.NullMarked;
