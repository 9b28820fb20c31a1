/** Which peers to call: pinned ones, and those found in the address table. */
@NullMarked
package org.murmur.p2p.dial;

import org.jspecify.annotations.NullMarked;
