/** The real wallet in seeded worlds, as many of them as anybody wants. */
@NullMarked
package org.murmur.lab.simulate;

import org.jspecify.annotations.NullMarked;
