/** The client under test in a world, and its reports. */
@NullMarked
package org.murmur.regtest.world.client;

import org.jspecify.annotations.NullMarked;
