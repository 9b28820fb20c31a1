@NullMarked
package org.murmur.coins.label;

import org.jspecify.annotations.NullMarked;
