/** Which addresses a wallet hands out. */
@NullMarked
package org.murmur.wallet.receive;

import org.jspecify.annotations.NullMarked;
