@NullMarked
package org.murmur.wallet.spend.fee;

import org.jspecify.annotations.NullMarked;
