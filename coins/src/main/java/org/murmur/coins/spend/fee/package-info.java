/**
 * The weight of a transaction and its cost: sizes of inputs, fee rates, and the fees of a block.
 * Functions of numbers; no keys, no chain.
 */
@NullMarked
package org.murmur.coins.spend.fee;

import org.jspecify.annotations.NullMarked;
