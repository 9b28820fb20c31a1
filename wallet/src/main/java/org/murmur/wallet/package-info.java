/** The door: {@link org.murmur.wallet.SpvWallet} and the values it takes and gives. */
@NullMarked
package org.murmur.wallet;

import org.jspecify.annotations.NullMarked;
