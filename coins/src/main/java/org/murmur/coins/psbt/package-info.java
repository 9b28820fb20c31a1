/**
 * Partially signed transactions (BIP-0174, 370, 371): read, write, create, update, sign, combine
 * and finalise. All values are immutable. No I/O, no clock, no random numbers.
 */
@NullMarked
package org.murmur.coins.psbt;

import org.jspecify.annotations.NullMarked;
