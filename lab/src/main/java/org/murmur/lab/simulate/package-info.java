/** The real wallet in seeded worlds, any number of them. */
@NullMarked
package org.murmur.lab.simulate;

import org.jspecify.annotations.NullMarked;
