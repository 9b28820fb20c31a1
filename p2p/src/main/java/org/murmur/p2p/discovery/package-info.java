/** A peer's address, its network, and which addresses are alike. */
@NullMarked
package org.murmur.p2p.discovery;

import org.jspecify.annotations.NullMarked;
