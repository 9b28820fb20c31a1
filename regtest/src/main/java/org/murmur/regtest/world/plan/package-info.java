/** What a world is to be like, drawn from its seed. */
@NullMarked
package org.murmur.regtest.world.plan;

import org.jspecify.annotations.NullMarked;
