@NullMarked
package org.murmur.wallet.spend;

import org.jspecify.annotations.NullMarked;
