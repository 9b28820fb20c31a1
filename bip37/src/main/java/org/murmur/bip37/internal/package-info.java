/** A keyed hash, for this module and those that use it. */
@NullMarked
package org.murmur.bip37.internal;

import org.jspecify.annotations.NullMarked;
