/** Values for a picture of a wallet: which peers covered which blocks, and what syncs cost. */
@NullMarked
package org.murmur.wallet.overview;

import org.jspecify.annotations.NullMarked;
