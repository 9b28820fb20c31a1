/** Values that the ledger gives an app. */
@NullMarked
package org.murmur.wallet.ledger;

import org.jspecify.annotations.NullMarked;
