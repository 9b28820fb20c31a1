/**
 * Seeded worlds in virtual time: peers that lag, lie, stall and vanish, a chain that is
 * reorganised, a disk that is slow, and a client that crashes between any two steps. Everything
 * follows from one number, so every failure can be repeated.
 */
@NullMarked
package org.murmur.testbed.world;

import org.jspecify.annotations.NullMarked;
