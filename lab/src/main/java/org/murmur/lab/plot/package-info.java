/** Draws {@link org.murmur.lab.Plot plots}, with XChart. */
@NullMarked
package org.murmur.lab.plot;

import org.jspecify.annotations.NullMarked;
