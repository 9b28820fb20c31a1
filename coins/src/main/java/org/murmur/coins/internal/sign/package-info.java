/**
 * Signs payments: an unsigned transaction, what its inputs spend and the private keys go in, and a
 * signed transaction or the reason for refusal comes out. No clock, no files, no random numbers.
 */
@NullMarked
package org.murmur.coins.internal.sign;

import org.jspecify.annotations.NullMarked;
