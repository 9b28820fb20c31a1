@NullMarked
package org.murmur.wallet.internal.sign;

import org.jspecify.annotations.NullMarked;
