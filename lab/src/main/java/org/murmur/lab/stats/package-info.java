/** Small statistics that several studies need. */
@NullMarked
package org.murmur.lab.stats;

import org.jspecify.annotations.NullMarked;
