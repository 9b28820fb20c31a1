/**
 * Labels of a wallet (BIP-0329): what the user noted about transactions, addresses and coins, and
 * which coins are frozen. Pure: no files, no clocks.
 */
@NullMarked
package org.murmur.coins.label;

import org.jspecify.annotations.NullMarked;
