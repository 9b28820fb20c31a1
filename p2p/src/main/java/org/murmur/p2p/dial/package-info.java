/** Whom to call: the peers that are named, and those that are found. */
@NullMarked
package org.murmur.p2p.dial;

import org.jspecify.annotations.NullMarked;
