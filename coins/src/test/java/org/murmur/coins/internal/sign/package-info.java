@NullMarked
package org.murmur.coins.internal.sign;

import org.jspecify.annotations.NullMarked;
