/** The library's interface: {@link org.murmur.wallet.SpvWallet} with its parameters and results. */
@NullMarked
package org.murmur.wallet;

import org.jspecify.annotations.NullMarked;
