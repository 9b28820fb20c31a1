/** A read-only view of a serialised transaction, with the parts that BIP-0037 and a ledger need. */
@NullMarked
package org.murmur.bip37.tx;

import org.jspecify.annotations.NullMarked;
