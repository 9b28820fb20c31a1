/** The plan of a world, drawn from its seed. */
@NullMarked
package org.murmur.regtest.world.plan;

import org.jspecify.annotations.NullMarked;
