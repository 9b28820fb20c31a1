/** Lists what the books hold, as the interface shows it. */
@NullMarked
package org.murmur.wallet.listing;

import org.jspecify.annotations.NullMarked;
