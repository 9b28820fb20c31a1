/**
 * Plans payments: which coins are spent, what change there is, what fee is paid. Values in, values
 * out: no clock, no chain, no keys, and random draws only from the caller's seed.
 */
@NullMarked
package org.murmur.coins.spend;

import org.jspecify.annotations.NullMarked;
