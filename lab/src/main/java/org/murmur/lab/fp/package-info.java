/** How often filters match elements they do not hold: theory and measurements. */
@NullMarked
package org.murmur.lab.fp;

import org.jspecify.annotations.NullMarked;
