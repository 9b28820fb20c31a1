/** How often filters match what they do not hold: theory beside measurements. */
@NullMarked
package org.murmur.lab.fp;

import org.jspecify.annotations.NullMarked;
