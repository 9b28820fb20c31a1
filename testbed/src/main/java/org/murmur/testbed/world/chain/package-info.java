/** The chain of a world, and what happens to the tested wallet on it. */
@NullMarked
package org.murmur.testbed.world.chain;

import org.jspecify.annotations.NullMarked;
