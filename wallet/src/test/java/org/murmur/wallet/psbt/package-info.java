@NullMarked
package org.murmur.wallet.psbt;

import org.jspecify.annotations.NullMarked;
