/** Dust, and the fee that a replacement must pay. Functions of numbers. */
@NullMarked
package org.murmur.coins.internal.fee;

import org.jspecify.annotations.NullMarked;
