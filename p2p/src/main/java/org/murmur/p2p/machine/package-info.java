/** The machine: {@code step(input, now)} to outputs, without clock, dice or wires. */
@NullMarked
package org.murmur.p2p.machine;

import org.jspecify.annotations.NullMarked;
