/** A peer's address, its network, which addresses are alike, and a proxy. */
@NullMarked
package org.murmur.p2p.discovery;

import org.jspecify.annotations.NullMarked;
