/** The judge: what must hold after every step of a world, whatever happens. */
@NullMarked
package org.murmur.regtest.world.judge;

import org.jspecify.annotations.NullMarked;
