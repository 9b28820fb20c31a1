/**
 * Algorithms that choose candidates by their value and weight, without knowing what a candidate is.
 * Murch's thesis (2016) and the comments of Bitcoin Core's coinselection.cpp describe them.
 */
@NullMarked
package org.murmur.wallet.spend.select;

import org.jspecify.annotations.NullMarked;
