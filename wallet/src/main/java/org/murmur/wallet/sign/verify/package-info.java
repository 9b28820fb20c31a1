/**
 * Checks signatures of transactions that others made: a signed transaction and what it spends go
 * in, and a fault or none comes out. No clock, no files, no random numbers.
 */
@NullMarked
package org.murmur.wallet.sign.verify;

import org.jspecify.annotations.NullMarked;
