/** Statistics that several studies use. */
@NullMarked
package org.murmur.lab.stats;

import org.jspecify.annotations.NullMarked;
