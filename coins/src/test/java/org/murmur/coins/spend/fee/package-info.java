@NullMarked
package org.murmur.coins.spend.fee;

import org.jspecify.annotations.NullMarked;
