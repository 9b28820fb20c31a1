/** The machine: {@code step(input, now)} to outputs, without clock, randomness or sockets. */
@NullMarked
package org.murmur.p2p.machine;

import org.jspecify.annotations.NullMarked;
