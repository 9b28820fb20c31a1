/**
 * Payments of a wallet: what the user wants, the plan that is shown before anything is signed, and
 * the wallet's coins as {@link org.murmur.coins.spend} needs them.
 */
@NullMarked
package org.murmur.wallet.pay;

import org.jspecify.annotations.NullMarked;
