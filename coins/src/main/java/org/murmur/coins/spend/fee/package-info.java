/**
 * The weight of a transaction and its cost: sizes of inputs and outputs, dust, fee rates, and the
 * fee that a replacement or a child must pay. Functions of numbers; no keys, no chain.
 */
@NullMarked
package org.murmur.coins.spend.fee;

import org.jspecify.annotations.NullMarked;
