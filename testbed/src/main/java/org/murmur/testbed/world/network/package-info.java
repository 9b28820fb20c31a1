/** Virtual time, the simulated nodes, and the connections between them and the client. */
@NullMarked
package org.murmur.testbed.world.network;

import org.jspecify.annotations.NullMarked;
