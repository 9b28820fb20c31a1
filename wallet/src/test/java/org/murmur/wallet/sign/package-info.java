@NullMarked
package org.murmur.wallet.sign;

import org.jspecify.annotations.NullMarked;
