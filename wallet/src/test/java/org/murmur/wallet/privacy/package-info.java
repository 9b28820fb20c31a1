@NullMarked
package org.murmur.wallet.privacy;

import org.jspecify.annotations.NullMarked;
