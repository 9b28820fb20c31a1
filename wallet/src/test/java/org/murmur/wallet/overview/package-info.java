/** Tests of the values for a picture of a wallet. */
@NullMarked
package org.murmur.wallet.overview;

import org.jspecify.annotations.NullMarked;
