/** The plan of a world, drawn from its seed. */
@NullMarked
package org.murmur.testbed.world.plan;

import org.jspecify.annotations.NullMarked;
