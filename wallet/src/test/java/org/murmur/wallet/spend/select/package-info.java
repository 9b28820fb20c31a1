@NullMarked
package org.murmur.wallet.spend.select;

import org.jspecify.annotations.NullMarked;
