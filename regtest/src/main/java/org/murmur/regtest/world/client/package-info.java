/** The client that a world tries, and what it reports. */
@NullMarked
package org.murmur.regtest.world.client;

import org.jspecify.annotations.NullMarked;
