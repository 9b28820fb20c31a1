@NullMarked
package org.murmur.coins.uri;

import org.jspecify.annotations.NullMarked;
