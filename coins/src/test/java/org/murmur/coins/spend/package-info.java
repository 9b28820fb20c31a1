@NullMarked
package org.murmur.coins.spend;

import org.jspecify.annotations.NullMarked;
