/** A read-only view of a serialised transaction, as far as BIP-0037 and a ledger need it. */
@NullMarked
package org.murmur.bip37.tx;

import org.jspecify.annotations.NullMarked;
