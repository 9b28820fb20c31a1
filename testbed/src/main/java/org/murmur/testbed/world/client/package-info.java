/** The client under test in a world, and its reports. */
@NullMarked
package org.murmur.testbed.world.client;

import org.jspecify.annotations.NullMarked;
