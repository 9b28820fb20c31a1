@NullMarked
package org.murmur.coins.psbt;

import org.jspecify.annotations.NullMarked;
