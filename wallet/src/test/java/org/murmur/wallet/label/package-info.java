@NullMarked
package org.murmur.wallet.label;

import org.jspecify.annotations.NullMarked;
